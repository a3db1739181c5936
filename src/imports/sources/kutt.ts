import { z } from "zod";
import { momentOfDay } from "#engines/clicks/click-counts.ts";
import { DAY_MS, dayOf } from "#engines/clicks/slots.ts";
import {
  type ImportedCounts,
  type ImportItem,
  type ImportSource,
  type ReadContext,
  SourceProblem,
} from "#imports/import-source.ts";
import { readKuttDump } from "./kutt-dump.ts";
import { toLink, whereOf } from "./kutt-link.ts";
import { type Service, serviceClient } from "./service-client.ts";
import { nullIfGone } from "./service-refusal.ts";
import { isWanted, momentIn, zoneOf } from "./source-times.ts";

/** Kutt, by its API (clicks of the last 30 days) or from a dump of its database (all of them, with their dimensions). */
export const kuttSource: ImportSource = {
  title: "Kutt",
  needsToken: true,
  place: "either",
  read: (context) => (context.file === null ? readApi(context) : readKuttDump(context, context.file)),
};

const PAGE_LINKS = 50;

const Link = z.object({
  id: z.string(),
  address: z.string(),
  target: z.string(),
  link: z.string(),
  description: z.string().nullish(),
  banned: z.boolean().default(false),
  password: z.boolean().default(false),
  expire_in: z.string().nullish(),
  created_at: z.string().nullish(),
  visit_count: z.number().int().min(0).default(0),
});

const Page = z.object({ total: z.number(), data: z.array(z.unknown()) });
const Stats = z.object({ lastMonth: z.object({ views: z.array(z.number().int().min(0)) }) });

async function* readApi(context: ReadContext): AsyncGenerator<ImportItem> {
  const url = context.url.replace(/\/api(?:\/v2)?\/?$/, "");
  const headers = { "X-API-KEY": context.token };
  const service = serviceClient({ ...context, url }, { name: "Kutt", headers, requestsPerSecond: 5 });
  const seen = new Set<string>();
  for (let skip = 0; ; skip += PAGE_LINKS) {
    const page = Page.safeParse(await service.get("/api/v2/links", { limit: PAGE_LINKS, skip }));
    if (!page.success) throw new SourceProblem("Kutt didn't answer with its list of links. Check the URL.");
    const { data, total } = page.data;
    for (const [index, value] of data.entries()) {
      const link = Link.safeParse(value);
      if (!link.success) {
        yield { type: "unreadable", where: `link ${skip + index + 1}`, why: "It has no address or no target." };
      } else if (!seen.has(link.data.id)) {
        seen.add(link.data.id);
        yield* readLink(context, service, link.data);
      }
    }
    if (skip + data.length >= total || data.length === 0) return;
  }
}

async function* readLink(
  context: ReadContext,
  service: Service,
  link: z.output<typeof Link>,
): AsyncGenerator<ImportItem> {
  const { id, address, visit_count: visitCount } = link;
  const zone = zoneOf(context);
  const host = URL.parse(link.link)?.hostname ?? "";
  const counts = visitCount > 0 && context.withClicks ? await lastMonthOf(service, id) : [];
  const dated = counts.reduce((sum, { clicks }) => sum + clicks, 0);
  const facts = {
    sourceId: id,
    slug: address,
    host,
    target: link.target,
    description: link.description ?? null,
    isBanned: link.banned,
    hadPassword: link.password,
    expiresAt: momentIn(link.expire_in, zone),
    createdAt: momentIn(link.created_at, zone),
    undatedClicks: context.withClicks ? visitCount - dated : 0,
  };
  yield { type: "link", link: toLink(facts) };
  const where = whereOf(host, address);
  for (const one of counts) if (isWanted(context, one.atMs)) yield { type: "counts", counts: { ...one, where } };
}

/** Of windows of 24 hours before now, each counted on the day that it has most of. */
async function lastMonthOf(service: Service, id: string): Promise<ImportedCounts[]> {
  const answer = await nullIfGone(service.get(`/api/v2/links/${encodeURIComponent(id)}/stats`));
  if (answer === null) return [];
  const stats = Stats.safeParse(answer);
  if (!stats.success) throw new SourceProblem("Kutt didn't answer with a link's statistics.");
  const { views } = stats.data.lastMonth;
  const now = Date.now();
  return views.flatMap((clicks, index): ImportedCounts[] => {
    if (clicks === 0) return [];
    const middle = now - (views.length - index) * DAY_MS + DAY_MS / 2;
    return [{ sourceId: id, atMs: momentOfDay(dayOf(middle)), hasHour: false, bot: false, clicks, cuts: [] }];
  });
}
