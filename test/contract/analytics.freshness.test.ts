import { afterAll, beforeAll, expect, test } from "bun:test";
import { type Api, newLink, startApi } from "#test/support/api-client.ts";
import { click } from "#test/support/clicks.ts";
import { until } from "#test/support/until.ts";

const VISIBLE_MS_MAX = 2000;
const ROUNDS = 7;

let api: Api;

beforeAll(async () => {
  api = await startApi();
});
afterAll(() => api.stop());

/** The shortest time of several rounds until a change is visible, which forgives a busy machine. */
async function measure(what: string, round: (count: number) => Promise<() => Promise<boolean>>): Promise<number> {
  const waits: number[] = [];
  for (let count = 1; count <= ROUNDS; count += 1) waits.push(await until(what, await round(count)));
  const ms = Math.min(...waits);
  process.stderr.write(
    `${what}: ${Math.round(ms)} ms (the quickest of ${ROUNDS}; the slowest: ${Math.round(Math.max(...waits))})\n`,
  );
  return ms;
}

test("a click is on its link and in both reports within two seconds of its answer", async () => {
  const { kurz } = await api.newCaller();
  const link = await newLink(kurz);
  const ms = await measure("a click is visible", async (count) => {
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
  expect(ms).toBeLessThanOrEqual(VISIBLE_MS_MAX);
}, 600_000);

test("a changed tag is in the reports within two seconds", async () => {
  const { kurz } = await api.newCaller();
  const link = await newLink(kurz);
  await click(api.server, link);
  const ms = await measure("a tag is visible", async (count) => {
    await kurz.links.update(link.id, { tags: [`round ${count}`] });
    return async () => (await kurz.analytics.get({ tag: [`round ${count}`] })).totals.clicks === 1;
  });
  expect(ms).toBeLessThanOrEqual(VISIBLE_MS_MAX);
}, 600_000);
