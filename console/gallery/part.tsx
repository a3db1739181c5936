import type { ReactNode } from "react";

interface PartProps {
  readonly title: string;
  readonly children: ReactNode;
}

/** One chapter of the gallery. */
export const Part = ({ title, children }: PartProps) => (
  <section aria-label={title} className="grid min-w-0 grid-cols-1 gap-5">
    <h2 className="border-b border-line pb-2 text-lg font-semibold">{title}</h2>
    {children}
  </section>
);

/** Some examples side by side, with a word about what they have in common. */
export const Row = ({ title, children }: PartProps) => (
  <div className="grid min-w-0 grid-cols-1 gap-2">
    <p className="text-xs text-faint">{title}</p>
    <div className="flex min-w-0 flex-wrap items-center gap-3">{children}</div>
  </div>
);
