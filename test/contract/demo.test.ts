import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { AnalyticsReport } from "#contract/analytics.ts";
import {
  createWebhook,
  enableWebhook,
  listDeliveries,
  listWebhooks,
  testWebhook,
  type WebhookEndpoint,
} from "#contract/console/webhooks.ts";
import { createLink } from "#contract/links.ts";
import { demoAccess } from "#demo/demo-access.ts";
import { ConsoleClient } from "#test/support/console-client.ts";
import { DEMO_START_MS_MAX, type Demo, startDemo } from "#test/support/demo.ts";
import { readExposition } from "#test/support/exposition.ts";
import { runKurz } from "#test/support/kurz-server.ts";
import { until } from "#test/support/until.ts";
import { type Receiver, startReceiver } from "#test/support/webhook-receiver.ts";

let demo: Demo;
let receiver: Receiver;
beforeAll(async () => {
  receiver = startReceiver();
  demo = await startDemo({
    // Settings that would let a delivery reach the receiver, if anything were sent.
    KURZ_WEBHOOK_ALLOW_INSECURE: "1",
    KURZ_WEBHOOK_ALLOW_CIDRS: "127.0.0.0/8",
    KURZ_PAGE_LOOKUPS: "on",
    KURZ_METRICS_ADDR: "127.0.0.1:0",
  });
}, DEMO_START_MS_MAX);
afterAll(async () => {
  await demo.stop();
  await receiver.stop();
});

async function signIn(): Promise<ConsoleClient> {
  const visitor = new ConsoleClient(`http://localhost:${demo.port}`);
  expect((await visitor.signIn(demoAccess.email, demoAccess.password)).status).toBe(200);
  const account = (await visitor.state()).session?.accounts.find(({ role }) => role === "owner");
  visitor.account = account?.id ?? "";
  return visitor;
}

const HOUR_MS = 3_600_000;

const over = { paused: "state=paused", archived: "state=archived", expired: "state=active&expired=true" } as const;

test("the start prints how to sign in", () => {
  const { email, password, token } = demoAccess;
  for (const text of [email, password, token.value]) expect(demo.output.stderr).toContain(text);
});

test("no site is asked for its icon or a title", async () => {
  expect((await (await signIn()).state()).page_lookups).toBe(false);
});

test("the newest links are recent and active, with slugs that people would choose", async () => {
  const links = await demo.links("sort=-created_at&state=all");
  const newest = links.slice(0, 10);
  const startedMs = Date.now();
  expect(Date.parse(newest[0]?.created_at ?? "")).toBeGreaterThan(startedMs - 3 * HOUR_MS);
  expect(newest.filter(({ state, expired }) => state !== "active" || expired)).toEqual([]);
  expect(links.filter(({ slug }) => !/^[a-z]+(?:-[a-z]+)*$/.test(slug))).toEqual([]);
  const [last] = await demo.links("sort=-last_clicked_at&state=all");
  expect(Date.parse(last?.last_clicked_at ?? "")).toBeGreaterThan(startedMs - 3 * HOUR_MS);
});

test("popular links have a history, tags have colors, and a report is shared at an address that stays", async () => {
  const get = async <T>(path: string): Promise<T> => (await (await demo.api(path)).json()) as T;
  const { data: links } = await get<{ data: { id: string; title: string }[] }>("/api/v1/links?sort=-click_count");
  const { data: shares } = await get<{ data: { link_id: string; url: string }[] }>("/api/v1/shares");
  expect(shares.map(({ url }) => new URL(url).pathname)).toEqual(["/share/demo0meadow0report000001"]);
  expect(links.map(({ id }) => id)).toContain(shares[0]?.link_id ?? "");
  expect((await fetch(`${demo.url}/share/demo0meadow0report000001/link`)).status).toBe(200);
  const { data: versions } = await get<{ data: { version: number; action: string }[] }>(
    `/api/v1/links/${shares[0]?.link_id}/history`,
  );
  expect(versions.map(({ action }) => action)).toEqual(["reverted", "updated", "updated", "updated", "created"]);
  const { data: tags } = await get<{ data: { name: string; color: string | null }[] }>("/api/v1/tags");
  expect(tags.filter(({ color }) => color !== null).length).toBe(5);
});

describe("inactive links", () => {
  test.each([
    ["paused", 404],
    ["archived", 410],
    ["expired", 410],
  ] as const)("answer as outside of a demo if they are %s", async (end, status) => {
    const [link] = await demo.links(over[end]);
    const answer = await fetch(`${demo.url}/${link?.slug}`, { redirect: "manual" });
    expect(answer.status).toBe(status);
    expect(answer.headers.get("x-robots-tag")).toBe("noindex, nofollow");
  });

  test("have clicks from before they ended, and none from after", async () => {
    for (const query of Object.values(over)) {
      const links = await demo.links(query);
      expect(links.length).toBeGreaterThan(0);
      expect(links.some(({ click_count }) => click_count > 0)).toBe(true);
      for (const { last_clicked_at, paused_at, archived_at, expires_at } of links) {
        const endedAt = paused_at ?? archived_at ?? expires_at ?? "";
        expect(Date.parse(last_clicked_at ?? endedAt)).toBeLessThanOrEqual(Date.parse(endedAt));
      }
    }
  });
});

test("a link with a split has clicks of all its ways", async () => {
  const split = (await demo.links("state=active")).filter(({ rules }) => rules.length > 0);
  const [link] = split.toSorted((one, other) => other.click_count - one.click_count);
  const ways = link?.rules.flatMap(({ name, split }) => split?.map((way) => `${name}/${way.name}`) ?? []) ?? [];
  expect(ways).toHaveLength(2);
  const answer = await demo.api(`/api/v1/links/${link?.id}/analytics?interval=all&group_by=rule`);
  const { breakdowns } = AnalyticsReport.parse(await answer.json());
  expect(breakdowns.rule?.items.map(({ key }) => key).toSorted()).toEqual(ways.toSorted());
});

describe("webhooks", () => {
  const resultsOf = async (visitor: ConsoleClient, { id }: Pick<WebhookEndpoint, "id">, event: string) => {
    const { data } = await visitor.do(listDeliveries, { params: { id }, query: { event, limit: "1" } });
    return data.map(({ state, last_attempt }) => [state, last_attempt?.problem]);
  };

  test("have a history of deliveries that succeeded, were retried or failed", async () => {
    const visitor = await signIn();
    const { data } = await visitor.do(listWebhooks);
    expect(data.map(({ enabled }) => enabled).toSorted()).toEqual([false, true, true]);
    const states = new Set<string>();
    for (const { id } of data) {
      const { data: deliveries } = await visitor.do(listDeliveries, { params: { id }, query: { limit: "100" } });
      expect(deliveries.length).toBeGreaterThan(50);
      for (const { state, attempts } of deliveries) states.add(`${state} ${attempts}`);
    }
    expect([...states].toSorted()).toEqual(["delivered 1", "delivered 2", "failed 3"]);
  });

  test("are recorded as skipped, once, and nothing is sent", async () => {
    const visitor = await signIn();
    const made = await visitor.do(createWebhook, { body: { url: receiver.url, events: ["link.created"] } });
    const enabled = [made, ...(await visitor.do(listWebhooks)).data.filter(({ enabled }) => enabled)];
    await visitor.do(createLink, { body: { destination_url: "https://example.com/" } });
    await visitor.do(testWebhook, { params: { id: made.id } });
    for (const endpoint of enabled) {
      const isSettled = async () =>
        JSON.stringify(await resultsOf(visitor, endpoint, "link.created")) === '[["failed","skipped_demo"]]';
      await until("the delivery is settled", isSettled);
    }
    await until("so is the test", async () =>
      (await resultsOf(visitor, made, "webhook.test")).flat().includes("skipped_demo"),
    );
    const { data } = await visitor.do(listDeliveries, { params: { id: made.id }, query: { limit: "100" } });
    expect(data.map(({ attempts, next_attempt_at }) => [attempts, next_attempt_at])).toEqual([
      [1, null],
      [1, null],
    ]);
    expect(receiver.hits).toEqual([]);
  });

  test("don't count that against the receivers", async () => {
    const visitor = await signIn();
    const off = (await visitor.do(listWebhooks)).data.find(({ enabled }) => !enabled);
    await visitor.do(enableWebhook, { params: { id: off?.id ?? "" }, body: { send_missed: false } });
    await visitor.do(createLink, { body: { destination_url: "https://example.com/" } });
    await until("the delivery is settled", async () =>
      (await resultsOf(visitor, { id: off?.id ?? "" }, "link.created")).flat().includes("skipped_demo"),
    );
    for (const { enabled, exhausted_at } of (await visitor.do(listWebhooks)).data) {
      expect({ enabled, exhausted_at }).toEqual({ enabled: true, exhausted_at: null });
    }
  });
});

describe("the operator", () => {
  const metricsAddress = (): string => /Metrics {2}(\S+)/.exec(demo.output.stderr)?.[1] ?? "";
  const scrape = async () => readExposition(await (await fetch(metricsAddress())).text());

  /** Only one visit has been made since the start or the reset. */
  async function expectMetricsOfOneVisit(): Promise<void> {
    const [link] = await demo.links("state=active");
    await fetch(`${demo.url}/${link?.slug}`);
    await until("the visit is counted", async () => {
      const figures = await scrape();
      return figures.get('kurz_short_link_requests_total{outcome="previewed"}') === 1;
    });
    const figures = await scrape();
    for (const process of ["control", "redirect-0"]) {
      expect(figures.get(`kurz_process_up{process="${process}"}`)).toBe(1);
    }
  }

  test("works on the data that is shown and gets metrics of what serves it, before and after a reset", async () => {
    const list = async (): Promise<string> => (await demo.kurz(["tokens", "list"])).stdout;
    expect(await list()).toContain("Published demo token");
    const { account } = (await (await demo.api("/api/v1/me")).json()) as { account: { id: string } };
    const token = await demo.newToken(account.id);
    const ask = async () => (await demo.api("/api/v1/me", { headers: { authorization: `Bearer ${token}` } })).status;
    expect(await ask()).toBe(200);
    await expectMetricsOfOneVisit();
    await demo.reset();
    expect(await ask()).toBe(401);
    await expectMetricsOfOneVisit();
    expect((await list()).split("\n")).toHaveLength(3);
    const { stdout, code } = await demo.kurz(["doctor"]);
    expect(stdout).toMatch(/^ok +server +running as process \d+ with redirect \d+, control \d+$/m);
    expect([code, stdout.includes("problem")]).toEqual([0, false]);
  }, 600_000);

  test("is told if the demo isn't running", async () => {
    const parent = mkdtempSync(join(tmpdir(), "kurz-demo-"));
    const dataDir = join(parent, "data-demo");
    for (const args of [["tokens", "list"], ["migrate"]]) {
      const { code, stderr } = await runKurz(args, { KURZ_DEMO: "1", KURZ_DATA_DIR: dataDir });
      expect(stderr).toBe(`kurz: the demo in ${dataDir} is not running; it has data only while it runs\n`);
      expect(code).toBe(1);
    }
    rmSync(parent, { recursive: true });
  });
});
