import { classes } from "#console/ui/classes.ts";
import { formatCount } from "#console/ui/format.ts";
import { reportTexts } from "#texts/reports.ts";
import { ChangeText } from "./change-text.tsx";
import type { EarlierClicks } from "./earlier-clicks.ts";
import { DIALOG_LIMIT } from "./use-report.ts";

const texts = reportTexts.cards;

const BEFORE = "text-right sm:w-14";
const CHANGE = "flex min-w-16 justify-end sm:w-24";

interface EarlierColumnsProps {
  readonly value: string | null;
  readonly clicks: number;
  /** Nothing while it is loaded: its place stays free. */
  readonly earlier: EarlierClicks | undefined;
}

/** The clicks of the period before and the change; on a phone a line of their own, with words in place of headings. */
export function EarlierColumns({ value, clicks, earlier }: EarlierColumnsProps) {
  const before = earlier?.of(value);
  const shown = typeof before === "number" ? formatCount(before) : "–";
  const unknown = texts.beforeUnknown(DIALOG_LIMIT);
  return (
    <span className="relative flex min-h-5 shrink-0 items-center justify-end gap-3 text-soft tabular-nums">
      <span className={BEFORE} title={before === null ? unknown : undefined}>
        {before !== undefined && (
          <>
            <span className="max-sm:hidden" aria-hidden>
              {shown}
            </span>
            <span className="sm:hidden" aria-hidden>
              {texts.before(shown)}
            </span>
            <span className="sr-only">{before === null ? unknown : texts.before(shown)}</span>
          </>
        )}
      </span>
      <span className={classes(CHANGE, typeof before !== "number" && "max-sm:hidden")}>
        {earlier && typeof before === "number" && (
          <ChangeText value={clicks} before={before} period={earlier.period} isGood />
        )}
      </span>
    </span>
  );
}

interface EarlierHeadProps {
  /** Whether a button follows each row. */
  readonly hasActions: boolean;
}

/** Rows say the same in words to those who don't see columns. */
export const EarlierHead = ({ hasActions }: EarlierHeadProps) => (
  <p
    aria-hidden
    className={classes(
      "sticky top-0 z-10 flex justify-end gap-3 bg-card px-2 py-1.5 text-xs text-soft max-sm:hidden",
      hasActions && "pr-12",
    )}
  >
    <span>{reportTexts.metrics.clicks.label}</span>
    <span className={BEFORE}>{texts.headBefore}</span>
    <span className={CHANGE}>{texts.headChange}</span>
  </p>
);
