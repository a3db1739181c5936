import { afterAll, beforeAll, expect, test } from "bun:test";
import { mkdirSync } from "node:fs";
import { connect, createServer, type Server, type Socket } from "node:net";
import { dirname } from "node:path";
import { dataPaths } from "#config/data-paths.ts";
import { loadConfig } from "#config/load-config.ts";
import { type OpenRedirect, openRedirect } from "#processes/redirect.ts";
import { noClicks } from "#redirect/click-sink.ts";
import { type LinkFile, openLinkFile } from "#test/support/link-file.ts";
import { until } from "#test/support/until.ts";
import { startCaddy, startNginx, type WebServer } from "#test/support/web-servers.ts";

// Five times as fast as in production: idle connections end after 60 s in the proxies and after 75 s in Kurz. On a busy
// machine the proxies may be late, by up to the three seconds in between.
const TICK_MS = 200;
const PROXY_IDLE_MS = 60 * TICK_MS;
const CLIENTS = 32;
const REQUESTS_PER_CLIENT = 30;
const CLOSE = "Connection: close";

let file: LinkFile;
let control: Bun.Server<undefined>;
let kurz: OpenRedirect;
const started: WebServer[] = [];
const recorders: Recorder[] = [];

interface Recorder {
  readonly port: number;
  readonly server: Server;
  open: number;
  opened: number;
  /** What had happened on connections that Kurz closed first without announcing it. */
  readonly closedByKurz: string[];
}

/** Sits between a proxy and Kurz, and sees which of them closes a connection. */
async function record(): Promise<Recorder> {
  const recorder = { port: 0, open: 0, opened: 0, closedByKurz: [] as string[] };
  const server = createServer({ allowHalfOpen: true, noDelay: true }, (proxy: Socket) => {
    const target = connect({ host: "127.0.0.1", port: kurz.port, allowHalfOpen: true, noDelay: true });
    recorder.open += 1;
    recorder.opened += 1;
    let hasProxyEnded = false;
    const openedAt = performance.now();
    let sent = 0;
    let isClosing = false;
    let before = "";
    proxy.on("data", (bytes) => {
      sent += bytes.length;
      target.write(bytes);
    });
    target.on("data", (bytes) => {
      const text = bytes.toString("latin1");
      // The header may come in two parts.
      isClosing ||= (before + text).includes(CLOSE);
      before = text.slice(-CLOSE.length);
      proxy.write(bytes);
    });
    proxy.on("end", () => {
      hasProxyEnded = true;
      target.end();
    });
    target.on("end", () => {
      if (!hasProxyEnded && !isClosing) {
        recorder.closedByKurz.push(`after ${Math.round(performance.now() - openedAt)} ms and ${sent} bytes`);
      }
      proxy.end();
    });
    proxy.on("close", () => {
      recorder.open -= 1;
      target.destroy();
    });
    for (const socket of [proxy, target]) socket.on("error", () => {});
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as { port: number };
  return Object.assign(recorder, { server, port });
}

beforeAll(async () => {
  file = openLinkFile();
  file.add({ slug: "abc", destination_url: "https://example.com/" });
  const { controlSocket } = dataPaths(file.dataDir);
  mkdirSync(dirname(controlSocket), { recursive: true });
  control = Bun.serve({
    unix: controlSocket,
    routes: {
      "/api/length": async (request) => new Response(String((await request.arrayBuffer()).byteLength)),
      "/api/large": () => new Response(new Uint8Array(500_000)),
    },
    fetch: () => new Response("none", { status: 404 }),
  });
  const config = { ...loadConfig({ KURZ_DATA_DIR: file.dataDir }), port: 0, rateLimitPerMinute: 0 };
  const clicks = { ...noClicks, record: () => new Promise<void>((resolve) => setImmediate(resolve)) };
  kurz = openRedirect(config, clicks, { laneTickMs: TICK_MS });
});

afterAll(async () => {
  await Promise.all(started.map((proxy) => proxy.stop()));
  for (const { server } of recorders) server.close();
  await kurz.stop();
  await control.stop(true);
  file.close();
});

const proxies = {
  nginx: (upstream: number): Promise<WebServer> =>
    startNginx(
      (port) => `
  access_log off;
  upstream kurz {
    server 127.0.0.1:${upstream};
    keepalive 64;
    keepalive_timeout ${PROXY_IDLE_MS}ms;
  }
  server {
    listen 127.0.0.1:${port};
    location / {
      proxy_pass http://kurz;
      proxy_http_version 1.1;
      proxy_set_header Connection "";
      proxy_set_header Host $host;
      proxy_next_upstream off;
    }
  }`,
    ),
  caddy: (upstream: number): Promise<WebServer> =>
    startCaddy(
      (port) => `
http://127.0.0.1:${port} {
	reverse_proxy 127.0.0.1:${upstream} {
		transport http {
			keepalive ${PROXY_IDLE_MS}ms
			keepalive_idle_conns_per_host 64
		}
	}
}`,
    ),
};

async function startProxy(name: keyof typeof proxies): Promise<{ url: string; recorder: Recorder }> {
  const recorder = await record();
  recorders.push(recorder);
  const proxy = await proxies[name](recorder.port);
  started.push(proxy);
  return { url: proxy.url, recorder };
}

const requests: readonly [path: string, init: RequestInit, status: number][] = [
  ["/abc", {}, 302],
  ["/abc?x=1", {}, 302],
  ["/nothing", {}, 404],
  ["/abc", { method: "HEAD" }, 302],
  ["/api/length", { method: "POST", body: "abcde" }, 200],
  ["/api/none", {}, 404],
  ["/api/large", {}, 200],
  ["/a/b", {}, 404],
];

/** Each client pauses now and then, so that some connections are idle while others open and close. */
async function churn(url: string): Promise<string[]> {
  const wrong: string[] = [];
  await Promise.all(
    Array.from({ length: CLIENTS }, async (_, client) => {
      for (let turn = 0; turn < REQUESTS_PER_CLIENT; turn += 1) {
        const [path, init, status] = requests[(client + turn) % requests.length] ?? ["/", {}, 302];
        const answer = await fetch(url + path, { redirect: "manual", ...init });
        await answer.arrayBuffer();
        if (answer.status !== status) wrong.push(`${init.method ?? "GET"} ${path}: ${answer.status}`);
        if (turn % 10 === client % 10) await Bun.sleep(client * 10);
      }
    }),
  );
  return wrong;
}

test("nginx and Caddy reuse connections without a failure, and close idle ones before Kurz does", async () => {
  await Promise.all(
    (["nginx", "caddy"] as const).map(async (name) => {
      const { url, recorder } = await startProxy(name);
      expect([name, await churn(url)]).toEqual([name, []]);
      await until("the proxy has closed all connections", () => recorder.open === 0);
      expect([name, await churn(url)]).toEqual([name, []]);
      expect([name, recorder.closedByKurz]).toEqual([name, []]);
      // Open connections were reused.
      expect(recorder.opened).toBeLessThan(CLIENTS * REQUESTS_PER_CLIENT);
    }),
  );
});
