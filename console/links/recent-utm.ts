import { utmKeys } from "#contract/limits.ts";
import type { Link } from "#contract/link-record.ts";

type Utm = Link["utm"];

const SETS_MAX = 4;

/** The parameters that the newest links have, each combination once. */
export function recentUtm(links: readonly Link[]): readonly Utm[] {
  const newest = links.toSorted((a, b) => (a.created_at < b.created_at ? 1 : -1));
  const sets = new Map<string, Utm>();
  for (const { utm } of newest) {
    const key = utmKeys.map((name) => utm[name] ?? "").join("\n");
    if (key.trim() !== "" && !sets.has(key)) sets.set(key, utm);
  }
  return [...sets.values()].slice(0, SETS_MAX);
}

/** As in "newsletter · email". */
export const describeUtm = (utm: Utm): string => utmKeys.flatMap((name) => utm[name] ?? []).join(" · ");
