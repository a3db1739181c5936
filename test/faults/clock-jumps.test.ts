import { afterAll, beforeAll, expect, test } from "bun:test";
import type { AnalyticsReport } from "#contract/analytics.ts";
import type { KurzServer } from "#test/support/kurz-server.ts";
import { type LinkApi, startKurzWithApi } from "#test/support/link-api.ts";
import { leavePastClicks } from "#test/support/past-clicks.ts";
import { until } from "#test/support/until.ts";

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

let kurz: KurzServer;
let api: LinkApi;

beforeAll(async () => {
  ({ kurz, api } = await startKurzWithApi({ env: { KURZ_REDIRECT_PROCESSES: "1" } }));
});
afterAll(() => kurz.stop());

async function clicksIn(path: string): Promise<number> {
  const answer = await api.ask("GET", path);
  return ((await answer.json()) as AnalyticsReport).totals.clicks;
}

test("after clock jumps by hours, a day and 40 days, a link's report over all time has every click it counted", async () => {
  const link = await api.create();
  const jumps = [0, HOUR_MS, -HOUR_MS, DAY_MS, -DAY_MS, 40 * DAY_MS, -40 * DAY_MS];
  const times = 3;
  await leavePastClicks(
    kurz,
    jumps.map((jumpMs) => ({ link: link.id, at: new Date(Date.now() + jumpMs), times })),
  );
  const clicks = jumps.length * times;
  await until("they are counted", async () => (await api.get(link.id)).click_count === clicks);
  await until("they are in reports", async () => {
    return (await clicksIn(`/links/${link.id}/analytics?interval=all`)) === clicks;
  });
  expect(await clicksIn("/analytics?interval=all")).toBe(clicks);
});
