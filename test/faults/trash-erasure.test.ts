import { afterAll, expect, setDefaultTimeout, test } from "bun:test";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { dataPaths } from "#config/data-paths.ts";
import type { AnalyticsReport } from "#contract/analytics.ts";
import type { Link, LinkPage } from "#contract/link-record.ts";
import { changeRecords, readRecords } from "#test/support/change-records.ts";
import { click } from "#test/support/clicks.ts";
import { type KurzServer, startKurz } from "#test/support/kurz-server.ts";
import { LinkApi } from "#test/support/link-api.ts";
import { until } from "#test/support/until.ts";

setDefaultTimeout(600_000);

const DAY_MS = 86_400_000;

const dataDir = mkdtempSync(join(tmpdir(), "kurz-trash-"));
let kurz: KurzServer;
afterAll(async () => {
  await kurz?.stop();
  rmSync(dataDir, { recursive: true });
});

/** Starts on a clock that was last seen, and had run without a jump, for so long before now. */
async function startWithClock(seenDaysAgo: number, steadyDays: number) {
  const seenMs = Date.now() - seenDaysAgo * DAY_MS;
  writeFileSync(dataPaths(dataDir).clock, JSON.stringify({ seenMs, steadySinceMs: seenMs - steadyDays * DAY_MS }));
  return startKurz({ dataDir, env: { KURZ_REDIRECT_PROCESSES: "1", KURZ_RATE_LIMIT_PER_MINUTE: "0" } });
}

/** Redirects are ready before the API is. */
const trashOf = async (api: LinkApi): Promise<string[]> => {
  const answer = await api.ask("GET", "/links?state=deleted");
  if (answer.status === 503) return ["not yet"];
  return ((await answer.json()) as LinkPage).data.map(({ slug }) => slug);
};

const clicksOf = async (api: LinkApi): Promise<number> =>
  ((await (await api.ask("GET", "/analytics?interval=24h")).json()) as AnalyticsReport).totals.clicks;

test("after 30 days a deleted link is erased with its clicks, but never because a clock jumped", async () => {
  kurz = await startWithClock(0, 2);
  const account = await kurz.newAccount();
  const token = await kurz.newToken(account);
  let api = new LinkApi(kurz.url, token);
  const [old, young] = [await api.create({ slug: "old" }), await api.create({ slug: "young" })] as [Link, Link];
  for (const link of [old, old, young]) await click(kurz, link);
  await until("the clicks are reported", async () => (await clicksOf(api)) === 3);
  for (const { id } of [old, young]) await api.delete(id);
  await kurz.stop();
  changeRecords({ dataDir }, "update deleted_links set deleted_at = ? where id = ?", Date.now() - 30 * DAY_MS, old.id);

  // Whether the server was off for 40 days or its clock is wrong can't be told.
  kurz = await startWithClock(40, 100);
  api = new LinkApi(kurz.url, token);
  const expired = await kurz.newToken(account);
  const tokenId = expired.slice(5, 17);
  changeRecords(kurz, "update tokens set expires_at = ? where id = ?", Date.now() - 1, tokenId);
  const noted = "select 1 as found from audit_log where action = 'token.expired' and subject = ?";
  await until("housekeeping is past the trash", () => readRecords(kurz, noted, tokenId).length > 0);
  expect(await trashOf(api)).toEqual(["young", "old"]);
  expect(kurz.output.stderr).toContain("the clock has jumped");
  await kurz.stop();

  kurz = await startWithClock(0, 2);
  api = new LinkApi(kurz.url, token);
  await until("the old one is erased", async () => (await trashOf(api)).join() === "young");
  expect((await api.ask("GET", `/links/${old.id}`)).status).toBe(404);
  expect((await api.ask("POST", `/links/${old.id}/restore`)).status).toBe(404);
  await until("its clicks, too", async () => (await clicksOf(api)) === 1);
  expect((await fetch(`${kurz.url}/old`, { redirect: "manual" })).status).toBe(410);
  expect((await api.ask("POST", "/links", { destination_url: "https://example.com/", slug: "old" })).status).toBe(409);
  const { stdout } = await kurz.kurz(["audit", "list", "--account", account, "--json", "--limit", "1"]);
  expect(JSON.parse(stdout).data).toMatchObject([
    { action: "link.erased", actor: "system", from: "server", subject: old.id, details: { slug: "old" } },
  ]);
  await api.restore(young.id);
  expect((await fetch(`${kurz.url}/young`, { redirect: "manual" })).status).toBe(302);
  await kurz.stop();
});
