import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { createServer, type Server } from "node:http";
import { blocksOf } from "#test/support/documentation.ts";
import { freePort } from "#test/support/free-port.ts";
import { until } from "#test/support/until.ts";
import { startCaddy, startNginx, type WebServer } from "#test/support/web-servers.ts";

/** Answers as a node does, as far as a balancer can see: with its name, or by hanging up once it has the request. */
interface StandIn {
  readonly name: string;
  readonly port: number;
  server: Server | undefined;
  isReady: boolean;
  hangsUp: boolean;
  /** Ids of the requests that reached it. */
  readonly seen: string[];
}

const NODES = {
  "10.0.0.11:8080": "links",
  "10.0.0.12:8080": "links",
  "10.0.0.13:8080": "first",
  "10.0.0.14:8080": "second",
};
const ADDRESSES = Object.keys(NODES);
const nodes = Object.values(NODES).map((name): StandIn => {
  return { name, port: freePort(), server: undefined, isReady: true, hangsUp: false, seen: [] };
});
/** Those for the API, where it matters what is repeated. */
const [first, second] = nodes.slice(2) as [StandIn, StandIn];
let requests = 0;

function start(node: StandIn): Promise<void> {
  node.server = createServer((request, response) => {
    if (request.url === "/readyz") {
      response.writeHead(node.isReady ? 200 : 503).end();
      return;
    }
    request.resume().on("end", () => {
      node.seen.push(request.url ?? "");
      if (node.hangsUp) request.socket.destroy();
      else response.end(node.name);
    });
  });
  return new Promise((resolve) => node.server?.listen(node.port, "127.0.0.1", resolve));
}

function stop(node: StandIn): Promise<unknown> {
  const closed = new Promise((resolve) => node.server?.close(resolve));
  node.server?.closeAllConnections();
  return closed;
}

/** The documented block, on this machine, without certificates; more patient with a busy one, and quicker to forgive. */
function documented(language: string, port: number): string {
  const [block] = blocksOf("docs/cluster.md").filter((one) => one.language === language);
  let text = block?.text ?? "";
  for (const [index, address] of ADDRESSES.entries()) {
    expect(text).toContain(address);
    text = text.replaceAll(address, `127.0.0.1:${nodes[index]?.port}`);
  }
  return text
    .replaceAll("fail_timeout=5s", "fail_timeout=1s")
    .replace("fail_duration 5s", "fail_duration 1s")
    .replace("health_timeout 1s", "health_timeout 10s")
    .replace("dial_timeout 1s", "dial_timeout 20s")
    .replace("lb_try_duration 2s", "lb_try_duration 60s")
    .replace("proxy_connect_timeout 1s", "proxy_connect_timeout 20s")
    .replace("listen 443 ssl http2;", `listen 127.0.0.1:${port};`)
    .replace(/^ *ssl_.*\n/gm, "")
    .replace(/^s\.example \{/m, `http://127.0.0.1:${port} {`);
}

async function ask(balancer: WebServer, method: "GET" | "POST"): Promise<{ path: string; answer: string }> {
  requests += 1;
  const path = `/api/v1/${method}-${requests}`;
  const response = await fetch(balancer.url + path, { method, ...(method === "POST" ? { body: "text" } : {}) });
  return { path, answer: response.ok ? await response.text() : `${response.status}` };
}

const answersOf = async (balancer: WebServer, method: "GET" | "POST", count = 20): Promise<Set<string>> => {
  const answers = new Set<string>();
  for (let index = 0; index < count; index += 1) answers.add((await ask(balancer, method)).answer);
  return answers;
};

const untilBothServe = (balancer: WebServer) =>
  until("both nodes get requests", async () => (await answersOf(balancer, "GET")).size === 2);

beforeAll(async () => {
  await Promise.all(nodes.map(start));
});
afterAll(async () => {
  await Promise.all(nodes.map(stop));
});

describe.each([
  ["nginx", () => startNginx((port) => documented("nginx", port))],
  ["Caddy", () => startCaddy((port) => documented("caddy", port))],
] as const)("%s as documented", (name, startBalancer) => {
  let balancer: WebServer;
  beforeAll(async () => {
    balancer = await startBalancer();
    await untilBothServe(balancer);
  });
  afterAll(() => balancer.stop());

  test("sends short links to redirect nodes and everything else to control nodes", async () => {
    const nodeFor = async (path: string) => (await fetch(balancer.url + path)).text();
    for (const path of ["/", "/slug", "/apis", "/share", "/mcps", "/robots.txt"])
      expect(await nodeFor(path)).toBe("links");
    for (const path of [
      "/api",
      "/api/v1/me",
      "/console",
      "/console/links?page=2",
      "/docs",
      "/mcp",
      "/share/a/badge.svg",
    ])
      expect(await nodeFor(path)).not.toBe("links");
  });

  test("sends everything to the other node while one is gone", async () => {
    await stop(first);
    expect(await answersOf(balancer, "GET")).toEqual(new Set(["second"]));
    expect(await answersOf(balancer, "POST")).toEqual(new Set(["second"]));
    await start(first);
    await untilBothServe(balancer);
  });

  test("repeats a GET that a node doesn't answer, and never a POST", async () => {
    first.hangsUp = true;
    try {
      expect(await answersOf(balancer, "GET")).toEqual(new Set(["second"]));
      await until("a POST meets the node that hangs up", async () => {
        const { path, answer } = await ask(balancer, "POST");
        expect(nodes.filter(({ seen }) => seen.includes(path))).toHaveLength(1);
        return answer === "502";
      });
    } finally {
      first.hangsUp = false;
    }
    await untilBothServe(balancer);
  });

  if (name === "Caddy") {
    test("sends nothing to a node that isn't ready, until it is", async () => {
      second.isReady = false;
      await until("only the other one gets requests", async () => !(await answersOf(balancer, "GET")).has("second"));
      expect(await answersOf(balancer, "POST")).toEqual(new Set(["first"]));
      second.isReady = true;
      await untilBothServe(balancer);
    });
  }
});
