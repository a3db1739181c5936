import { Database } from "bun:sqlite";
import { afterAll, beforeAll, expect, setDefaultTimeout, test } from "bun:test";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { LinkPage } from "#contract/link-record.ts";
import { type KurzServer, startKurz } from "#test/support/kurz-server.ts";
import { until } from "#test/support/until.ts";
import expected from "./release-before/expected.json";

setDefaultTimeout(600_000);

// Written by the version before own domains: it was killed with clicks in its journal that weren't counted yet.
const ARCHIVE = join(import.meta.dir, "release-before", "data.tar.gz");
const DAY = "from=2026-11-17T00:00:00Z&to=2026-11-18T00:00:00Z";
const CLICKS = 100;

const temporary = mkdtempSync(join(tmpdir(), "kurz-upgrade-"));
let kurz: KurzServer;

beforeAll(async () => {
  await Bun.$`tar -xzf ${ARCHIVE} -C ${temporary}`.quiet();
  // The archive grows older, and its token would expire: what is tested is that it works on.
  const records = new Database(join(temporary, "data", "records.db"));
  records.run("update tokens set expires_at = null, last_used_at = ?", [Date.now()]);
  records.close();
  const env = { KURZ_BASE_URL: "http://short.example", KURZ_CLICK_RETENTION_DAYS: "36500" };
  kurz = await startKurz({ dataDir: join(temporary, "data"), env });
}, 600_000);
afterAll(async () => {
  await kurz.stop();
  rmSync(temporary, { recursive: true, force: true });
}, 600_000);

const call = (path: string, method = "GET", body?: object): Promise<Response> =>
  fetch(kurz.url + path, {
    method,
    headers: { authorization: `Bearer ${expected.token}`, "content-type": "application/json" },
    ...(body && { body: JSON.stringify(body) }),
  });
const listAll = async (): Promise<LinkPage["data"]> =>
  ((await (await call("/api/v1/links?state=all&sort=created_at")).json()) as LinkPage).data;

test("links keep what they were, and clicks that weren't counted are", async () => {
  const countAll = async (): Promise<number> =>
    (await listAll()).reduce((sum, { click_count }) => sum + click_count, 0);
  await until("all clicks are counted", async () => (await countAll()) === CLICKS, 120_000);
  const links = await listAll();
  expect(links.length).toBe(expected.links.length);
  expect(links).toMatchObject(expected.links);
  for (const link of links) {
    expect(link).toMatchObject({ rules: [], redirect_status: 302, max_clicks: null, password_protected: false });
  }
});

interface Report {
  readonly totals?: { readonly clicks: number };
  readonly breakdowns: Readonly<Record<string, unknown>>;
}
const reportOn = async (dimension: string): Promise<Report> =>
  (await (await call(`/api/v1/analytics?${DAY}&group_by=${dimension}`)).json()) as Report;

test("reports say the same", async () => {
  // A report is refused while the clicks are brought to their new form.
  const isStored = async (): Promise<boolean> => (await reportOn("country")).totals?.clicks === CLICKS;
  await until("all clicks are stored", isStored, 120_000);
  for (const [dimension, breakdown] of Object.entries(expected.reports)) {
    if (dimension === "totals") continue;
    const { totals, breakdowns } = await reportOn(dimension);
    expect([dimension, totals, breakdowns[dimension]]).toEqual([dimension, expected.reports.totals, breakdown]);
  }
});

test("short links lead where they led", async () => {
  const visits = await Promise.all(
    ["plain", "TAGGED?x=1", "expires", "paused", "archived", "deleted", "blocked"].map(async (path) => {
      const { status, headers } = await fetch(`${kurz.url}/${path}`, { redirect: "manual" });
      return [path, status, headers.get("location")];
    }),
  );
  expect(visits).toEqual([
    ["plain", 302, "https://example.com/plain?a=1#top"],
    ["TAGGED?x=1", 302, "https://example.com/tagged?utm_source=newsletter&utm_medium=email&x=1"],
    ["expires", 302, "https://example.com/expires"],
    ["paused", 404, null],
    ["archived", 410, null],
    ["deleted", 410, null],
    ["blocked", 410, null],
  ]);
});

test("webhooks are still there, and are sent to", async () => {
  const { stdout } = await kurz.kurz(["webhooks", "list", "--json"]);
  const [endpoint] = JSON.parse(stdout);
  const [before] = expected.endpoints;
  expect(endpoint).toMatchObject({ id: before?.id, url: before?.url, enabled: true });
  expect((await kurz.kurz(["webhooks", "test", endpoint.id])).stdout).toMatch(/^The delivery dlv_\w+ /);
});

test("an old link takes everything new, and a deleted slug stays taken", async () => {
  const [plain] = await listAll();
  const patch = { rules: [{ name: "all", destination_url: "https://example.com/new" }], redirect_status: 308 };
  const changed = await (await call(`/api/v1/links/${plain?.id}`, "PATCH", patch)).json();
  expect(changed).toMatchObject({ ...patch, version: 2 });
  await until("the rule is applied", async () => {
    const { status, headers } = await fetch(`${kurz.url}/plain`, { redirect: "manual" });
    return status === 308 && headers.get("location") === "https://example.com/new";
  });
  const again = await call("/api/v1/links", "POST", { destination_url: "https://example.com/", slug: "deleted" });
  expect(again.status).toBe(409);
});
