import { z } from "zod";
import type { CountedDimension } from "#engines/clicks/click-counts.ts";
import { type ImportItem, type ReadContext, SourceProblem } from "#imports/import-source.ts";
import { countedWords, valuesOfLocation, withoutUnknown } from "./counted-values.ts";
import type { DateRange } from "./date-ranges.ts";
import { dubRanges } from "./dub-ranges.ts";
import type { Service } from "./service-client.ts";
import { isWanted } from "./source-times.ts";
import { type SingleVisit, VisitCounts } from "./visit-counts.ts";

const PAGE_EVENTS = 1000;
const RANGE_DAYS = 30;
const DIMENSIONS: readonly CountedDimension[] = [
  ...(["country", "region", "city", "device", "browser", "os", "referrer", "source"] as const),
  ...(["utm_source", "utm_medium", "utm_campaign", "utm_term", "utm_content"] as const),
];

const Text = z.string().nullish();
const ClickEvent = z.object({
  timestamp: z.string(),
  link: z.object({ id: z.string() }),
  click: z.object({
    url: Text,
    country: Text,
    region: Text,
    city: Text,
    device: Text,
    browser: Text,
    os: Text,
    referer: Text,
    qr: z.boolean().nullish(),
    trigger: Text,
  }),
});
const Events = z.array(ClickEvent);
const Count = z.object({ clicks: z.coerce.number() });

interface Wanted {
  readonly fromMs: number;
  readonly linkIds: ReadonlySet<string>;
}

/** Every click of the workspace since then, added up: the only way that tells which country had which browser. */
export async function* readEvents(
  context: ReadContext,
  service: Service,
  { fromMs, linkIds }: Wanted,
): AsyncGenerator<ImportItem> {
  const visits = new VisitCounts(DIMENSIONS);
  for (const range of dubRanges(context, fromMs, RANGE_DAYS)) {
    for await (const visit of visitsIn(service, range)) {
      if (!linkIds.has(visit.sourceId) || !isWanted(context, visit.atMs)) continue;
      for (const counts of visits.add(visit)) yield { type: "counts", counts };
    }
  }
  for (const counts of visits.end()) yield { type: "counts", counts };
}

async function* visitsIn(service: Service, range: DateRange): AsyncGenerator<SingleVisit> {
  const query = { event: "clicks", timezone: "UTC", ...range };
  const count = Count.safeParse(await service.get("/analytics", { ...query, groupBy: "count" }));
  if (!count.success) throw new SourceProblem("Dub's analytics aren't as its API describes them.");
  // Clicks of deleted links are left out of their page, so a short page needn't be the last.
  const pages = Math.ceil(count.data.clicks / PAGE_EVENTS);
  for (let page = 1; page <= pages; page += 1) {
    // The oldest first, so that a new one doesn't move others to the next page.
    const answer = await service.get("/events", { ...query, sortOrder: "asc", limit: PAGE_EVENTS, page });
    const events = Events.safeParse(answer);
    if (!events.success) throw new SourceProblem("Dub's events aren't as its API describes them.");
    yield* events.data.map(visitOf);
  }
}

function visitOf({ timestamp, link, click }: z.output<typeof ClickEvent>): SingleVisit {
  const values = withoutUnknown({
    ...valuesOfLocation(click.url ?? ""),
    country: countedWords.country(click.country ?? ""),
    region: knownPlace(click.region),
    city: knownPlace(click.city),
    device: countedWords.device(click.device ?? ""),
    browser: countedWords.browser(click.browser ?? ""),
    os: countedWords.os(click.os ?? ""),
    referrer: countedWords.referrer(click.referer ?? ""),
    source: click.qr || click.trigger === "qr" ? "qr" : "link",
  });
  return { sourceId: link.id, atMs: Date.parse(timestamp), bot: false, values };
}

const knownPlace = (text: string | null | undefined): string =>
  text === "Unknown" ? "" : countedWords.plain(text ?? "");
