import type { ReactNode } from "react";
import { formatExact } from "#console/ui/format.ts";

export interface Outcome {
  readonly label: string;
  readonly count: number;
  readonly note?: ReactNode;
  readonly tone?: "good" | "warn" | "bad";
  /** Shown even if it is none. */
  readonly always?: boolean;
}

const tones = { good: "text-good", warn: "text-warn", bad: "text-bad" } as const;

/** Figures with what they mean, without those that don't matter. */
export const OutcomeList = ({ outcomes }: { readonly outcomes: readonly Outcome[] }) => (
  <dl className="grid grid-cols-[repeat(auto-fit,minmax(11rem,1fr))] gap-x-8 gap-y-4">
    {outcomes
      .filter(({ count, always }) => always || count > 0)
      .map(({ label, count, note, tone }) => (
        <div key={label} className="flex min-w-0 flex-col">
          <dt className="order-2 text-sm font-medium">{label}</dt>
          <dd className={`order-1 text-2xl font-semibold tabular-nums ${tone ? tones[tone] : ""}`}>
            {formatExact(count)}
          </dd>
          {note && <dd className="order-3 text-sm text-soft">{note}</dd>}
        </div>
      ))}
  </dl>
);
