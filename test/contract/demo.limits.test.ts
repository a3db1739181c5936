import { afterAll, beforeAll, expect, test } from "bun:test";
import type { Identity } from "#contract/identity.ts";
import { DEMO_START_MS_MAX, type Demo, startDemo } from "#test/support/demo.ts";
import { until } from "#test/support/until.ts";

const REQUESTS_PER_MINUTE = 60;
const CONSOLE_CALLS_PER_MINUTE = 300;
const LINKS_ADDED_MAX = 50;

let demo: Demo;
beforeAll(async () => {
  demo = await startDemo({ KURZ_RATE_LIMIT_PER_MINUTE: "120", KURZ_TRUST_PROXY: "1" });
  // In a new checkout the first server builds the console; each try comes from another address.
  let tries = 0;
  const isBuilt = async () => (await ask(`2001:db8:0:${(tries++).toString(16)}::1`, "/console/sign-in")).status === 200;
  await until("the console is built", isBuilt);
}, DEMO_START_MS_MAX);
afterAll(() => demo.stop());

/** As a client behind the proxy with this address. */
const ask = (address: string, path: string, init: RequestInit = {}): Promise<Response> =>
  demo.api(path, { redirect: "manual", ...init, headers: { "x-forwarded-for": address, ...init.headers } });

test("an address may make sixty API requests per minute, and is told how long to wait", async () => {
  const address = "203.0.113.7";
  const paths = ["/api/v1/me", "/api/v1/links"];
  for (let count = 1; count <= REQUESTS_PER_MINUTE; count += 1) {
    const { status, headers } = await ask(address, paths[count % paths.length] ?? "");
    expect(status).toBe(200);
    expect(headers.get("x-ratelimit-remaining")).toBe(String(REQUESTS_PER_MINUTE - count));
  }
  for (const path of paths) {
    const refused = await ask(address, path);
    expect(refused.status).toBe(429);
    expect(refused.headers.get("x-ratelimit-limit")).toBe(String(REQUESTS_PER_MINUTE));
    expect(refused.headers.get("x-ratelimit-remaining")).toBe("0");
    const retryAfter = Number(refused.headers.get("retry-after"));
    expect(retryAfter).toBeGreaterThanOrEqual(1);
    expect(retryAfter).toBeLessThanOrEqual(61);
    expect(refused.headers.get("x-content-type-options")).toBe("nosniff");
    expect(refused.headers.has("x-demo-resets-at")).toBe(true);
    expect(refused.headers.get("content-type")).toStartWith("application/json");
    const { error } = (await refused.json()) as { error: { code: string; request_id: string; details: object } };
    expect(error.code).toBe("rate_limited");
    expect(error.request_id).toBe(refused.headers.get("x-request-id") ?? "");
    expect(error.details).toEqual({ limit: REQUESTS_PER_MINUTE, window_seconds: 60, retry_after: retryAfter });
  }
  const page = await (await ask("203.0.113.8", "/console/sign-in")).text();
  const asset = /\/console\/assets\/[^"]+/.exec(page)?.[0] ?? "";
  const [link] = await demo.links("state=active");
  for (const path of [
    asset,
    "/console",
    "/console/api/state",
    `/${link?.slug}`,
    "/healthz",
    "/readyz",
    "/docs",
    "/robots.txt",
  ]) {
    expect([path, (await ask(address, path)).status]).toEqual([path, 200]);
  }
  expect((await ask("203.0.113.9", "/api/v1/me")).status).toBe(200);
});

test("console pages have no limit, and their calls have one of their own", async () => {
  const address = "203.0.113.40";
  for (let page = 0; page < 2 * REQUESTS_PER_MINUTE; page += 1) {
    const { status, headers } = await ask(address, "/console/sign-in");
    expect([status, headers.has("x-ratelimit-limit")]).toEqual([200, false]);
  }
  // At once, so that they fit into one minute on any machine.
  const calls = Array.from({ length: CONSOLE_CALLS_PER_MINUTE }, () => ask(address, "/console/api/state"));
  expect(new Set((await Promise.all(calls)).map(({ status }) => status))).toEqual(new Set([200]));
  const called = await ask(address, "/console/api/state");
  expect([called.status, called.headers.get("content-type")]).toEqual([429, "application/json; charset=utf-8"]);
  // A person who opens such an address gets a page.
  const opened = await ask(address, "/console/api/links/export", { headers: { accept: "text/html,*/*;q=0.8" } });
  expect([opened.status, opened.headers.get("content-type")]).toEqual([429, "text/html; charset=utf-8"]);
  expect(Number(opened.headers.get("retry-after"))).toBeWithin(1, 62);
  expect(await opened.text()).toContain("<h1>Too many requests</h1>");
  expect((await ask(address, "/console/sign-in")).status).toBe(200);
  expect((await ask(address, "/api/v1/me")).status).toBe(200);
});

test("a caller sees the limit that applies", async () => {
  const me = (await (await ask("203.0.113.20", "/api/v1/me")).json()) as Identity;
  expect(me.rate_limit).toEqual({ limit: REQUESTS_PER_MINUTE, window_seconds: 60 });
  expect(me.demo).toBe(true);
});

test("an account accepts fifty more links, and no more", async () => {
  const { plan } = (await (await ask("203.0.113.30", "/api/v1/me")).json()) as Identity;
  const { limit, used } = plan.features.active_links;
  expect((limit ?? 0) - used).toBe(LINKS_ADDED_MAX);
  const create = () =>
    ask("203.0.113.31", "/api/v1/links", {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ destination_url: "https://example.com/" }),
    });
  for (let count = 0; count < LINKS_ADDED_MAX; count += 1) expect((await create()).status).toBe(201);
  const refused = await create();
  const { error } = (await refused.json()) as { error: { code: string; details: object } };
  expect([refused.status, error.code, error.details]).toEqual([
    403,
    "plan_limit",
    { feature: "active_links", limit: limit ?? 0 },
  ]);
});
