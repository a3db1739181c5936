import { z } from "zod";
import type { CountedDimension } from "#engines/clicks/click-counts.ts";
import { type ImportItem, type ImportSource, type ReadContext, SourceProblem } from "#imports/import-source.ts";
import type { TimeZone } from "#shared/time-zone.ts";
import { countedWords, referrerOf, valuesOfLocation, valuesOfUserAgent, withoutUnknown } from "./counted-values.ts";
import { type Query, type Service, serviceClient } from "./service-client.ts";
import { isGone, nullIfGone } from "./service-refusal.ts";
import { ShlinkLink, toLink } from "./shlink-link.ts";
import { rulesOfDevices } from "./shlink-rules.ts";
import { isoOf, isWanted, momentIn, zoneOf } from "./source-times.ts";
import { type SingleVisit, VisitCounts } from "./visit-counts.ts";

/** Shlink, by its REST API. It keeps single visits, which are added up while they are read. */
export const shlinkSource: ImportSource = { title: "Shlink", needsToken: true, place: "url", read };

const PAGE_LINKS = 100;
const PAGE_VISITS = 1000;
const DIMENSIONS: readonly CountedDimension[] = [
  ...(["country", "region", "city", "device", "browser", "os", "referrer"] as const),
  ...(["utm_source", "utm_medium", "utm_campaign", "utm_term", "utm_content"] as const),
];

const Visit = z.object({
  referer: z.string().nullish(),
  date: z.string(),
  userAgent: z.string().nullish(),
  potentialBot: z.boolean().default(false),
  redirectUrl: z.string().nullish(),
  visitLocation: z
    .object({ countryCode: z.string().nullish(), regionName: z.string().nullish(), cityName: z.string().nullish() })
    .nullish(),
});

const List = z.object({ data: z.array(z.unknown()), pagination: z.object({ pagesCount: z.number() }) });
const Page = z.union([
  z.object({ shortUrls: List }).transform(({ shortUrls }) => shortUrls),
  z.object({ visits: List }).transform(({ visits }) => visits),
]);
const Rules = z.object({ redirectRules: z.array(z.unknown()) });

interface Reading {
  readonly context: ReadContext;
  readonly service: Service;
  readonly zone: TimeZone;
  /** The newest visits come first: without an end, each one while we read would show another one twice. */
  readonly endDate: string;
}

async function* read(context: ReadContext): AsyncGenerator<ImportItem> {
  const url = context.url.replace(/\/rest(?:\/v\d)?\/?$/, "");
  const headers = { "X-Api-Key": context.token };
  const service = serviceClient({ ...context, url }, { name: "Shlink", headers, requestsPerSecond: 5 });
  const reading = { context, service, zone: zoneOf(context), endDate: new Date().toISOString() };
  const query = { itemsPerPage: PAGE_LINKS, orderBy: "shortCode-ASC" };
  const seen = new Set<string>();
  let no = 0;
  for await (const value of itemsOf(service, "/rest/v3/short-urls", query)) {
    no += 1;
    const link = ShlinkLink.safeParse(value);
    // A link that is created meanwhile moves others to the next page, and visits read twice would count twice.
    if (link.success && seen.has(link.data.shortUrl)) continue;
    if (link.success) {
      seen.add(link.data.shortUrl);
      yield* readLink(reading, link.data);
    } else yield { type: "unreadable", where: `short URL ${no}`, why: "It isn't as Shlink's REST API describes it." };
  }
}

/** Those of all pages. */
async function* itemsOf(service: Service, path: string, query: Query): AsyncGenerator<unknown> {
  for (let page = 1; ; page += 1) {
    const answer = Page.safeParse(await service.get(path, { ...query, page }));
    if (!answer.success) throw new SourceProblem("Shlink didn't answer as its REST API does. Check the URL.");
    const { data, pagination } = answer.data;
    yield* data;
    if (page >= pagination.pagesCount || data.length === 0) return;
  }
}

async function* readLink(reading: Reading, link: ShlinkLink): AsyncGenerator<ImportItem> {
  const { context, service, zone, endDate } = reading;
  const path = `/rest/v3/short-urls/${link.shortCode.split("/").map(encodeURIComponent).join("/")}`;
  const domain: Query = link.domain ? { domain: link.domain } : {};
  const imported = toLink(link, await rulesOf(service, link, { path: `${path}/redirect-rules`, domain }), zone);
  yield { type: "link", link: imported };
  if (!context.withClicks || link.visitsSummary.total === 0) return;
  const startDate = isoOf(context.countsFrom);
  const query = { ...domain, ...(startDate && { startDate }), endDate, itemsPerPage: PAGE_VISITS };
  const visits = new VisitCounts(DIMENSIONS);
  for await (const value of untilGone(itemsOf(service, `${path}/visits`, query))) {
    const visit = visitOf(value, imported, zone);
    if (!isWanted(context, visit.atMs)) continue;
    for (const counts of visits.add(visit)) yield { type: "counts", counts };
  }
  for (const counts of visits.end()) yield { type: "counts", counts };
}

async function rulesOf(
  service: Service,
  { hasRedirectRules, deviceLongUrls }: ShlinkLink,
  { path, domain }: { readonly path: string; readonly domain: Query },
): Promise<readonly unknown[]> {
  if (hasRedirectRules === false) return [];
  if (deviceLongUrls) return rulesOfDevices(deviceLongUrls);
  // A version without rules doesn't find them.
  const answer = await nullIfGone(service.get(path, domain));
  if (answer === null) return [];
  const rules = Rules.safeParse(answer);
  if (!rules.success) throw new SourceProblem("Redirect rules aren't as Shlink's REST API describes them.");
  return rules.data.redirectRules;
}

async function* untilGone(items: AsyncGenerator<unknown>): AsyncGenerator<unknown> {
  try {
    yield* items;
  } catch (error) {
    if (!isGone(error)) throw error;
  }
}

function visitOf(
  value: unknown,
  { sourceId, host }: { readonly sourceId: string; readonly host: string },
  zone: TimeZone,
): SingleVisit {
  const visit = Visit.safeParse(value);
  const atMs = visit.success ? momentIn(visit.data.date, zone) : null;
  if (!visit.success || atMs === null) throw new SourceProblem("A visit isn't as Shlink's REST API describes it.");
  const { potentialBot, userAgent, referer, redirectUrl, visitLocation } = visit.data;
  const values = withoutUnknown({
    ...valuesOfUserAgent(userAgent ?? "").values,
    ...valuesOfLocation(redirectUrl ?? ""),
    country: countedWords.country(visitLocation?.countryCode ?? ""),
    region: countedWords.plain(visitLocation?.regionName ?? ""),
    city: countedWords.plain(visitLocation?.cityName ?? ""),
    referrer: referrerOf(referer ?? "", host),
  });
  return { sourceId, atMs, bot: potentialBot, values };
}
