import { guardedClient } from "#engines/outbound/guarded-client.ts";
import type { ImportItem, ImportSource, ReadContext } from "#imports/import-source.ts";

export interface AskedService {
  readonly method: string;
  readonly path: string;
  readonly query: Readonly<Record<string, string>>;
  readonly headers: Headers;
  readonly form: Readonly<Record<string, string>>;
}

export interface ImportService {
  readonly url: string;
  /** In the order that they arrived. */
  readonly asked: AskedService[];
  stop(): Promise<void>;
}

/** A service to import from, on this machine. What isn't a response is sent as JSON. */
export function startImportService(answer: (asked: AskedService) => unknown): ImportService {
  const asked: AskedService[] = [];
  const server = Bun.serve({
    hostname: "127.0.0.1",
    port: 0,
    async fetch(request) {
      const { pathname, searchParams } = new URL(request.url);
      const isForm = request.headers.get("content-type") === "application/x-www-form-urlencoded";
      const one = {
        method: request.method,
        path: pathname,
        query: Object.fromEntries(searchParams),
        headers: request.headers,
        form: Object.fromEntries(isForm ? new URLSearchParams(await request.text()) : []),
      };
      asked.push(one);
      const given = answer(one);
      return given instanceof Response ? given : Response.json(given);
    },
  });
  return { url: `http://127.0.0.1:${server.port}`, asked, stop: () => server.stop(true) };
}

export const SERVICE_TOKEN = "secret-token-5f2a";

export const readContext = (over: Partial<ReadContext> = {}): ReadContext => ({
  client: guardedClient({ allowCidrs: ["127.0.0.1/32"], allowInsecure: true }),
  signal: new AbortController().signal,
  ...{ url: "", token: SERVICE_TOKEN, file: null, countsFile: null, columns: {} },
  ...{ withClicks: true, countsFrom: null, timeZone: "UTC" },
  // A service here has no limits to respect.
  pause: () => Promise.resolve(),
  ...over,
});

/** All that a source gives. */
export async function readAll(source: ImportSource, over: Partial<ReadContext> = {}) {
  const items = await Array.fromAsync(source.read(readContext(over)));
  const of = <T extends ImportItem["type"]>(type: T) =>
    items.filter((item): item is Extract<ImportItem, { type: T }> => item.type === type);
  return {
    items,
    links: of("link").map(({ link }) => link),
    counts: of("counts").map(({ counts }) => counts),
    unreadable: of("unreadable"),
  };
}
