import { type ReactNode, useId } from "react";
import { classes } from "./classes.ts";

interface SectionProps {
  readonly title: string;
  readonly note?: ReactNode;
  readonly action?: ReactNode;
  readonly children?: ReactNode;
  /** The content reaches to the edges, as lists do. */
  readonly flush?: boolean;
  readonly tone?: "plain" | "bad";
}

/** A card with a heading: one matter of a page. */
export function Section({ title, note, action, children, flush = false, tone = "plain" }: SectionProps) {
  const id = useId();
  return (
    <section
      aria-labelledby={id}
      className={classes(
        "mb-6 rounded-2xl border bg-card shadow-card",
        tone === "bad" ? "border-bad/40" : "border-line",
      )}
    >
      <header className="flex flex-wrap items-start justify-between gap-x-6 gap-y-3 px-5 py-4 sm:px-6">
        <div className="min-w-0 flex-1 basis-40">
          <h2 id={id} className={classes("text-base font-semibold wrap-anywhere", tone === "bad" && "text-bad")}>
            {title}
          </h2>
          {note && <p className="mt-0.5 max-w-prose text-sm wrap-anywhere text-soft">{note}</p>}
        </div>
        {action}
      </header>
      {children && <div className={flush ? "border-t border-line" : "px-5 pb-5 sm:px-6 sm:pb-6"}>{children}</div>}
    </section>
  );
}
