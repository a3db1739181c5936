import type { Link } from "#contract/link-record.ts";
import { listLinks } from "#contract/links.ts";
import type { Caller } from "#kernel/caller.ts";
import { csvParts, linkPages } from "#links/export-links.ts";
import type { LinkService } from "#links/links.service.ts";

type Format = "csv" | "json";

/** All links of the account, oldest first, read page by page as the client consumes them. */
export function exportParts(links: LinkService, caller: Caller, format: Format): AsyncGenerator<string> {
  const pages = linkPages(links.list, caller, listLinks.query.parse({ state: ["all"], sort: "created_at" }));
  return format === "csv" ? csvParts(pages) : jsonParts(pages);
}

async function* jsonParts(pages: AsyncGenerator<readonly Link[]>): AsyncGenerator<string> {
  let separator = "[\n";
  for await (const page of pages) {
    yield separator + page.map((link) => JSON.stringify(link)).join(",\n");
    separator = ",\n";
  }
  yield separator === "[\n" ? "[]\n" : "\n]\n";
}
