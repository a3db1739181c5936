import { ChevronRight } from "lucide-react";
import { type ReactNode, useEffect, useState } from "react";

interface FoldProps {
  readonly title: string;
  /** In a few words what is set, or nothing. */
  readonly summary?: ReactNode;
  /** Something in it is set or wrong: it begins open. */
  readonly used: boolean;
  readonly children: ReactNode;
}

/** A part of a form that most people never need. What is open stays open, also when its last value is removed. */
export function Fold({ title, summary, used, children }: FoldProps) {
  const [open, setOpen] = useState(used);
  useEffect(() => {
    if (used) setOpen(true);
  }, [used]);
  return (
    <details
      className="group min-w-0 border-line not-first:border-t"
      open={open}
      onToggle={(event) => {
        if (event.target === event.currentTarget) setOpen(event.currentTarget.open);
      }}
    >
      <summary className="flex cursor-pointer list-none items-center gap-2 rounded-lg px-2 py-3 text-sm font-medium hover:bg-hover [&::-webkit-details-marker]:hidden">
        <ChevronRight className="size-4 shrink-0 text-faint transition-transform group-open:rotate-90" aria-hidden />
        <span className="shrink-0">{title}</span>
        {summary && <span className="min-w-0 truncate font-normal text-faint">{summary}</span>}
      </summary>
      {children}
    </details>
  );
}
