import type { ReactNode } from "react";
import { classes } from "./classes.ts";

interface ScrollBoxProps {
  readonly label: string;
  readonly className?: string;
  readonly children: ReactNode;
}

/** A sunken box that scrolls by itself. */
export const ScrollBox = ({ label, className, children }: ScrollBoxProps) => (
  <section
    aria-label={label}
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by keyboard
    tabIndex={0}
    className={classes("overflow-auto rounded-xl border border-line bg-sunken", className)}
  >
    {children}
  </section>
);
