import { toCsv } from "#analytics/csv.ts";
import type { Link } from "#contract/link-record.ts";
import { listLinks } from "#contract/links.ts";
import type { Caller } from "#kernel/caller.ts";
import type { LinkService } from "#links/links.service.ts";

type Format = "csv" | "json";
type Cell = string | number | null;

const PAGE = 500;
const UTM = ["utm_source", "utm_medium", "utm_campaign", "utm_term", "utm_content"] as const;

const columns: readonly (readonly [name: string, cellOf: (link: Link) => Cell])[] = [
  ["id", ({ id }) => id],
  ["short_url", ({ short_url }) => short_url],
  ["destination_url", ({ destination_url }) => destination_url],
  ["title", ({ title }) => title],
  ["tags", ({ tags }) => tags.join(" | ")],
  ["state", ({ state }) => state],
  ["blocked", ({ blocked }) => blocked?.reason ?? null],
  ["expires_at", ({ expires_at }) => expires_at],
  ...UTM.map((name) => [name, ({ utm }: Link) => utm[name] ?? null] as const),
  ["click_count", ({ click_count }) => click_count],
  ["last_clicked_at", ({ last_clicked_at }) => last_clicked_at],
  ["created_via", ({ created_via }) => created_via],
  ["created_at", ({ created_at }) => created_at],
  ["updated_at", ({ updated_at }) => updated_at],
];

/** All links of the account, oldest first, read page by page as the client consumes them. */
export function exportStream(links: LinkService, caller: Caller, format: Format): ReadableStream<Uint8Array> {
  const parts = format === "csv" ? csvParts(links, caller) : jsonParts(links, caller);
  const encoder = new TextEncoder();
  return new ReadableStream<Uint8Array>({
    async pull(controller) {
      const { done, value } = await parts.next();
      if (done) controller.close();
      else controller.enqueue(encoder.encode(value));
    },
    async cancel() {
      await parts.return(undefined);
    },
  });
}

async function* csvParts(links: LinkService, caller: Caller): AsyncGenerator<string, undefined> {
  yield toCsv([columns.map(([name]) => name)]);
  for await (const page of pages(links, caller)) {
    yield toCsv(page.map((link) => columns.map(([, cellOf]) => cellOf(link))));
  }
}

async function* jsonParts(links: LinkService, caller: Caller): AsyncGenerator<string, undefined> {
  let separator = "[\n";
  for await (const page of pages(links, caller)) {
    yield separator + page.map((link) => JSON.stringify(link)).join(",\n");
    separator = ",\n";
  }
  yield separator === "[\n" ? "[]\n" : "\n]\n";
}

async function* pages(links: LinkService, caller: Caller): AsyncGenerator<readonly Link[]> {
  const query = { ...listLinks.query.parse({ state: ["all"], sort: "created_at" }), limit: PAGE };
  for (let cursor: string | undefined; ; ) {
    const page = await links.list(caller, { ...query, ...(cursor !== undefined && { cursor }) });
    if (page.data.length > 0) yield page.data;
    if (page.next_cursor === null) return;
    cursor = page.next_cursor;
  }
}
