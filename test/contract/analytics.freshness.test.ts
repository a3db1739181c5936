import { afterAll, beforeAll, expect, test } from "bun:test";
import { type Api, joinApi, newLink } from "#test/support/api-client.ts";
import { click } from "#test/support/clicks.ts";
import { until } from "#test/support/until.ts";

const ROUNDS = 3;

let api: Api;

beforeAll(async () => {
  api = await joinApi();
});
afterAll(() => api.stop());

/** Each round must become visible. How soon clicks do, the ingest bench measures. */
async function eachIsVisible(what: string, round: (count: number) => Promise<() => Promise<boolean>>): Promise<void> {
  const waits: number[] = [];
  for (let count = 1; count <= ROUNDS; count += 1) waits.push(await until(what, await round(count)));
  process.stderr.write(`${what}: ${waits.map(Math.round).join(", ")} ms\n`);
}

test("a click is on its link and in both reports soon after its answer", async () => {
  const { kurz } = await api.newCaller();
  const link = await newLink(kurz);
  await eachIsVisible("a click is visible", async (count) => {
    expect((await click(api.server, link)).status).toBe(302);
    return async () => {
      const [{ click_count, last_clicked_at }, ofLink, ofAccount] = await Promise.all([
        kurz.links.get(link.id),
        kurz.links.analytics(link.id),
        kurz.analytics.get({ group_by: ["link"] }),
      ]);
      if (click_count > 0) expect(last_clicked_at).not.toBeNull();
      return [click_count, ofLink.totals.clicks, ofAccount.totals.clicks].every((clicks) => clicks === count);
    };
  });
}, 600_000);

test("a changed tag is in the reports soon", async () => {
  const { kurz } = await api.newCaller();
  const link = await newLink(kurz);
  await click(api.server, link);
  await eachIsVisible("a tag is visible", async (count) => {
    await kurz.links.update(link.id, { tags: [`round ${count}`] });
    return async () => (await kurz.analytics.get({ tag: [`round ${count}`] })).totals.clicks === 1;
  });
}, 600_000);
