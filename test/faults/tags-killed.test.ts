import { afterAll, beforeAll, expect, test } from "bun:test";
import type { AnalyticsReport } from "#contract/analytics.ts";
import type { Link } from "#contract/link-record.ts";
import { click } from "#test/support/clicks.ts";
import type { KurzServer } from "#test/support/kurz-server.ts";
import { type LinkApi, startKurzWithApi } from "#test/support/link-api.ts";
import { signalFirst } from "#test/support/process-table.ts";
import { until } from "#test/support/until.ts";

const CYCLES = 8;
const LINKS = 5;

let kurz: KurzServer;
let api: LinkApi;

beforeAll(async () => {
  ({ kurz, api } = await startKurzWithApi({ env: { KURZ_RATE_LIMIT_PER_MINUTE: "0" } }));
});
afterAll(() => kurz.stop());

/** Clicks by tag; `null` while control is down. */
async function countByTag(): Promise<Record<string, number> | null> {
  const answer = await api.ask("GET", "/analytics?group_by=tag&limit=100").catch(() => null);
  if (answer?.status !== 200) return null;
  const { breakdowns } = (await answer.json()) as AnalyticsReport;
  return Object.fromEntries(breakdowns.tag?.items.map(({ key, clicks }) => [key ?? "none", clicks]) ?? []);
}

/** Repeats the call until control accepts it. */
async function retag(link: Link, tags: readonly string[]): Promise<void> {
  await until("control takes the change", async () => {
    const answer = await api.ask("PATCH", `/links/${link.id}`, { tags }).catch(() => null);
    return answer?.status === 200;
  });
}

test(`reports have the tags of the links after ${CYCLES} kills of control`, async () => {
  const links: Link[] = [];
  for (let count = 0; count < LINKS; count += 1) links.push(await api.create({ tags: ["start"] }));
  for (const link of links) await click(kurz, link);
  for (let cycle = 0; cycle < CYCLES; cycle += 1) {
    for (const link of links) await retag(link, [`cycle ${cycle}`, "all"]);
    const pid = signalFirst(kurz.processes("control"), "SIGKILL");
    await until("control is another one", () => kurz.processes("control").some((other) => other !== pid));
  }
  const expected = { all: LINKS, [`cycle ${CYCLES - 1}`]: LINKS };
  await until("the reports have the last tags", async () => Bun.deepEquals(await countByTag(), expected)).catch(
    async () => expect(await countByTag()).toEqual(expected),
  );
}, 600_000);
