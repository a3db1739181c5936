import { afterEach, beforeEach, describe, expect, setDefaultTimeout, test } from "bun:test";
import type { Link } from "#contract/link-record.ts";
import { RecordsUnavailable } from "#engines/records/records.ts";
import { createTestLink } from "#test/support/test-links.ts";
import { until } from "#test/support/until.ts";
import { openWebhookLab, type WebhookLab } from "#test/support/webhook-lab.ts";
import { payloadOf, type Receiver, startReceiver } from "#test/support/webhook-receiver.ts";
import { ATTEMPT_MS_MAX, LEASE_MS } from "./delivery-lease.ts";
import { newSecret, secretBox } from "./endpoint-secret.ts";

setDefaultTimeout(600_000);

const MINUTE_MS = 60_000;
const HOUR_MS = 3_600_000;

let lab: WebhookLab;
let receiver: Receiver;

beforeEach(async () => {
  lab = await openWebhookLab();
  receiver = startReceiver();
});
afterEach(async () => {
  await lab.close();
  await receiver.stop();
});

const status = (code: number, headers: Readonly<Record<string, string>> = {}, body = "no") =>
  receiver.answerWith(() => new Response(code === 204 ? null : body, { status: code, headers }));

const hitsAre = (count: number): Promise<number> => until(`${count} hits`, () => receiver.hits.length >= count);

/** Moves the clock to when the only delivery is due, and waits for that attempt. */
async function nextAttempt(): Promise<number> {
  const [{ next_at } = { next_at: null }] = await lab.allDeliveries();
  if (next_at === null) throw new Error("nothing is due");
  const waitMs = next_at - lab.clock();
  const before = receiver.hits.length;
  lab.advance(waitMs);
  await lab.restart();
  await hitsAre(before + 1);
  await lab.settled();
  return waitMs;
}

test("an attempt is dated by its start, and the next one is scheduled from its end", async () => {
  const slow = Bun.serve({
    port: 0,
    hostname: "127.0.0.1",
    fetch() {
      lab.advance(4000);
      return new Response(null, { status: 500 });
    },
  });
  await lab.register(`http://127.0.0.1:${slow.port}/`);
  const startedAt = lab.clock();
  await createTestLink(lab.links, lab.caller);
  lab.start();
  const attempts = () => lab.records.read.selectFrom("webhook_attempts").select("at").execute();
  await until("the attempt is logged", async () => (await attempts()).length === 1);
  expect(await attempts()).toEqual([{ at: startedAt }]);
  const [delivery] = await lab.allDeliveries();
  expect((delivery?.next_at ?? 0) - startedAt).toBeWithin(8000, 10_001);
  await slow.stop(true);
});

test("a change reaches the receiver immediately, with headers that describe it", async () => {
  lab.start();
  await lab.register(receiver.url);
  const link = await createTestLink(lab.links, lab.caller, { title: "Grüße 👋" });
  await hitsAre(1);
  await lab.settled();
  const [hit] = receiver.hits;
  const event = payloadOf<{ id: string; type: string; data: { link: Link } }>(hit as NonNullable<typeof hit>);
  expect(event).toMatchObject({ type: "link.created", data: { link } });
  const [delivery] = await lab.allDeliveries();
  expect(Object.fromEntries(hit?.headers ?? [])).toMatchObject({
    "content-type": "application/json",
    "user-agent": "Kurz-Webhooks/1.0",
    "service-event": "link.created",
    "service-delivery": delivery?.id ?? "",
    "service-attempt": "1",
    "webhook-id": delivery?.id ?? "",
    "webhook-timestamp": String(Math.floor(lab.clock() / 1000)),
  });
  expect(delivery).toMatchObject({ state: "delivered", attempts: 1, next_at: null, lease: null });
  expect(lab.problems).toEqual([]);
});

test("a delivery is attempted ten times under one id, then fails, and the endpoint is shown as failing", async () => {
  status(500, {}, "out of order 🤖\u0000");
  lab.start();
  const { id } = await lab.register(receiver.url);
  await createTestLink(lab.links, lab.caller);
  await hitsAre(1);
  await lab.settled();
  for (let attempt = 2; attempt <= 10; attempt += 1) await nextAttempt();
  expect(new Set(receiver.hits.map(({ delivery }) => delivery)).size).toBe(1);
  expect(new Set(receiver.hits.map(({ body }) => body.toString("hex"))).size).toBe(1);
  expect(receiver.hits.map(({ headers }) => Number(headers.get("service-attempt")))).toEqual([
    1, 2, 3, 4, 5, 6, 7, 8, 9, 10,
  ]);
  const times = receiver.hits.map(({ headers }) => Number(headers.get("webhook-timestamp")));
  expect((times.at(-1) ?? 0) - (times[0] ?? 0)).toBeWithin(60 * 3600, 92 * 3600);
  const [delivery] = await lab.webhooks.deliveries.list(lab.caller, id, { state: "failed", limit: 10 });
  expect(delivery).toMatchObject({ state: "failed", next_attempt_at: null });
  expect(delivery?.attempts).toHaveLength(10);
  expect(delivery?.attempts[0]).toMatchObject({ status: 500, problem: null, excerpt: "out of order 🤖\ufffd" });
  expect(await lab.webhooks.endpoints.get(lab.caller, id)).toMatchObject({
    enabled: true,
    failing_since: expect.any(String),
    exhausted_at: expect.any(String),
  });
});

test("a receiver that recovers gets everything it missed, and is no longer shown as failing", async () => {
  status(503);
  lab.start();
  const { id } = await lab.register(receiver.url);
  const slugs = ["one", "two", "three"];
  for (const slug of slugs) await createTestLink(lab.links, lab.caller, { slug });
  await hitsAre(3);
  await lab.settled();
  // The first half of the schedule: five seconds, five minutes, half an hour, two hours, five hours.
  for (const pause of [6000, 6 * MINUTE_MS, 36 * MINUTE_MS, 2.4 * HOUR_MS, 6 * HOUR_MS]) {
    const before = receiver.hits.length;
    lab.advance(pause);
    await lab.restart();
    await hitsAre(before + 3);
    await lab.settled();
  }
  expect(await lab.webhooks.endpoints.get(lab.caller, id)).toMatchObject({ failing_since: expect.any(String) });
  status(204);
  lab.advance(12 * HOUR_MS);
  await lab.restart();
  await until("all is delivered", async () => (await lab.allDeliveries()).every(({ state }) => state === "delivered"));
  const delivered = receiver.hits.slice(-3).map((hit) => payloadOf<{ data: { link: Link } }>(hit).data.link.slug);
  expect(delivered.toSorted()).toEqual(slugs.toSorted());
  expect(await lab.webhooks.endpoints.get(lab.caller, id)).toMatchObject({ failing_since: null, exhausted_at: null });
});

test("the old secret signs along with the new one for exactly 24 hours", async () => {
  lab.start();
  const { id } = await lab.register(receiver.url);
  await lab.webhooks.endpoints.rotate(lab.caller, id, { overlap: true });
  const signatures = async (): Promise<number> => {
    const before = receiver.hits.length;
    await lab.webhooks.deliveries.test(lab.caller, id);
    await hitsAre(before + 1);
    return receiver.hits.at(-1)?.headers.get("service-signature")?.match(/,v1=/g)?.length ?? 0;
  };
  expect(await signatures()).toBe(2);
  lab.advance(24 * HOUR_MS - 1);
  expect(await signatures()).toBe(2);
  lab.advance(1);
  expect(await signatures()).toBe(1);
});

describe("an endpoint is disabled", () => {
  test("immediately after a 410", async () => {
    status(410);
    lab.start();
    const { id } = await lab.register(receiver.url);
    await createTestLink(lab.links, lab.caller);
    await hitsAre(1);
    await lab.settled();
    expect(await lab.webhooks.endpoints.get(lab.caller, id)).toMatchObject({ enabled: false, disabled_by: "gone" });
    await until("it is told", () => lab.switchedOff.length > 0);
    expect(lab.switchedOff).toEqual([{ id, accountNo: lab.caller.accountNo, url: receiver.url, reason: "gone" }]);
    await createTestLink(lab.links, lab.caller);
    await lab.restart();
    expect((await lab.allDeliveries()).map(({ state }) => state)).toEqual(["failed", "pending"]);
    expect(receiver.hits).toHaveLength(1);
  });

  test("after 120 hours without a success, and its deliveries are held", async () => {
    status(500);
    lab.start();
    const { id } = await lab.register(receiver.url);
    const isEnabled = async () => (await lab.webhooks.endpoints.get(lab.caller, id)).enabled;
    for (let hours = 0; hours <= 120; hours += 24) {
      expect(await isEnabled()).toBe(true);
      const before = receiver.hits.length;
      await createTestLink(lab.links, lab.caller);
      await hitsAre(before + 1);
      await lab.settled();
      lab.advance(24 * HOUR_MS);
    }
    expect(await isEnabled()).toBe(false);
    const [entry] = await lab.records.read
      .selectFrom("audit_log")
      .select(["actor", "details"])
      .where("action", "=", "webhook.disabled")
      .execute();
    expect(entry).toEqual({ actor: "system", details: '{"reason":"failing"}' });
    await createTestLink(lab.links, lab.caller, { slug: "missed" });
    status(204);
    await lab.webhooks.endpoints.enable(lab.caller, id, { sendMissed: true });
    await until("all is delivered", async () =>
      (await lab.allDeliveries()).every(({ state }) => state === "delivered"),
    );
    expect(await isEnabled()).toBe(true);
  });
});

test("a redirect is a failure and is not followed", async () => {
  receiver.answerWith(
    ({ path }) => new Response(null, path === "/hook" ? { status: 307, headers: { location: "/other" } } : {}),
  );
  lab.start();
  await lab.register(receiver.url);
  await createTestLink(lab.links, lab.caller);
  await hitsAre(1);
  await lab.settled();
  expect((await lab.allDeliveries())[0]).toMatchObject({ state: "pending", attempts: 1 });
  expect(receiver.hits.map(({ path }) => path)).toEqual(["/hook"]);
});

test("a Retry-After header is honored", async () => {
  status(429, { "retry-after": "3600" });
  lab.start();
  await lab.register(receiver.url);
  await createTestLink(lab.links, lab.caller);
  await hitsAre(1);
  await lab.settled();
  const [delivery] = await lab.allDeliveries();
  expect((delivery?.next_at ?? 0) - lab.clock()).toBe(MINUTE_MS);
});

test("several workers on one queue send everything, and no delivery twice at once", async () => {
  const sending = new Set<string>();
  const overlaps: string[] = [];
  receiver.answerWith(async ({ delivery }) => {
    if (sending.has(delivery)) overlaps.push(delivery);
    sending.add(delivery);
    await Bun.sleep(2);
    sending.delete(delivery);
    return new Response(null, { status: 204 });
  });
  await lab.register(receiver.url);
  for (let at = 0; at < 200; at += 1) await createTestLink(lab.links, lab.caller);
  const workers = ["a", "b", "c"].map((node) => lab.startWorker(node));
  await until("all is delivered", async () => (await lab.allDeliveries()).every(({ state }) => state === "delivered"));
  await Promise.all(workers.map((worker) => worker.stop()));
  expect(overlaps).toEqual([]);
  expect(receiver.hits).toHaveLength(200);
});

test("an endpoint whose secret was stored with another key works again after a rotation", async () => {
  lab.start();
  const { id } = await lab.register(receiver.url);
  const lost = secretBox("another key than that of the deployment").seal(newSecret(), id);
  await lab.records.write((tx) => tx.updateTable("webhook_endpoints").set({ secret: lost }).execute());
  await createTestLink(lab.links, lab.caller);
  await until("it was tried", async () => (await lab.allDeliveries())[0]?.attempts === 1);
  expect(receiver.hits).toEqual([]);
  await lab.webhooks.endpoints.rotate(lab.caller, id, { overlap: true });
  await lab.webhooks.deliveries.recover(lab.caller, id, 0);
  await hitsAre(1);
  expect(receiver.hits[0]?.headers.get("service-signature")?.match(/v1=/g)).toHaveLength(1);
});

test("deliveries of a worker that died are sent immediately by the next worker on its node", async () => {
  await lab.register(receiver.url);
  await createTestLink(lab.links, lab.caller);
  const dead = { lease: "local:01dead", next_at: lab.clock() + LEASE_MS };
  await lab.records.write((tx) => tx.updateTable("webhook_deliveries").set(dead).execute());
  const other = lab.startWorker("other");
  lab.start();
  await hitsAre(1);
  await lab.settled();
  await other.stop();
  expect(receiver.hits).toHaveLength(1);
});

test("what was claimed by a commit whose answer got lost is claimed again when the lease ends", async () => {
  let isAnswerLost = false;
  const write: typeof lab.records.write = async (work, options) => {
    const result = await lab.records.write(work, options);
    if (!isAnswerLost) return result;
    isAnswerLost = false;
    throw new RecordsUnavailable("the connection was lost");
  };
  receiver.answerWith(() => new Promise(() => {}));
  await lab.register(receiver.url);
  await createTestLink(lab.links, lab.caller);
  const worker = lab.startWorker("other", { records: { ...lab.records, write }, renewMs: 10 });
  await hitsAre(1);
  const other = startReceiver();
  try {
    await lab.register(other.url);
    await lab.webhooks.deliveries.test(lab.caller, (await lab.webhooks.endpoints.list(lab.caller))[1]?.id ?? "");
    const [sent, claimed] = await lab.allDeliveries();
    isAnswerLost = true;
    worker.wake([claimed?.endpoint_no ?? 0]);
    const leaseOf = async (at: number) => (await lab.allDeliveries())[at]?.next_at ?? 0;
    await until("it is claimed", async () => (await lab.allDeliveries())[1]?.lease === sent?.lease);
    const endsAt = await leaseOf(1);
    lab.advance(10_000);
    await until("what is being sent is renewed", async () => (await leaseOf(0)) === lab.clock() + LEASE_MS);
    expect(await leaseOf(1)).toBe(endsAt);
    lab.advance(LEASE_MS - 10_000);
    worker.wake([claimed?.endpoint_no ?? 0]);
    await until("it is sent", () => other.hits.length > 0);
  } finally {
    await worker.stop();
    await other.stop();
  }
});

describe("a lease outlives the attempt without being renewed, so another node doesn't send the delivery meanwhile", () => {
  const NEVER_MS = HOUR_MS;

  /** A worker on another node whose first claim takes this long to commit, by the clock. */
  function startSlowly(commitMs: number) {
    const { promise: committed, resolve } = Promise.withResolvers<void>();
    let isClaimed = false;
    const write: typeof lab.records.write = async (work, options) => {
      const result = await lab.records.write(work, options);
      const hasClaimed = (await lab.allDeliveries()).some(({ lease }) => lease !== null);
      if (hasClaimed && !isClaimed) lab.advance(commitMs);
      isClaimed ||= hasClaimed;
      if (isClaimed) resolve();
      return result;
    };
    const worker = lab.startWorker("slow", { records: { ...lab.records, write }, renewMs: NEVER_MS });
    return { committed, stop: () => worker.stop() };
  }

  test("nor if its claim took as long to commit as a transaction may", async () => {
    receiver.answerWith(() => new Promise(() => {}));
    await lab.register(receiver.url);
    await createTestLink(lab.links, lab.caller);
    const worker = startSlowly(9900);
    try {
      await hitsAre(1);
      lab.advance(ATTEMPT_MS_MAX);
      expect(await lab.countWaiting()).toBe(0);
    } finally {
      await worker.stop();
    }
  });

  test("and a delivery whose claim took even longer is left to the next one", async () => {
    await lab.register(receiver.url);
    await createTestLink(lab.links, lab.caller);
    const worker = startSlowly(12_000);
    try {
      await worker.committed;
      const endsAt = (await lab.allDeliveries())[0]?.next_at ?? 0;
      lab.advance(endsAt - lab.clock());
      const other = lab.startWorker("other");
      await hitsAre(1);
      await lab.settled();
      await other.stop();
      expect(receiver.hits).toHaveLength(1);
      expect(receiver.hits[0]?.headers.get("webhook-timestamp")).toBe(String(Math.floor(endsAt / 1000)));
    } finally {
      await worker.stop();
    }
  });
});

test("a delivery postponed by a clock 40 days ahead is sent once the clock is right, but not a correctly delayed one", async () => {
  await lab.register(receiver.url);
  const other = startReceiver();
  try {
    const patient = await lab.register(other.url);
    await createTestLink(lab.links, lab.caller);
    const setBack = 40 * 24 * HOUR_MS;
    await lab.records.write((tx) =>
      tx
        .updateTable("webhook_deliveries")
        .set({ next_at: lab.clock() + setBack, attempts: 1 })
        .execute(),
    );
    await lab.records.write((tx) =>
      tx
        .updateTable("webhook_deliveries")
        .set({ next_at: lab.clock() + 24 * HOUR_MS })
        .where("endpoint_no", "=", (eb) => eb.selectFrom("webhook_endpoints").select("no").where("id", "=", patient.id))
        .execute(),
    );
    lab.start();
    await hitsAre(1);
    await lab.settled();
    expect(receiver.hits).toHaveLength(1);
    expect(other.hits).toHaveLength(0);
  } finally {
    await other.stop();
  }
});

test("a graceful stop aborts hanging deliveries, and the next start resends them", async () => {
  receiver.answerWith(() => new Promise(() => {}));
  lab.start();
  await lab.register(receiver.url);
  await createTestLink(lab.links, lab.caller);
  await hitsAre(1);
  const stopped = lab.restart();
  status(204);
  await stopped;
  await hitsAre(2);
  await until("it is delivered", async () => (await lab.allDeliveries())[0]?.state === "delivered");
  expect((await lab.allDeliveries())[0]?.attempts).toBe(1);
});
