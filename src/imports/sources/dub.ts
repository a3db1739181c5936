import { z } from "zod";
import { type ImportItem, type ImportSource, type ReadContext, SourceProblem } from "#imports/import-source.ts";
import { readAnalytics } from "./dub-analytics.ts";
import { readEvents } from "./dub-events.ts";
import { DubLink, isRoot, toLink } from "./dub-link.ts";
import { type Query, type Service, serviceClient } from "./service-client.ts";
import { ServiceRefusal } from "./service-refusal.ts";

/** Dub, by its API. Which clicks it gives depends on the workspace's plan. */
export const dubSource: ImportSource = { title: "Dub", needsToken: true, place: "url", read };

const PAGE_LINKS = 100;
const Page = z.array(z.unknown());

async function* read(context: ReadContext): AsyncGenerator<ImportItem> {
  const url = context.url || "https://api.dub.co";
  const headers = { Authorization: `Bearer ${context.token}` };
  const service = serviceClient({ ...context, url }, { name: "Dub", headers, requestsPerSecond: 2 });
  const access = context.withClicks ? await accessOf(service) : "links";
  const nowMs = Date.now();
  const linkIds = new Set<string>();
  let fromMs = nowMs;
  for await (const link of linksOf(service)) {
    if ("type" in link) {
      yield link;
      continue;
    }
    linkIds.add(link.id);
    fromMs = Math.min(fromMs, Date.parse(link.createdAt));
    const hasOnlyTotal = access === "links" && context.withClicks && link.clicks > 0;
    yield { type: "link", link: toLink(link, { nowMs, hasOnlyTotal }) };
    if (access === "analytics" && link.clicks > 0) yield* readAnalytics(context, service, link);
  }
  if (access === "events") yield* readEvents(context, service, { fromMs, linkIds });
}

async function* linksOf(service: Service): AsyncGenerator<DubLink | (ImportItem & { type: "unreadable" })> {
  const seen = new Set<string>();
  let after: Query = {};
  for (;;) {
    const page = Page.safeParse(await service.get("/links", { pageSize: PAGE_LINKS, showArchived: "true", ...after }));
    if (!page.success) throw new SourceProblem("Dub didn't answer with its list of links. Check the URL.");
    let last: string | undefined;
    for (const value of page.data) {
      const link = DubLink.safeParse(value);
      if (!link.success) {
        yield { type: "unreadable", where: `link ${seen.size + 1}`, why: "It isn't as Dub's API describes it." };
      } else if (!seen.has(link.data.id)) {
        last = link.data.id;
        seen.add(last);
        yield isRoot(link.data) ? rootOf(link.data) : link.data;
      }
    }
    if (page.data.length < PAGE_LINKS || last === undefined) return;
    after = { startingAfter: last };
  }
}

const rootOf = ({ domain, url }: DubLink) =>
  ({
    type: "unreadable",
    where: domain,
    why: `The domain's own address isn't a link here. Set ${url || "it"} as the domain's root redirect.`,
  }) as const;

/** Single clicks, counts, or only links: asked before the first link, which says what is lost. */
async function accessOf(service: Service): Promise<"events" | "analytics" | "links"> {
  const query = { event: "clicks", interval: "24h" };
  if (await isAllowed(service, "/events", { ...query, limit: 1 })) return "events";
  return (await isAllowed(service, "/analytics", { ...query, groupBy: "count" })) ? "analytics" : "links";
}

async function isAllowed(service: Service, path: string, query: Query): Promise<boolean> {
  try {
    await service.get(path, query);
    return true;
  } catch (error) {
    if (error instanceof ServiceRefusal && (error.status === 403 || error.status === 429)) return false;
    throw error;
  }
}
