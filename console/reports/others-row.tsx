import { formatCount } from "#console/ui/format.ts";
import { reportTexts } from "#texts/reports.ts";
import { formatShare } from "./numbers.ts";

const texts = reportTexts.cards;

interface OthersRowProps {
  readonly clicks: number;
  readonly total: number;
  /** What the longest bar stands for. */
  readonly greatest: number;
}

/** The clicks of all values that aren't listed. */
export const OthersRow = ({ clicks, total, greatest }: OthersRowProps) => (
  <li
    title={texts.row(texts.others, clicks)}
    className="relative flex min-h-9 items-center gap-3 rounded-lg px-2 py-1.5 text-sm"
  >
    <span
      className="absolute inset-y-0.5 left-0 min-w-1 rounded-md bg-sunken"
      style={{ width: `${(clicks / greatest) * 100}%` }}
    />
    <span className="relative min-w-0 grow text-soft">{texts.others}</span>
    <span className="relative shrink-0 text-soft tabular-nums">{formatShare(clicks, total)}</span>
    <span className="relative w-10 shrink-0 text-right font-medium tabular-nums sm:w-14">{formatCount(clicks)}</span>
  </li>
);
