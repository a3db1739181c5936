import { z } from "zod";
import type { CountedCut } from "#clicks/imported/counted-moment.ts";
import { type ImportedCounts, type ReadContext, SourceProblem } from "#imports/import-source.ts";
import { cutBy } from "./counted-values.ts";
import type { Query, Service } from "./service-client.ts";
import { ServiceRefusal } from "./service-refusal.ts";
import { isWanted, momentOfDate } from "./source-times.ts";

/** Two requests for each: plans have a limit per month. */
const DETAILED_DAYS_MAX = 10;

const facets = [
  { name: "country", path: "countries" },
  { name: "referrer", path: "referring_domains" },
] as const;

const Clicks = z.object({ link_clicks: z.array(z.object({ date: z.string(), clicks: z.number().int().min(0) })) });
const Metrics = z.object({ metrics: z.array(z.object({ value: z.string(), clicks: z.number().int().min(0) })) });

interface Days {
  readonly counts: readonly ImportedCounts[];
  readonly losses: readonly string[];
}

/** A link's clicks by day; of its busiest days, also by country and by referrer. */
export function readDays(context: ReadContext, service: Service): (id: string) => Promise<Days> {
  const allowed = new Set<string>(["clicks", ...facets.map(({ path }) => path)]);

  /** `null` from the first time on that the plan doesn't have it. */
  async function ask(id: string, what: string, query: Query): Promise<unknown> {
    if (!allowed.has(what)) return null;
    try {
      return await service.get(`/v4/bitlinks/${id.split("/").map(encodeURIComponent).join("/")}/${what}`, query);
    } catch (error) {
      if (!(error instanceof ServiceRefusal) || (error.status !== 402 && error.status !== 403)) throw error;
      allowed.delete(what);
      return null;
    }
  }

  async function cutsOf(id: string, { date, clicks }: { readonly date: string; readonly clicks: number }) {
    const cuts: CountedCut[] = [];
    for (const { name, path } of facets) {
      const query = { unit: "day", units: 1, unit_reference: `${date.slice(0, 10)}T23:59:59+0000` };
      const metrics = Metrics.safeParse(await ask(id, path, query));
      const parts = metrics.success ? metrics.data.metrics : [];
      cuts.push(
        ...cutBy(
          name,
          parts.map((part) => [part.value, part.clicks] as const),
          clicks,
        ),
      );
    }
    return cuts;
  }

  return async (id) => {
    if (!context.withClicks) return { counts: [], losses: [] };
    const answer = await ask(id, "clicks", { unit: "day", units: -1 });
    if (answer === null)
      return { counts: [], losses: ["Clicks aren't carried over: your Bitly plan doesn't have them in its API"] };
    const clicks = Clicks.safeParse(answer);
    if (!clicks.success) throw new SourceProblem("A link's clicks aren't as Bitly's API describes them.");
    const days = clicks.data.link_clicks.filter((day) => day.clicks > 0);
    const busiest = new Set(days.toSorted((one, other) => other.clicks - one.clicks).slice(0, DETAILED_DAYS_MAX));
    const counts: ImportedCounts[] = [];
    for (const day of days) {
      const atMs = momentOfDate(day.date);
      if (atMs === null || !isWanted(context, atMs)) continue;
      const cuts = busiest.has(day) ? await cutsOf(id, day) : [];
      counts.push({ sourceId: id, atMs, hasHour: false, bot: false, clicks: day.clicks, cuts });
    }
    return { counts, losses: [] };
  };
}
