import type { ReactNode, Ref } from "react";
import { classes } from "./classes.ts";
import { usePageTitle } from "./page-title.ts";

/** A card on the page. */
export const Panel = ({ children, className }: { readonly children: ReactNode; readonly className?: string }) => (
  <section className={classes("rounded-2xl border border-line bg-card shadow-card", className)}>{children}</section>
);

interface PageHeadProps {
  readonly title: ReactNode;
  readonly note?: ReactNode;
  readonly actions?: ReactNode;
  /** For a page that puts the focus there. */
  readonly heading?: Ref<HTMLHeadingElement>;
}

/** The head of a page; a title that is a text also names the tab of the browser. */
export function PageHead({ title, note, actions, heading }: PageHeadProps) {
  usePageTitle(typeof title === "string" ? title : undefined);
  return (
    <header className="mb-6 flex flex-wrap items-center justify-between gap-3">
      <div className="min-w-0">
        <h1 className="truncate text-2xl font-semibold outline-none" {...(heading && { ref: heading, tabIndex: -1 })}>
          {title}
        </h1>
        {note && <p className="mt-1 text-soft">{note}</p>}
      </div>
      {actions && <div className="flex flex-wrap items-center gap-2">{actions}</div>}
    </header>
  );
}

interface EmptyProps {
  readonly icon: ReactNode;
  readonly title: string;
  readonly children?: ReactNode;
  readonly action?: ReactNode;
}

/** Where there is nothing yet: what it would be for, and how to begin. */
export const Empty = ({ icon, title, children, action }: EmptyProps) => (
  <div className="flex flex-col items-center px-6 py-16 text-center">
    <div className="mb-4 flex size-11 items-center justify-center rounded-2xl border border-line bg-card text-accent shadow-card [&>svg]:size-5">
      {icon}
    </div>
    <h2 className="text-base font-semibold">{title}</h2>
    {children && <p className="mt-1.5 max-w-md text-balance text-soft">{children}</p>}
    {action && <div className="mt-5">{action}</div>}
  </div>
);

export const Skeleton = ({ className }: { readonly className?: string }) => (
  <div className={classes("animate-pulse rounded-md bg-sunken", className)} />
);

const tones = {
  plain: "bg-sunken text-soft",
  good: "bg-good-soft text-good",
  warn: "bg-warn-soft text-warn",
  bad: "bg-bad-soft text-bad",
  accent: "bg-accent-soft text-accent",
} as const;
export type Tone = keyof typeof tones;

export const Badge = ({ tone = "plain", children }: { readonly tone?: Tone; readonly children: ReactNode }) => (
  <span
    className={classes(
      "inline-flex h-5 items-center rounded-md px-1.5 text-xs font-medium whitespace-nowrap",
      tones[tone],
    )}
  >
    {children}
  </span>
);
