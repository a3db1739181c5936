import { TextStream } from "#contract/endpoint.ts";
import type { LinkExportQuery } from "#contract/link-export.ts";
import type { Link, LinkPage } from "#contract/link-record.ts";
import { type LinkFilters, type LinkQuery, listLinks } from "#contract/links.ts";
import type { Caller } from "#kernel/caller.ts";
import { linkCsvHead, linkCsvRows } from "./link-csv.ts";

type List = (caller: Caller, query: LinkQuery) => Promise<LinkPage>;

/** Small enough that nobody notices the pause while a page is written. */
const PAGE = 200;

/** All links that match, oldest first, page by page as they are consumed. */
export async function* linkPages(list: List, caller: Caller, filters: LinkFilters): AsyncGenerator<readonly Link[]> {
  const query: LinkQuery = { ...listLinks.query.parse({ sort: "created_at" }), ...filters, limit: PAGE };
  for (let cursor: string | undefined; ; ) {
    const page = await list(caller, { ...query, ...(cursor !== undefined && { cursor }) });
    if (page.data.length > 0) yield page.data;
    if (page.next_cursor === null) return;
    cursor = page.next_cursor;
  }
}

export async function* csvParts(pages: AsyncGenerator<readonly Link[]>): AsyncGenerator<string> {
  yield linkCsvHead();
  for await (const page of pages) yield linkCsvRows(page);
}

async function* ndjsonParts(pages: AsyncGenerator<readonly Link[]>): AsyncGenerator<string> {
  for await (const page of pages) yield page.map((link) => `${JSON.stringify(link)}\n`).join("");
}

/** Memory for a page or two, however many links there are. */
export const linkExport =
  (list: List) =>
  (caller: Caller, { format, ...filters }: LinkExportQuery) => {
    const pages = linkPages(list, caller, filters);
    return format === "csv"
      ? new TextStream({ mediaType: "text/csv", fileName: "links.csv", parts: csvParts(pages) })
      : new TextStream({ mediaType: "application/x-ndjson", fileName: "links.ndjson", parts: ndjsonParts(pages) });
  };
