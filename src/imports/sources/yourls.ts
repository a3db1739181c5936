import { z } from "zod";
import { type ImportItem, type ImportSource, type ReadContext, SourceProblem } from "#imports/import-source.ts";
import { type Service, serviceClient } from "./service-client.ts";
import { momentIn, zoneOf } from "./source-times.ts";
import { readYourlsDump } from "./yourls-dump.ts";
import { toLink } from "./yourls-link.ts";

/** YOURLS, by its API or from a dump of its database. Only the latter says when clicks happened. */
export const yourlsSource: ImportSource = {
  title: "YOURLS",
  needsToken: true,
  place: "either",
  read: (context) => (context.file === null ? readApi(context) : readYourlsDump(context, context.file)),
};

const PAGE_LINKS = 5000;

const Link = z.object({
  shorturl: z.string(),
  url: z.string(),
  title: z.string().nullish(),
  timestamp: z.string().nullish(),
  clicks: z.coerce.number().int().min(0).catch(0),
});

const Page = z.object({
  links: z.record(z.string(), z.unknown()).default({}),
  stats: z.object({ total_links: z.coerce.number() }),
});

async function* readApi(context: ReadContext): AsyncGenerator<ImportItem> {
  const url = context.url.replace(/\/yourls-api\.php\/?$/, "");
  const service = serviceClient({ ...context, url }, { name: "YOURLS", requestsPerSecond: 2 });
  const seen = new Set<string>();
  let total = yield* readPages(context, service, seen, PAGE_LINKS);
  // Links of the same second have no order, so one may be missing between two pages: other pages have other ends.
  if (seen.size < total) total = yield* readPages(context, service, seen, PAGE_LINKS - 1111);
  if (seen.size < total) {
    const why = `The API lists only ${seen.size} of ${total} links. A dump of the database has them all.`;
    yield { type: "unreadable", where: "API", why };
  }
}

/** Gives how many links there are. */
async function* readPages(
  { token, timeZone, withClicks }: ReadContext,
  service: Service,
  seen: Set<string>,
  limit: number,
): AsyncGenerator<ImportItem, number> {
  const zone = zoneOf({ timeZone });
  for (let start = 0; ; start += limit) {
    // In the body, because addresses end up in logs.
    const form = { signature: token, action: "stats", filter: "last", format: "json", limit, start };
    const page = Page.safeParse(await service.post("/yourls-api.php", form));
    if (!page.success) throw new SourceProblem("YOURLS didn't answer with its list of links. Check the URL and token.");
    const { links, stats } = page.data;
    for (const [name, value] of Object.entries(links)) {
      const link = Link.safeParse(value);
      const address = link.success ? URL.parse(link.data.shorturl) : null;
      if (!link.success || !address) {
        yield { type: "unreadable", where: `${name} from ${start}`, why: "It has no short URL or no destination." };
      } else if (!seen.has(link.data.shorturl)) {
        seen.add(link.data.shorturl);
        const keyword = keywordIn(address.pathname);
        const facts = { keyword, host: address.hostname, createdAt: momentIn(link.data.timestamp, zone) };
        yield { type: "link", link: toLink(link.data, { ...facts, logged: withClicks ? 0 : link.data.clicks }) };
      }
    }
    if (Object.keys(links).length === 0 || start + limit >= stats.total_links) return stats.total_links;
  }
}

/** The last part of the path. Plugins allow keywords that are no valid part of an address. */
function keywordIn(path: string): string {
  const keyword = path.slice(path.lastIndexOf("/") + 1);
  try {
    return decodeURI(keyword);
  } catch (error) {
    if (error instanceof URIError) return keyword;
    throw error;
  }
}
