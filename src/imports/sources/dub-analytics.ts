import { z } from "zod";
import type { CountedCut } from "#clicks/imported/counted-moment.ts";
import { type ImportItem, type ReadContext, SourceProblem } from "#imports/import-source.ts";
import { countedWords, cutBy } from "./counted-values.ts";
import type { DateRange } from "./date-ranges.ts";
import type { DubLink } from "./dub-link.ts";
import { dubRanges } from "./dub-ranges.ts";
import type { Query, Service } from "./service-client.ts";
import { isWanted, momentOfDate } from "./source-times.ts";

/** Over more than 180 days, Dub counts by month. */
const RANGE_DAYS = 170;
/** Each costs a request per link: what else there is counts as unknown. */
const VALUES_MAX = 10;

const dimensions = [
  { name: "country", group: "countries", field: "country" },
  { name: "referrer", group: "referers", field: "referer" },
  { name: "device", group: "devices", field: "device" },
  { name: "browser", group: "browsers", field: "browser" },
  { name: "os", group: "os", field: "os" },
  { name: "source", group: "triggers", field: "trigger" },
] as const;
type Dimension = (typeof dimensions)[number];

const Series = z.array(z.object({ start: z.string(), clicks: z.number().int().min(0) }));
const Groups = z.array(z.looseObject({ clicks: z.number().int().min(0) }));

type Day = z.output<typeof Series>[number];
type Part = readonly [value: string, clicks: number];

/** A link's clicks by day, counted once more by each dimension. */
export async function* readAnalytics(
  context: ReadContext,
  service: Service,
  link: DubLink,
): AsyncGenerator<ImportItem> {
  for (const range of dubRanges(context, Date.parse(link.createdAt), RANGE_DAYS)) {
    const asked = askAbout(service, link.id, range);
    const days = await asked.days({});
    if (days.length === 0) continue;
    const parts = new Map<Dimension, ReadonlyMap<string, readonly Part[]>>();
    for (const dimension of dimensions) parts.set(dimension, await partsByDay(asked, dimension, days));
    for (const { start, clicks } of days) {
      const atMs = momentOfDate(start);
      if (atMs === null || !isWanted(context, atMs)) continue;
      const cuts = dimensions.flatMap((one): CountedCut[] => cutBy(one.name, parts.get(one)?.get(start) ?? [], clicks));
      yield { type: "counts", counts: { sourceId: link.id, atMs, hasHour: false, bot: false, clicks, cuts } };
    }
  }
}

interface Asked {
  /** Those with clicks. */
  days(filter: Query): Promise<readonly Day[]>;
  /** The most frequent values of the whole range that reports have a word for. */
  values(dimension: Dimension): Promise<readonly Part[]>;
}

function askAbout(service: Service, linkId: string, range: DateRange): Asked {
  const query = { event: "clicks", timezone: "UTC", linkId, ...range };
  const ask = async <S extends z.ZodType>(schema: S, more: Query): Promise<z.output<S>> => {
    const answer = schema.safeParse(await service.get("/analytics", { ...query, ...more }));
    if (!answer.success) throw new SourceProblem("Dub's analytics aren't as its API describes them.");
    return answer.data;
  };
  return {
    days: async (filter) =>
      (await ask(Series, { groupBy: "timeseries", ...filter })).filter(({ clicks }) => clicks > 0),
    values: async ({ group, field, name }) =>
      (await ask(Groups, { groupBy: group }))
        .map((row): Part => [String(row[field] ?? ""), row.clicks])
        .filter(([value, clicks]) => clicks > 0 && countedWords[name](value) !== "")
        .toSorted(([, one], [, other]) => other - one)
        .slice(0, VALUES_MAX),
  };
}

/** Groups have no days, so each value is asked for by day, unless it can only be one. */
async function partsByDay(
  asked: Asked,
  dimension: Dimension,
  days: readonly Day[],
): Promise<ReadonlyMap<string, readonly Part[]>> {
  const total = days.reduce((sum, { clicks }) => sum + clicks, 0);
  const byDay = new Map<string, Part[]>(days.map(({ start }) => [start, []]));
  for (const [value, clicks] of await asked.values(dimension)) {
    const [only] = days;
    const isOnly = days.length === 1 && only;
    const found = isOnly
      ? [{ ...only, clicks }]
      : clicks === total
        ? days
        : await asked.days({ [dimension.field]: value });
    for (const day of found) byDay.get(day.start)?.push([value, day.clicks]);
  }
  return byDay;
}
