import { classes } from "#console/ui/classes.ts";
import { formatCount, formatExact } from "#console/ui/format.ts";
import { reportTexts } from "#texts/reports.ts";
import { ChangeText } from "./change-text.tsx";

const texts = reportTexts.total;

interface TotalProps {
  readonly label: string;
  readonly hint: string;
  /** `null` where it is unknown: of old or imported clicks. */
  readonly value: number | null;
  readonly before: { readonly value: number | null; readonly period: string } | null;
  /** Whether more of it is good news. */
  readonly isGood: boolean;
  readonly chosen: boolean;
  readonly onChoose: () => void;
}

/** One figure with its change; a click shows its course in the chart. */
export const Total = ({ label, hint, value, before, isGood, chosen, onChoose }: TotalProps) => (
  <button
    type="button"
    aria-pressed={chosen}
    onClick={onChoose}
    className="relative flex flex-col items-start px-5 py-4 text-left transition-colors hover:bg-hover focus-visible:-outline-offset-2 max-sm:nth-[n+3]:border-t max-sm:nth-[n+3]:border-line"
  >
    {chosen && <span className="absolute inset-x-5 -bottom-px h-0.5 rounded-full bg-accent max-sm:bottom-0" />}
    <span className={classes("block text-sm", chosen ? "font-medium text-accent" : "text-soft")}>{label}</span>
    <span
      className="mt-0.5 block text-3xl font-semibold tracking-tight"
      title={value === null ? texts.unknown : texts.withHint(formatExact(value), hint)}
    >
      {value === null ? "–" : formatCount(value)}
    </span>
    <span className="mt-0.5 flex h-5 items-center text-sm">
      {value !== null && before !== null && before.value !== null && value + before.value > 0 && (
        <ChangeText value={value} before={before.value} period={before.period} isGood={isGood} />
      )}
    </span>
  </button>
);
