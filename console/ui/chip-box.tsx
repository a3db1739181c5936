import { X } from "lucide-react";
import { type ReactNode, type RefObject, useRef } from "react";
import { classes } from "./classes.ts";

interface Chip {
  readonly value: string;
  readonly label: string;
  readonly icon?: ReactNode;
  readonly removeLabel: string;
}

interface ChipBoxProps {
  readonly chips: readonly Chip[];
  readonly onRemove: (value: string) => void;
  readonly isWrong: boolean;
  /** The field behind the chips, which takes the clicks beside it. */
  readonly children: (input: RefObject<HTMLInputElement | null>) => ReactNode;
}

/** What was chosen so far, each with a cross, and a field for more: all of it looks like one field. */
export function ChipBox({ chips, onRemove, isWrong, children }: ChipBoxProps) {
  const input = useRef<HTMLInputElement>(null);
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions lint/a11y/useKeyWithClickEvents: a click beside the text goes to the text
    <div
      onClick={() => input.current?.focus()}
      className={classes(
        "flex min-h-control flex-wrap items-center gap-1.5 rounded-lg border bg-card px-2 py-1.25 hover:border-faint has-[input:focus-visible]:outline-2 has-[input:focus-visible]:outline-offset-2 outline-accent",
        isWrong ? "border-bad" : "border-line-strong",
      )}
    >
      {chips.map(({ value, label, icon, removeLabel }) => (
        <span key={value} className="flex max-w-full items-center gap-1 rounded-md bg-sunken pl-2 text-sm">
          <span className="flex min-w-0 items-center gap-1.5">
            {icon}
            <span className="truncate">{label}</span>
          </span>
          <button
            type="button"
            aria-label={removeLabel}
            className="flex size-6 shrink-0 items-center justify-center rounded text-faint hover:text-text"
            onClick={() => onRemove(value)}
          >
            <X className="size-3.5" aria-hidden />
          </button>
        </span>
      ))}
      {children(input)}
    </div>
  );
}
