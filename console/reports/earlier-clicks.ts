import { formatCutPeriod } from "./dates.ts";
import type { Breakdown, Period } from "./report-query.ts";

/** The clicks of each value in the period before. */
export interface EarlierClicks {
  readonly period: string;
  /** `null` where the answer doesn't tell. */
  readonly of: (key: string | null) => number | null;
}

/** A value beyond the ones in the answer had no clicks, unless some clicks are of values beyond them. */
export function readEarlierClicks({ items, other_clicks }: Breakdown, period: Period): EarlierClicks {
  const known = new Map(items.map(({ key, clicks }) => [key, clicks]));
  const ofOthers = other_clicks === 0 ? 0 : null;
  return { period: formatCutPeriod(period), of: (key) => known.get(key) ?? ofOthers };
}

/**
 * Those of now, and after them what had clicks in the period before only. If some clicks of now are of values beyond the
 * ones in the answer, theirs may be among them.
 */
export function addFormerValues(now: Breakdown, before: Breakdown): Breakdown {
  if (now.other_clicks > 0) return now;
  const known = new Set(now.items.map(({ key }) => key));
  const former = before.items.filter(({ key }) => !known.has(key));
  return { ...now, items: [...now.items, ...former.map(({ key }) => ({ key, clicks: 0, unique_visitors: 0 }))] };
}
