import { z } from "zod";
import { type ImportItem, type ImportSource, type ReadContext, SourceProblem } from "#imports/import-source.ts";
import { readAnalytics } from "./dub-analytics.ts";
import { readEvents } from "./dub-events.ts";
import { DubLink, isRoot, toLink } from "./dub-link.ts";
import { type Query, type Service, serviceClient } from "./service-client.ts";
import { isGone, ServiceRefusal } from "./service-refusal.ts";

/** Dub, by its API. Which clicks it gives depends on the workspace's plan. */
export const dubSource: ImportSource = { title: "Dub", needsToken: true, place: "url", read };

const PAGE_LINKS = 100;
const PAGE_FOLDERS = 50;
const Page = z.array(z.unknown());
const WithId = z.object({ id: z.string() });
const Folders = z.array(WithId);

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

type Unreadable = ImportItem & { readonly type: "unreadable" };

/** Those in no folder, which is all that Dub lists if it isn't asked for one, and those of each. */
async function* linksOf(service: Service): AsyncGenerator<DubLink | Unreadable> {
  const seen = new Set<string>();
  yield* linksIn(service, {}, seen);
  const folderIds = await foldersOf(service);
  if (folderIds === null) yield withoutFolders;
  for (const folderId of folderIds ?? []) yield* linksIn(service, { folderId }, seen);
}

async function* linksIn(service: Service, folder: Query, seen: Set<string>): AsyncGenerator<DubLink | Unreadable> {
  let startingAfter: string | undefined;
  for (;;) {
    const after = startingAfter === undefined ? {} : { startingAfter };
    const query = { pageSize: PAGE_LINKS, showArchived: "true", ...folder, ...after };
    const page = Page.safeParse(await service.get("/links", query));
    if (!page.success) throw new SourceProblem("Dub didn't answer with its list of links. Check the URL.");
    let last: string | undefined;
    for (const value of page.data) {
      const id = WithId.safeParse(value).data?.id;
      last = id ?? last;
      if (id !== undefined && seen.has(id)) continue;
      if (id !== undefined) seen.add(id);
      const link = DubLink.safeParse(value);
      if (link.success) yield isRoot(link.data) ? rootOf(link.data) : link.data;
      else yield { type: "unreadable", where: `link ${id ?? ""}`, why: "It isn't as Dub's API describes it." };
    }
    if (page.data.length < PAGE_LINKS || last === undefined || last === startingAfter) return;
    startingAfter = last;
  }
}

/** `null` if the key isn't allowed to list them. */
async function foldersOf(service: Service): Promise<readonly string[] | null> {
  const ids = new Set<string>();
  for (let page = 1; ; page += 1) {
    const query = { pageSize: PAGE_FOLDERS, page };
    const folders = Folders.safeParse(await answerIfAllowed(service, "/folders", query).catch(noneIfMissing));
    if (!folders.success) return null;
    const known = ids.size;
    for (const { id } of folders.data) ids.add(id);
    if (ids.size === known) return [...ids];
  }
}

/** Old versions, on servers of their own, have no folders. */
function noneIfMissing(error: unknown): readonly [] {
  if (isGone(error)) return [];
  throw error;
}

const withoutFolders: Unreadable = {
  type: "unreadable",
  where: "folders",
  why: "The API key can't read folders, so links in folders are missing. Give it the scope folders.read.",
};

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

const isAllowed = async (service: Service, path: string, query: Query): Promise<boolean> =>
  (await answerIfAllowed(service, path, query)) !== null;

/** `null` if the plan or the key doesn't have it. */
async function answerIfAllowed(service: Service, path: string, query: Query): Promise<unknown> {
  try {
    return await service.get(path, query);
  } catch (error) {
    if (error instanceof ServiceRefusal && (error.status === 403 || error.status === 429)) return null;
    throw error;
  }
}
