import type { AccountDimension } from "#contract/analytics.ts";
import type { Click, ClickText } from "./click-format.ts";
import type { ReportFilters } from "./clicks-engine.ts";
import { DAY_MS, SLOT_MS } from "./slots.ts";

/** Clicks that another service has counted, or that are exported as counts. */
export type ClickCount = Pick<Click, "link_no" | "bot" | "source" | ClickText> & {
  /** The start of a quarter of an hour; `momentOfDay` if only the day is known. */
  readonly at_ms: number;
  readonly has_hour: boolean;
  readonly clicks: number;
  readonly cut: Cut;
  /**
   * Sixteen hexadecimal digits that tell visitors of one account and UTC day apart; `null` for someone who isn't counted
   * as a visitor. Missing if the source doesn't tell visitors apart.
   */
  readonly visitor?: string | null;
};

/** How many visitors a link, or with 0 the account, had on a day, if exactly `clicks` of it are counted. */
export interface DayVisitors {
  readonly linkNo: number;
  /** Since 1970, UTC. */
  readonly day: number;
  readonly withBots: boolean;
  readonly clicks: number;
  readonly visitors: number;
}

export interface CountBatch {
  readonly accountNo: number;
  /** Names the import: its batches are numbered from 1 and stored one after the other, each once. */
  readonly importId: string;
  readonly no: number;
  readonly counts: readonly ClickCount[];
  readonly visitors: readonly DayVisitors[];
}

export interface ExportRequest {
  readonly accountNo: number;
  /** A random number of this export alone: visitors of two exports have nothing in common. */
  readonly salt: bigint;
}

/** Part of what is exported; see `CountBatch`. */
export type CountChunk = Pick<CountBatch, "counts" | "visitors">;

/** A count that can't be stored. Nothing of its batch was. */
export class BadCounts extends Error {}

/**
 * Where the count of a whole day is in reports: a moment that has the same date in all time zones from -11:00 to +12:45.
 */
export const momentOfDay = (day: number): number => day * DAY_MS + DAY_MOMENT_MS;

const DAY_MOMENT_MS = 11 * 3_600_000;

/** What counts may be told apart by, in the order of their bits, which are stored: a new one goes to the end. */
export const countedDimensions = [
  ...["country", "region", "city", "language", "device", "browser", "os", "referrer"],
  ...["utm_source", "utm_medium", "utm_campaign", "utm_term", "utm_content", "rule", "source"],
] as readonly CountedDimension[];

/** Domain, link and tag follow from the link. */
export type CountedDimension = Exclude<AccountDimension, "domain" | "link" | "tag">;

/**
 * A source may count the same clicks several times: by country, and again by referrer, without telling which country had
 * which referrer. Each of these is a cut. All cuts of a link's moment add up to the same number, and a report uses one of
 * them: the first that knows what the report filters by, else what it groups by, else the first. In each, everything
 * else is unknown. As bits of `countedDimensions`; no two cuts of a moment share one.
 */
export interface Cut {
  readonly known: number;
  /** What the cuts before this one know. */
  readonly earlier: number;
  /** What all of them know. */
  readonly all: number;
}

/** The only cut of clicks that are counted once, by everything that is known about them. */
export const ONLY_CUT: Cut = { known: 0, earlier: 0, all: 0 };

export const maskOf = (dimensions: Iterable<string>): number =>
  [...dimensions].reduce((mask, name) => mask | bitOf(name), 0);

function bitOf(name: string): number {
  const index = (countedDimensions as readonly string[]).indexOf(name);
  return index < 0 ? 0 : 1 << index;
}

/** The cuts of a source, from the dimensions of each. */
export function cutsOf(cuts: readonly (readonly CountedDimension[])[]): readonly Cut[] {
  const all = maskOf(cuts.flat());
  return cuts.map((dimensions, index) => ({
    known: maskOf(dimensions),
    earlier: maskOf(cuts.slice(0, index).flat()),
    all,
  }));
}

export const isChosenCut = (cut: Cut, { filters, groupBy }: CutQuestion): boolean => {
  const filtered = filterMask(filters);
  if (filtered !== 0 && (cut.all & filtered) !== 0) {
    return (cut.known & filtered) !== 0 && (cut.earlier & filtered) === 0;
  }
  const grouped = groupBy ? maskOf([groupBy]) : 0;
  return (cut.all & grouped) !== 0 ? (cut.known & grouped) !== 0 : cut.earlier === 0;
};

export interface CutQuestion {
  readonly filters: ReportFilters;
  readonly groupBy?: AccountDimension | undefined;
}

const filterMask = (filters: ReportFilters): number => maskOf(Object.keys(filters));

/** The same as SQL, with the columns `known`, `earlier` and `all_known`. */
export function chosenCutSql({ filters, groupBy }: CutQuestion, bitAnd: (a: string, b: string) => string): string {
  const has = (column: string, mask: number): string => `${bitAnd(column, String(mask))} <> 0`;
  const filtered = filterMask(filters);
  const grouped = groupBy ? maskOf([groupBy]) : 0;
  const unfiltered =
    grouped === 0
      ? "earlier = 0"
      : `(${has("known", grouped)} or (earlier = 0 and not (${has("all_known", grouped)})))`;
  if (filtered === 0) return unfiltered;
  const first = `${has("known", filtered)} and not (${has("earlier", filtered)})`;
  return `((${first}) or (not (${has("all_known", filtered)}) and ${unfiltered}))`;
}

const COUNT_MAX = 2 ** 32 - 1;
const AT_MS_MAX = 253_402_300_799_999;
// What separates fields and lines where counts are handed to an engine.
const SEPARATORS = /[\t\n\r\0]/;
const VISITOR = /^[0-9a-f]{16}$/;

/** Throws `BadCounts` if an engine couldn't store one of them as it is. */
export function checkCounts({ counts, visitors, no }: CountBatch, texts: readonly ClickText[]): void {
  if (!isCount(no) || no === 0) throw new BadCounts(`${no} is not the number of a batch`);
  for (const count of counts) {
    const { link_no, at_ms, clicks, visitor, cut } = count;
    if (!isCount(link_no) || link_no === 0) throw new BadCounts(`${link_no} is not a link's number`);
    const isMoment = Number.isSafeInteger(at_ms) && at_ms >= 0 && at_ms <= AT_MS_MAX && at_ms % SLOT_MS === 0;
    if (!isMoment) throw new BadCounts(`${at_ms} is not the start of a quarter of an hour`);
    if (!isCount(clicks) || clicks === 0) throw new BadCounts(`${clicks} is not a number of clicks`);
    if (visitor != null && !VISITOR.test(visitor)) throw new BadCounts("a visitor isn't sixteen hexadecimal digits");
    if (visitor !== undefined && (cut.all !== 0 || !count.has_hour)) throw new BadCounts("visitors have one cut");
    const bad = texts.find((name) => SEPARATORS.test(count[name]));
    if (bad !== undefined) throw new BadCounts(`a ${bad} contains a control character`);
  }
  for (const { linkNo, day, clicks, visitors: distinct } of visitors) {
    if (![linkNo, day, clicks, distinct].every(isCount)) throw new BadCounts("a number of visitors is out of range");
  }
}

const isCount = (value: number): boolean => Number.isInteger(value) && value >= 0 && value <= COUNT_MAX;
