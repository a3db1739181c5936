import { dimensionsOf } from "#clicks/imported/counted-moment.ts";
import type { ArchivedCount, ArchivedVisitors } from "#contract/account-archive.ts";
import { type ClickCount, type CountChunk, type DayVisitors, maskOf } from "#engines/clicks/click-counts.ts";
import { type ClickText, clickTexts } from "#engines/clicks/click-format.ts";
import { DAY_MS } from "#engines/clicks/slots.ts";
import { toTimestamp } from "#kernel/clock.ts";

/** The domain follows from the link. */
type ArchivedText = Exclude<ClickText, "domain">;
const archivedTexts = clickTexts.filter((name): name is ArchivedText => name !== "domain");

/** Without what is false, unknown or the usual. */
export function toArchivedCount(count: ClickCount, link: string): ArchivedCount {
  const { at_ms, has_hour, bot, source, clicks, visitor, cut } = count;
  const archived: Record<string, unknown> = { link, at: toTimestamp(at_ms), clicks };
  if (!has_hour) archived.whole_day = true;
  if (bot) archived.bot = true;
  if (source === "qr") archived.source = source;
  if (visitor !== undefined) archived.visitor = visitor;
  for (const name of archivedTexts) if (count[name] !== "") archived[name] = count[name];
  if (cut.all !== 0) {
    const { known, earlier, all } = cut;
    archived.cut = { known: dimensionsOf(known), earlier: dimensionsOf(earlier), all: dimensionsOf(all) };
  }
  return archived as ArchivedCount;
}

export interface LinkPlace {
  readonly no: number;
  /** The link's own domain; empty on the instance's. */
  readonly domain: string;
}

export function toClickCount(archived: ArchivedCount, { no, domain }: LinkPlace): ClickCount {
  const { at, clicks, visitor, cut } = archived;
  const texts = Object.fromEntries(archivedTexts.map((name) => [name, archived[name] ?? ""]));
  return {
    ...(texts as Record<ArchivedText, string>),
    domain,
    link_no: no,
    at_ms: Date.parse(at),
    has_hour: archived.whole_day !== true,
    bot: archived.bot === true,
    source: archived.source ?? "link",
    clicks,
    cut: { known: maskOf(cut?.known ?? []), earlier: maskOf(cut?.earlier ?? []), all: maskOf(cut?.all ?? []) },
    ...(visitor !== undefined && { visitor }),
  };
}

const toArchivedVisitors = (
  { day, withBots, clicks, visitors }: DayVisitors,
  link: string | null,
): ArchivedVisitors => ({ link, day: dateOf(day), with_bots: withBots, clicks, visitors });

export const toDayVisitors = ({ day, with_bots, clicks, visitors }: ArchivedVisitors, linkNo: number): DayVisitors => ({
  linkNo,
  day: Date.parse(day) / DAY_MS,
  withBots: with_bots,
  clicks,
  visitors,
});

const dateOf = (day: number): string => new Date(day * DAY_MS).toISOString().slice(0, 10);

type IdsOf = (numbers: Iterable<number>) => Promise<ReadonlyMap<number, string>>;

/** Of the links that have an id, and of the account as a whole. */
export async function* archivedCounts(
  chunks: AsyncIterable<CountChunk>,
  idsOf: IdsOf,
): AsyncGenerator<readonly (ArchivedCount | ArchivedVisitors)[]> {
  for await (const { counts, visitors } of chunks) {
    const ids = await idsOf([...counts.map(({ link_no }) => link_no), ...visitors.map(({ linkNo }) => linkNo)]);
    yield [
      ...counts.flatMap((count) => {
        const id = ids.get(count.link_no);
        return id === undefined ? [] : [toArchivedCount(count, id)];
      }),
      ...visitors.flatMap((ofDay) => {
        const id = ofDay.linkNo === 0 ? null : ids.get(ofDay.linkNo);
        return id === undefined ? [] : [toArchivedVisitors(ofDay, id)];
      }),
    ];
  }
}
