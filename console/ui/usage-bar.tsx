import { type ReactNode, useId } from "react";
import { uiTexts as texts } from "#texts/ui.ts";
import { formatExact } from "./format.ts";

interface UsageBarProps {
  readonly label: ReactNode;
  readonly used: number;
  readonly limit: number | null;
}

const NEARLY = 0.9;

/** How much of what the plan allows is taken. */
export function UsageBar({ label, used, limit }: UsageBarProps) {
  const id = useId();
  const isNearly = limit !== null && used >= limit * NEARLY;
  return (
    <div>
      <div className="mb-1.5 flex items-baseline justify-between gap-3 text-sm">
        <span id={id} className="font-medium">
          {label}
        </span>
        <span className="text-soft">
          {limit === null
            ? texts.usedWithoutLimit(formatExact(used))
            : texts.usedOf(formatExact(used), formatExact(limit))}
        </span>
      </div>
      {limit !== null && (
        <progress
          aria-labelledby={id}
          value={Math.min(used, limit)}
          max={Math.max(limit, 1)}
          className={`usage-bar ${isNearly ? "text-warn" : "text-accent"}`}
        />
      )}
    </div>
  );
}
