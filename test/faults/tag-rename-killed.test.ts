import { afterAll, beforeAll, expect, test } from "bun:test";
import type { LinkPage } from "#contract/link-record.ts";
import { readRecords } from "#test/support/change-records.ts";
import type { KurzServer } from "#test/support/kurz-server.ts";
import { type LinkApi, startKurzWithApi } from "#test/support/link-api.ts";
import { signalFirst } from "#test/support/process-table.ts";
import { until } from "#test/support/until.ts";

const LINKS = 1500;
const AT_ONCE = 50;
const KILLS = 3;

let kurz: KurzServer;
let api: LinkApi;

beforeAll(async () => {
  ({ kurz, api } = await startKurzWithApi({ env: { KURZ_RATE_LIMIT_PER_MINUTE: "0" } }));
});
afterAll(() => kurz.stop());

const renamed = (): number =>
  readRecords<{ count: number }>(kurz, "select count(*) as count from link_tags where tag = 'new'")[0]?.count ?? 0;

test(`a tag is renamed on all links although control is killed ${KILLS} times, each link changed once`, async () => {
  for (let made = 0; made < LINKS; made += AT_ONCE) {
    await Promise.all(Array.from({ length: AT_ONCE }, () => api.create({ tags: ["Old", "kept"] })));
  }
  // The answer may be lost with control.
  const asked = api.ask("PATCH", "/tags/old", { name: "New" }).catch(() => null);
  let before = 0;
  for (let kills = 0; kills < KILLS && before < LINKS; kills += 1) {
    await until("more links have the new tag", () => renamed() > before || renamed() === LINKS);
    const pid = signalFirst(kurz.processes("control"), "SIGKILL");
    await until("control is another one", () => kurz.processes("control").some((other) => other !== pid));
    before = renamed();
  }
  await asked;
  await until("no tag is pending", async () => {
    const answer = await api.ask("GET", "/tags").catch(() => null);
    if (answer?.status !== 200) return false;
    const { data } = (await answer.json()) as { data: { name: string; pending: boolean; link_count: number }[] };
    return data.every(({ pending }) => !pending) && data.map(({ name }) => name).join() === "kept,new";
  });
  const page = (await (await api.ask("GET", "/links?tag=new&limit=100")).json()) as LinkPage;
  expect(page.data[0]).toMatchObject({ tags: ["New", "kept"], version: 2 });
  expect(readRecords<object>(kurz, "select version, count(*) as links from links group by version")).toEqual([
    { version: 2, links: LINKS },
  ]);
  const changes = "select count(*) as changes from link_audit where action = 'link.updated'";
  expect(readRecords<object>(kurz, changes)).toEqual([{ changes: LINKS }]);
}, 600_000);
