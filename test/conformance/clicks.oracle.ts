import type { CountedMoment } from "#clicks/imported/counted-moment.ts";
import type { AccountDimension } from "#contract/analytics.ts";
import type { DayVisitors } from "#engines/clicks/click-counts.ts";
import { type ClickText, clickTexts, flagsOf, type TextGroup, textGroups } from "#engines/clicks/click-format.ts";
import type {
  Breakdown,
  ClickPart,
  DailyClicks,
  DailyRequest,
  LinkNumber,
  Report,
  ReportFilters,
  ReportRequest,
  Totals,
  UtcOffset,
} from "#engines/clicks/clicks-engine.ts";

export type TestClick = {
  readonly at_ms: number;
  readonly account_no: number;
  readonly link_no: number;
  readonly bot: boolean;
  readonly source: "link" | "qr";
  /** Sixteen hexadecimal digits. */
  readonly visitor: string | null;
} & { readonly [T in ClickText]: string | null };

const DAY_MS = 86_400_000;

/** Clicks as one part of a batch, with text numbers of its own. */
export function partOf(clicks: readonly TestClick[], segment: string, toOffset: number): ClickPart {
  const numbers = new Map<string, number>();
  const texts: string[] = [];
  const numberOf = (group: TextGroup, click: TestClick): number => {
    const values = group.texts.map(({ name }) => click[name] ?? "").join("\t");
    const key = `${group.name} ${values}`;
    const no = numbers.get(key) ?? texts.push(values) - 1;
    numbers.set(key, no);
    return no;
  };
  const lines = clicks.map(
    (click) =>
      `${[
        ...[click.at_ms, click.account_no, click.link_no, flagsOf(click), click.visitor ?? ""],
        ...textGroups.map((group) => numberOf(group, click)),
      ].join("\t")}\n`,
  );
  return { segment, toOffset, lines: Buffer.from(lines.join("")), count: clicks.length, textsOf: (no) => texts[no] };
}

type Key = string | number | null;

/** What another service says about a link's clicks in one moment. */
export interface TestMoment extends CountedMoment {
  readonly accountNo: number;
}

/** Counts by visitor: `clicks` times the same click. */
export type TestVisit = TestClick & { readonly clicks: number };

export interface TestDayVisitors extends DayVisitors {
  readonly accountNo: number;
}

/** A click, or a number of them. */
type Item = TestClick & {
  readonly clicks: number;
  readonly kind: "click" | "visit" | "count";
  readonly hasHour: boolean;
};

/** Reports computed with plain loops over arrays of clicks and counts. */
export class ClicksOracle {
  clicks: TestClick[] = [];
  moments: TestMoment[] = [];
  visits: TestVisit[] = [];
  dayVisitors: TestDayVisitors[] = [];
  readonly tags = new Map<string, readonly string[]>();
  /** Clicks before this day have lost their visitors. */
  compactedUntilDay = 0;

  eraseLink({ accountNo, linkNo }: LinkNumber): void {
    const remains = (click: TestClick): boolean => click.account_no !== accountNo || click.link_no !== linkNo;
    this.clicks = this.clicks.filter(remains);
    this.visits = this.visits.filter(remains);
    const isOther = (of: LinkNumber): boolean => of.accountNo !== accountNo || of.linkNo !== linkNo;
    this.moments = this.moments.filter(isOther);
    this.dayVisitors = this.dayVisitors.filter(isOther);
    this.tags.delete(tagKey(accountNo, linkNo));
  }

  report(request: ReportRequest): Report {
    const { fromMs, toMs, filters } = request;
    const isFiltered = Object.keys(filters).length > 0;
    const chosenFor = (groupBy?: AccountDimension): Item[] =>
      this.#items(request, groupBy).filter((item) => this.#passes(item, request));
    const [chosen, chosenScans] = [chosenFor(), chosenFor("source")];
    const visitorsOf = (part: readonly Item[], linkNo: number | null | undefined): number | null =>
      this.#visitors(part, isFiltered || linkNo === undefined ? null : { ...request, linkNo });

    const totalsOf = (from: number, to: number): Totals => {
      const counted = within(chosen, from, to).filter((item) => isCounted(item, request));
      const scans = within(chosenScans, from, to).filter((item) => isCounted(item, request));
      return {
        clicks: sumOf(counted),
        uniqueVisitors: visitorsOf(counted, request.linkNo),
        qrScans: sumOf(scans.filter(({ source }) => source === "qr")),
        botHits: sumOf(within(chosen, from, to).filter(({ bot }) => bot)),
      };
    };
    const series = request.bucketStartsMs.map((start, index): Totals => {
      const end = request.bucketStartsMs[index + 1] ?? toMs;
      return totalsOf(Math.max(start, fromMs), Math.min(end, toMs));
    });
    const breakdowns = request.groupBy.map((dimension): [AccountDimension, Breakdown] => {
      const groups = new Map<Key, Item[]>();
      for (const item of within(chosenFor(dimension), fromMs, toMs)) {
        if (!isCounted(item, request)) continue;
        for (const key of this.#keysOf(item, dimension)) {
          const group = groups.get(key);
          if (group) group.push(item);
          else groups.set(key, [item]);
        }
      }
      const items = [...groups].map(([key, part]) => ({
        key,
        clicks: sumOf(part),
        uniqueVisitors: request.breakdownVisitors
          ? visitorsOf(part, dimension === "link" ? Number(key) : undefined)
          : null,
      }));
      items.sort((a, b) => b.clicks - a.clicks || compareKeys(a.key, b.key));
      const shown = items.slice(0, request.limit);
      return [dimension, { items: shown, otherClicks: sumOf(items.slice(request.limit)) }];
    });
    const counted = within(chosen, fromMs, toMs).filter((item) => isCounted(item, request));
    return {
      totals: totalsOf(fromMs, toMs),
      series,
      breakdowns: new Map(breakdowns),
      previous: request.previous && totalsOf(request.previous.fromMs, request.previous.toMs),
      ...(request.weekOffsets && { weekHours: countWeekHours(counted, request.weekOffsets) }),
    };
  }

  /** All clicks of a scope, with each moment's counts as a report would see them. */
  #items({ accountNo, linkNo, filters }: ReportScope, groupBy?: AccountDimension): Item[] {
    const isIn = (account: number, link: number): boolean =>
      account === accountNo && (linkNo === null || link === linkNo);
    const isOfScope = (of: TestClick): boolean => isIn(of.account_no, of.link_no);
    return [
      ...this.clicks.filter(isOfScope).map((click): Item => ({ ...click, clicks: 1, kind: "click", hasHour: true })),
      ...this.visits.filter(isOfScope).map((visit): Item => ({ ...visit, kind: "visit", hasHour: true })),
      ...this.moments
        .filter((moment) => isIn(moment.accountNo, moment.linkNo))
        .flatMap((moment) => itemsOf(moment, filters, groupBy)),
    ];
  }

  /** Without their visitors, in no order. */
  listClicks(request: Pick<ReportRequest, "accountNo" | "linkNo" | "filters" | "includeBots" | "fromMs" | "toMs">) {
    const clicks = within(this.#items(request), request.fromMs, request.toMs);
    return clicks
      .filter((item) => item.kind === "click" && isCounted(item, request) && this.#passes(item, request))
      .map(({ account_no: _, visitor: __, clicks: ___, kind: ____, hasHour: _____, ...click }) => ({
        ...click,
        ...Object.fromEntries(clickTexts.map((name) => [name, click[name] ?? ""])),
      }));
  }

  dailyClicks({ accountNo, linkNumbers, fromDay, toDay }: DailyRequest): DailyClicks[] {
    const counts = new Map<string, DailyClicks>();
    for (const { link_no: linkNo, at_ms, bot, clicks } of this.#items({ accountNo, linkNo: null, filters: {} })) {
      const day = Math.floor(at_ms / DAY_MS);
      if (bot || !linkNumbers.includes(linkNo) || day < fromDay || day >= toDay) continue;
      const key = `${linkNo} ${day}`;
      counts.set(key, { linkNo, day, clicks: (counts.get(key)?.clicks ?? 0) + clicks });
    }
    return [...counts.values()];
  }

  #keysOf(click: TestClick, dimension: AccountDimension): readonly Key[] {
    if (dimension === "link") return [click.link_no];
    if (dimension !== "tag") return [click[dimension]];
    const tags = this.#tagsOf(click);
    return tags.length > 0 ? tags : [null];
  }

  #tagsOf = ({ account_no, link_no }: TestClick): readonly string[] => this.tags.get(tagKey(account_no, link_no)) ?? [];

  #passes(click: TestClick, { filters }: Pick<ReportRequest, "filters">): boolean {
    const { link, tag } = filters;
    if (link && !link.includes(click.link_no)) return false;
    const tags = this.#tagsOf(click);
    const hasTag = (wanted: string | null): boolean => (wanted === null ? tags.length === 0 : tags.includes(wanted));
    if (tag && !(filters.allTags ? tag.every(hasTag) : tag.some(hasTag))) return false;
    return [...clickTexts, "source" as const].every((column) => filters[column]?.includes(click[column]) ?? true);
  }

  /**
   * For days stored as counts only the total number of visitors is known, if at all, so only if `part` has all clicks of
   * the day. Without a scope it can't have all of them.
   */
  #visitors(part: readonly Item[], scope: (ReportScope & { readonly includeBots: boolean }) | null): number | null {
    let sum = 0;
    for (const day of new Set(part.map(dayOf))) {
      const ofDay = part.filter((item) => dayOf(item) === day);
      const isCount = ({ kind }: Item): boolean => kind === "count" || day < this.compactedUntilDay;
      for (const kind of ["click", "visit"] as const)
        sum += distinct(ofDay.filter((item) => item.kind === kind && !isCount(item)));
      const counts = ofDay.filter(isCount);
      if (counts.length === 0) continue;
      const known = scope && this.#knownVisitors(day, scope);
      if (known?.clicks !== sumOf(counts)) return null;
      sum += known.visitors;
    }
    return sum;
  }

  /** What is known about the visitors of a day whose clicks are counts. */
  #knownVisitors(day: number, scope: ReportScope & { readonly includeBots: boolean }) {
    const known = { clicks: 0, visitors: 0 };
    const add = (clicks: number, visitors: number): void => {
      known.clicks += clicks;
      known.visitors += visitors;
    };
    if (day < this.compactedUntilDay) {
      const whole = this.#items({ ...scope, filters: {} }).filter(
        (item) => dayOf(item) === day && (scope.includeBots || !item.bot),
      );
      for (const kind of ["click", "visit"] as const) {
        const ofKind = whole.filter((item) => item.kind === kind);
        add(sumOf(ofKind), distinct(ofKind));
      }
    }
    for (const of of this.dayVisitors) {
      const isIt = of.accountNo === scope.accountNo && of.linkNo === (scope.linkNo ?? 0) && of.day === day;
      if (isIt && of.withBots === scope.includeBots) add(of.clicks, of.visitors);
    }
    return known;
  }
}

type ReportScope = Pick<ReportRequest, "accountNo" | "linkNo" | "filters">;

const distinct = (items: readonly Item[]): number => new Set(items.flatMap(({ visitor }) => visitor ?? [])).size;

const sumOf = (items: readonly { readonly clicks: number }[]): number =>
  items.reduce((sum, { clicks }) => sum + clicks, 0);

/**
 * The counts of a moment in one of its cuts: the first that knows something that is filtered by, else what is grouped by,
 * else the first. What the cut doesn't know is unknown.
 */
function itemsOf(moment: TestMoment, filters: ReportFilters, groupBy?: AccountDimension): Item[] {
  const { accountNo, linkNo, atMs, hasHour, bot, domain } = moment;
  const cuts = moment.cuts.map(({ dimensions, counts }) => ({ dimensions: dimensions as readonly string[], counts }));
  const cut =
    cuts.find(({ dimensions }) => dimensions.some((name) => name in filters)) ??
    cuts.find(({ dimensions }) => dimensions.some((name) => name === groupBy)) ??
    cuts[0];
  const total = Math.max(moment.clicks, ...cuts.map(({ counts }) => sumOf(counts)));
  const rest = total - sumOf(cut?.counts ?? []);
  const nothing = Object.fromEntries(clickTexts.map((name) => [name, null])) as Record<ClickText, null>;
  return [...(cut?.counts ?? []), { values: {}, clicks: rest }]
    .filter(({ clicks }) => clicks > 0)
    .map(({ values, clicks }) => ({
      ...nothing,
      ...values,
      ...{ domain: domain === "" ? null : domain, source: values.source === "qr" ? "qr" : "link" },
      ...{ account_no: accountNo, link_no: linkNo, at_ms: atMs, bot, visitor: null, clicks, kind: "count", hasHour },
    }));
}

export const tagKey = (accountNo: number, linkNo: number): string => `${accountNo}/${linkNo}`;

function countWeekHours(items: readonly Item[], offsets: readonly UtcOffset[]): number[] {
  const hours = Array.from({ length: 168 }, () => 0);
  for (const { at_ms, clicks, hasHour } of items) {
    if (!hasHour) continue;
    const local = new Date(at_ms + (offsets.findLast(({ fromMs }) => fromMs <= at_ms)?.offsetMs ?? 0));
    const hour = ((local.getUTCDay() + 6) % 7) * 24 + local.getUTCHours();
    hours[hour] = (hours[hour] ?? 0) + clicks;
  }
  return hours;
}

const dayOf = ({ at_ms }: TestClick): number => Math.floor(at_ms / DAY_MS);

const isCounted = ({ bot }: TestClick, { includeBots }: Pick<ReportRequest, "includeBots">): boolean =>
  includeBots || !bot;

const within = (items: readonly Item[], fromMs: number, toMs: number): readonly Item[] =>
  items.filter(({ at_ms }) => at_ms >= fromMs && at_ms < toMs);

function compareKeys(a: Key, b: Key): number {
  if (a === b) return 0;
  if (a === null) return 1;
  if (b === null) return -1;
  return a < b ? -1 : 1;
}
