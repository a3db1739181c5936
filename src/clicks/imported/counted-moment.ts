import {
  BadCounts,
  type ClickCount,
  type CountedDimension,
  countedDimensions,
  cutsOf,
  ONLY_CUT,
} from "#engines/clicks/click-counts.ts";
import { type ClickText, clickTexts } from "#engines/clicks/click-format.ts";

/** What a source says about the clicks of a link in an hour, or on a day. */
export interface CountedMoment {
  readonly linkNo: number;
  /** The start of a quarter of an hour; `momentOfDay` if only the day is known. */
  readonly atMs: number;
  readonly hasHour: boolean;
  /** Whether these are clicks by programs. A source that doesn't know has none of them. */
  readonly bot: boolean;
  /** The link's own domain; empty on the instance's. */
  readonly domain: string;
  /** All of them; where some cut has more, those. */
  readonly clicks: number;
  /** The same clicks, counted in several ways. No two know the same dimension. */
  readonly cuts: readonly CountedCut[];
}

export interface CountedCut {
  readonly dimensions: readonly CountedDimension[];
  readonly counts: readonly CutCount[];
}

export interface CutCount {
  /** Without what is unknown. */
  readonly values: Readonly<Partial<Record<CountedDimension, string>>>;
  readonly clicks: number;
}

/** As the engine stores them: whatever a cut doesn't tell apart is unknown in it, so all cuts have the same sum. */
export function toClickCounts(moment: CountedMoment): ClickCount[] {
  const { clicks, cuts } = moment;
  const known = cuts.flatMap(({ dimensions }) => dimensions);
  if (new Set(known).size < known.length) throw new BadCounts("two cuts know the same dimension");
  if (cuts.some(({ dimensions }) => dimensions.length === 0)) throw new BadCounts("a cut knows nothing");
  const sums = cuts.map(({ counts }) => counts.reduce((sum, count) => sum + count.clicks, 0));
  const total = Math.max(clicks, ...sums);
  const masks = cutsOf(cuts.map(({ dimensions }) => dimensions));
  const parts = cuts.length > 0 ? cuts : [{ dimensions: [], counts: [] }];
  return parts.flatMap(({ counts }, index) => {
    const cut = (cuts.length > 1 && masks[index]) || ONLY_CUT;
    const rest = { values: {}, clicks: total - (sums[index] ?? 0) };
    return [...counts, rest].filter((count) => count.clicks > 0).map((count) => toCount(moment, count, cut));
  });
}

function toCount(moment: CountedMoment, { values, clicks }: CutCount, cut: ClickCount["cut"]): ClickCount {
  const { linkNo, atMs, hasHour, bot, domain } = moment;
  const { source = "link", ...texts } = values;
  return {
    ...noTexts,
    ...texts,
    domain,
    link_no: linkNo,
    at_ms: atMs,
    has_hour: hasHour,
    bot,
    source: source === "qr" ? "qr" : "link",
    clicks,
    cut,
  };
}

const noTexts = Object.fromEntries(clickTexts.map((name) => [name, ""])) as Record<ClickText, string>;

/** The names behind the bits of a mask. */
export const dimensionsOf = (mask: number): CountedDimension[] =>
  countedDimensions.filter((_, index) => (mask & (1 << index)) !== 0);
