/** A one-pixel PNG. */
export const TINY_PNG = Buffer.from(
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR4nGNgYPj/HwADAgH/5ncFjwAAAABJRU5ErkJggg==",
  "base64",
);

type Answer = Response | (() => Response | Promise<Response>);

export interface TestSite {
  readonly port: number;
  /** Its address, by the loopback address or another name for it. */
  url(path?: string, host?: string): string;
  /** As they arrived: `GET /path`. */
  readonly requests: string[];
  readonly headers: Headers[];
  stop(): Promise<void>;
}

export const htmlPage = (html: string): Response =>
  new Response(html, { headers: { "content-type": "text/html; charset=utf-8" } });

/** A real web server with a few pages; everything else is 404. */
export function startTestSite(pages: Readonly<Record<string, Answer>> = {}): TestSite {
  const requests: string[] = [];
  const headers: Headers[] = [];
  const server = Bun.serve({
    hostname: "127.0.0.1",
    port: 0,
    async fetch(request) {
      const { pathname, search } = new URL(request.url);
      requests.push(`${request.method} ${pathname}${search}`);
      headers.push(request.headers);
      const answer = pages[pathname];
      if (!answer) return new Response("not here", { status: 404 });
      return typeof answer === "function" ? answer() : (answer.clone() as Response);
    },
  });
  return {
    port: server.port ?? 0,
    url: (path = "/", host = "127.0.0.1") => `http://${host}:${server.port}${path}`,
    requests,
    headers,
    stop: () => server.stop(true),
  };
}

/** Lets a server look up pages at the first address of this machine. */
export const pageLookups = {
  KURZ_PAGE_LOOKUPS: "on",
  KURZ_ALLOW_PRIVATE_DESTINATIONS: "on",
  KURZ_WEBHOOK_ALLOW_CIDRS: "127.0.0.1/32",
};
