import type { AccountDimension } from "#contract/analytics.ts";
import { type ClickText, clickTexts, flagsOf, type TextGroup, textGroups } from "#engines/clicks/click-format.ts";
import type {
  Breakdown,
  ClickPart,
  DailyClicks,
  DailyRequest,
  LinkNumber,
  Report,
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

/** Reports computed with plain loops over an array of clicks. */
export class ClicksOracle {
  clicks: TestClick[] = [];
  readonly tags = new Map<string, readonly string[]>();
  /** Clicks before this day have lost their visitors. */
  compactedUntilDay = 0;

  eraseLink({ accountNo, linkNo }: LinkNumber): void {
    this.clicks = this.clicks.filter((click) => click.account_no !== accountNo || click.link_no !== linkNo);
    this.tags.delete(tagKey(accountNo, linkNo));
  }

  report(request: ReportRequest): Report {
    const inScope = this.clicks.filter(
      (click) =>
        click.account_no === request.accountNo && (request.linkNo === null || click.link_no === request.linkNo),
    );
    const chosen = inScope.filter((click) => this.#passes(click, request));
    const isFiltered = Object.keys(request.filters).length > 0;
    const visitorsOf = (part: readonly TestClick[], whole: readonly TestClick[] | null) =>
      this.#visitors(part, isFiltered || !whole ? null : whole.filter((click) => isCounted(click, request)));
    const inRange = within(chosen, request.fromMs, request.toMs);

    const totalsOf = (clicks: readonly TestClick[]): Totals => {
      const counted = clicks.filter((click) => isCounted(click, request));
      return {
        clicks: counted.length,
        uniqueVisitors: visitorsOf(counted, inScope),
        qrScans: counted.filter(({ source }) => source === "qr").length,
        botHits: clicks.filter(({ bot }) => bot).length,
      };
    };
    const series = request.bucketStartsMs.map((start, index): Totals => {
      const end = request.bucketStartsMs[index + 1] ?? request.toMs;
      return totalsOf(within(inRange, start, end));
    });
    const counted = inRange.filter((click) => isCounted(click, request));
    const breakdowns = request.groupBy.map((dimension): [AccountDimension, Breakdown] => {
      const groups = new Map<Key, TestClick[]>();
      for (const click of counted) {
        for (const key of this.#keysOf(click, dimension)) groups.set(key, [...(groups.get(key) ?? []), click]);
      }
      const items = [...groups].map(([key, clicks]) => ({
        key,
        clicks: clicks.length,
        uniqueVisitors: request.breakdownVisitors
          ? visitorsOf(clicks, dimension === "link" ? inScope.filter(({ link_no }) => link_no === key) : null)
          : null,
      }));
      items.sort((a, b) => b.clicks - a.clicks || compareKeys(a.key, b.key));
      const shown = items.slice(0, request.limit);
      return [
        dimension,
        { items: shown, otherClicks: items.slice(request.limit).reduce((sum, { clicks }) => sum + clicks, 0) },
      ];
    });
    return {
      totals: totalsOf(inRange),
      series,
      breakdowns: new Map(breakdowns),
      previous: request.previous && totalsOf(within(chosen, request.previous.fromMs, request.previous.toMs)),
      ...(request.weekOffsets && { weekHours: countWeekHours(counted, request.weekOffsets) }),
    };
  }

  dailyClicks({ accountNo, linkNumbers, fromDay, toDay }: DailyRequest): DailyClicks[] {
    const counts = new Map<string, DailyClicks>();
    for (const { account_no, link_no: linkNo, at_ms, bot } of this.clicks) {
      const day = Math.floor(at_ms / DAY_MS);
      if (bot || account_no !== accountNo || !linkNumbers.includes(linkNo) || day < fromDay || day >= toDay) continue;
      const key = `${linkNo} ${day}`;
      counts.set(key, { linkNo, day, clicks: (counts.get(key)?.clicks ?? 0) + 1 });
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

  #passes(click: TestClick, { filters }: ReportRequest): boolean {
    const { link, tag } = filters;
    if (link && !link.includes(click.link_no)) return false;
    const tags = this.#tagsOf(click);
    if (tag && !tag.some((wanted) => (wanted === null ? tags.length === 0 : tags.includes(wanted)))) return false;
    return [...clickTexts, "source" as const].every((column) => filters[column]?.includes(click[column]) ?? true);
  }

  /** For compacted days only the total number of visitors is known, so only if `part` has all clicks of the day. */
  #visitors(part: readonly TestClick[], whole: readonly TestClick[] | null): number | null {
    let sum = 0;
    for (const day of new Set(part.map(dayOf))) {
      const ofDay = part.filter((click) => dayOf(click) === day);
      const isWhole = whole?.filter((click) => dayOf(click) === day).length === ofDay.length;
      if (day < this.compactedUntilDay && !isWhole) return null;
      sum += new Set(ofDay.flatMap(({ visitor }) => visitor ?? [])).size;
    }
    return sum;
  }
}

export const tagKey = (accountNo: number, linkNo: number): string => `${accountNo}/${linkNo}`;

function countWeekHours(clicks: readonly TestClick[], offsets: readonly UtcOffset[]): number[] {
  const hours = Array.from({ length: 168 }, () => 0);
  for (const { at_ms } of clicks) {
    const local = new Date(at_ms + (offsets.findLast(({ fromMs }) => fromMs <= at_ms)?.offsetMs ?? 0));
    const hour = ((local.getUTCDay() + 6) % 7) * 24 + local.getUTCHours();
    hours[hour] = (hours[hour] ?? 0) + 1;
  }
  return hours;
}

const dayOf = ({ at_ms }: TestClick): number => Math.floor(at_ms / DAY_MS);

const isCounted = ({ bot }: TestClick, { includeBots }: ReportRequest): boolean => includeBots || !bot;

const within = (clicks: readonly TestClick[], fromMs: number, toMs: number): readonly TestClick[] =>
  clicks.filter(({ at_ms }) => at_ms >= fromMs && at_ms < toMs);

function compareKeys(a: Key, b: Key): number {
  if (a === b) return 0;
  if (a === null) return 1;
  if (b === null) return -1;
  return a < b ? -1 : 1;
}
