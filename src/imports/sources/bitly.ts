import { z } from "zod";
import { type ImportItem, type ImportSource, type ReadContext, SourceProblem } from "#imports/import-source.ts";
import { readDays } from "./bitly-clicks.ts";
import { BitlyLink, toLinks } from "./bitly-link.ts";
import { type Query, type Service, serviceClient } from "./service-client.ts";

/** Bitly, by version 4 of its API: the links of all groups that the token's user is in. */
export const bitlySource: ImportSource = { title: "Bitly", needsToken: true, place: "url", read };

const PAGE_LINKS = 100;

const Groups = z.object({ groups: z.array(z.object({ guid: z.string() })) });
const Page = z.object({
  links: z.array(z.unknown()),
  pagination: z.object({ search_after: z.string().nullish(), next: z.string().nullish() }).nullish(),
});

async function* read(context: ReadContext): AsyncGenerator<ImportItem> {
  const url = (context.url || "https://api-ssl.bitly.com").replace(/\/v4\/?$/, "");
  const headers = { Authorization: `Bearer ${context.token}` };
  const service = serviceClient(
    { ...context, url },
    // Of 1,000 requests an hour, it allows 100 in one minute.
    {
      name: "Bitly",
      headers,
      requestsPerSecond: 0.25,
      burst: 60,
      isLimit: (answer) => "x-ratelimit-reason" in answer.headers,
    },
  );
  const groups = Groups.safeParse(await service.get("/v4/groups"));
  if (!groups.success) throw new SourceProblem("Bitly didn't answer with its list of groups. Check the URL.");
  const clicks = readDays(context, service);
  const seen = new Set<string>();
  for (const { guid } of groups.data.groups) {
    for await (const value of linksOf(service, guid)) {
      const link = BitlyLink.safeParse(value);
      if (!link.success) {
        yield { type: "unreadable", where: `a link of group ${guid}`, why: "It isn't as Bitly's API describes it." };
      } else if (!seen.has(link.data.id)) {
        seen.add(link.data.id);
        const { counts, losses } = await clicks(link.data.id);
        for (const one of toLinks(link.data, losses)) yield { type: "link", link: one };
        for (const one of counts) yield { type: "counts", counts: one };
      }
    }
  }
}

async function* linksOf(service: Service, guid: string): AsyncGenerator<unknown> {
  let after: Query = {};
  for (;;) {
    const path = `/v4/groups/${encodeURIComponent(guid)}/bitlinks`;
    const page = Page.safeParse(await service.get(path, { size: PAGE_LINKS, archived: "both", ...after }));
    if (!page.success) throw new SourceProblem("Bitly didn't answer with its list of links.");
    const { links, pagination } = page.data;
    yield* links;
    const next = pagination?.search_after;
    if (!next || !pagination.next || links.length === 0 || next === after.search_after) return;
    after = { search_after: next };
  }
}
