import { afterEach, beforeEach, expect, test } from "bun:test";
import { chosenEvents, webhookEvents } from "#contract/webhooks.ts";
import { localFailureLimits } from "#engines/coordination/local-failure-limits.ts";
import { createTestLink } from "#test/support/test-links.ts";
import { openWebhookLab, TEST_ORIGIN, type WebhookLab } from "#test/support/webhook-lab.ts";
import { announceExpired } from "./announce-expired.ts";
import { linkGuards } from "./link-guards.service.ts";

const MINUTE_MS = 60_000;

let lab: WebhookLab;
beforeEach(async () => {
  lab = await openWebhookLab();
  await lab.register("https://hook.example/", chosenEvents);
});
afterEach(() => lab.close());

/** All that is due, in as many transactions as it takes. */
async function announce(): Promise<number> {
  let batches = 0;
  do batches += 1;
  while (await announceExpired({ ...lab, origin: TEST_ORIGIN }));
  return batches;
}

const eventsOf = async (type: "link.expired" | "link.exhausted") => {
  const rows = await lab.records.read
    .selectFrom("webhook_events")
    .select("body")
    .where("type", "=", type)
    .orderBy("no")
    .execute();
  return rows.map(({ body }) => webhookEvents[type].payload.parse(JSON.parse(body)).data.link);
};

const inMs = (ms: number): string => new Date(lab.clock() + ms).toISOString();

test("a link that expires is announced once, within a minute, and what expired long ago isn't", async () => {
  await createTestLink(lab.links, lab.caller, { expires_at: inMs(1000) });
  lab.advance(MINUTE_MS);
  await announce();
  const soon = await createTestLink(lab.links, lab.caller, { expires_at: inMs(MINUTE_MS) });
  await createTestLink(lab.links, lab.caller, { expires_at: inMs(10 * MINUTE_MS) });
  const trashed = await createTestLink(lab.links, lab.caller, { expires_at: inMs(MINUTE_MS) });
  await lab.links.delete(lab.caller, trashed.id, null);
  await announce();
  expect(await eventsOf("link.expired")).toEqual([]);
  // Twice the pause between two looks, and the time that nodes may differ by.
  for (let passed = 0; passed < 2 * MINUTE_MS; passed += 15_000) {
    lab.advance(15_000);
    await announce();
  }
  expect(await eventsOf("link.expired")).toEqual([{ ...soon, expired: true }]);
  await lab.links.update(lab.caller, soon.id, { expires_at: inMs(MINUTE_MS) }, null);
  lab.advance(2 * MINUTE_MS);
  await announce();
  await announce();
  expect((await eventsOf("link.expired")).map(({ version }) => version)).toEqual([1, 2]);
});

test("many that expire at the same moment are announced in batches, each once", async () => {
  await announce();
  const expires_at = inMs(MINUTE_MS);
  for (let count = 0; count < 210; count += 1) await createTestLink(lab.links, lab.caller, { expires_at });
  lab.advance(5 * MINUTE_MS);
  expect(await announce()).toBe(3);
  const ids = (await eventsOf("link.expired")).map(({ id }) => id);
  expect([ids.length, new Set(ids).size]).toEqual([210, 210]);
  expect(await announce()).toBe(1);
  expect(await eventsOf("link.expired")).toHaveLength(210);
});

test("a clock that was ahead neither repeats nor delays what comes", async () => {
  await announce();
  lab.advance(60 * MINUTE_MS);
  await announce();
  lab.advance(-60 * MINUTE_MS);
  const { id } = await createTestLink(lab.links, lab.caller, { expires_at: inMs(MINUTE_MS) });
  await announce();
  lab.advance(2 * MINUTE_MS);
  await announce();
  expect((await eventsOf("link.expired")).map((link) => link.id)).toEqual([id]);
});

test("the visitor with the last click of a link has that announced, and nobody after", async () => {
  const { id } = await createTestLink(lab.links, lab.caller, { max_clicks: 3 });
  const query = lab.records.read.selectFrom("links").select("no").where("id", "=", id);
  const { no: linkNo } = await query.executeTakeFirstOrThrow();
  const guards = linkGuards({ ...lab, failures: localFailureLimits(), origin: TEST_ORIGIN });
  const visit = { linkNo, password: null, network: "192.0.2.1", usesClick: true };
  await guards.open(visit);
  await guards.open(visit);
  expect(await eventsOf("link.exhausted")).toEqual([]);
  await Promise.all(Array.from({ length: 20 }, () => guards.open(visit)));
  expect(await eventsOf("link.exhausted")).toMatchObject([{ id, exhausted: true, max_clicks: 3 }]);
  await lab.links.update(lab.caller, id, { max_clicks: 4 }, null);
  await guards.open(visit);
  await guards.open(visit);
  expect(await eventsOf("link.exhausted")).toHaveLength(2);
});
