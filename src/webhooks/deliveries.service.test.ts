import { afterEach, beforeEach, describe, expect, setDefaultTimeout, test } from "bun:test";
import { createTestLink } from "#test/support/test-links.ts";
import { newTestCaller } from "#test/support/test-records.ts";
import { until } from "#test/support/until.ts";
import { openWebhookLab, type WebhookLab } from "#test/support/webhook-lab.ts";
import { payloadOf, type Receiver, startReceiver } from "#test/support/webhook-receiver.ts";

setDefaultTimeout(600_000);

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

const status = (code: number) => receiver.answerWith(() => new Response(code === 204 ? null : "no", { status: code }));

const hitsAre = (count: number): Promise<number> => until(`${count} hits`, () => receiver.hits.length >= count);

describe("a manual resend", () => {
  test("is one attempt with the same id and bytes, whatever the state of the delivery", async () => {
    lab.start();
    await lab.register(receiver.url);
    await createTestLink(lab.links, lab.caller);
    await hitsAre(1);
    await lab.settled();
    status(500);
    const [{ id } = { id: "" }] = await lab.allDeliveries();
    lab.advance(10 * 24 * HOUR_MS);
    await lab.webhooks.deliveries.redeliver(lab.caller, id);
    await hitsAre(2);
    await lab.settled();
    const [first, second] = receiver.hits;
    expect(second?.delivery).toBe(first?.delivery ?? "");
    expect(second?.body).toEqual(first?.body as Buffer);
    expect(second?.headers.get("webhook-timestamp")).toBe(String(Math.floor(lab.clock() / 1000)));
    const delivery = await lab.webhooks.deliveries.get(lab.caller, id);
    expect(delivery).toMatchObject({ state: "delivered", next_attempt_at: null });
    expect(delivery.attempts.map(({ manual, status: code }) => [manual, code])).toEqual([
      [false, 204],
      [true, 500],
    ]);
  });

  test("is rejected for other accounts and for a disabled endpoint", async () => {
    const { id } = await lab.register(receiver.url);
    await createTestLink(lab.links, lab.caller);
    const [{ id: deliveryId } = { id: "" }] = await lab.allDeliveries();
    const stranger = await newTestCaller(lab.records);
    await expect(lab.webhooks.deliveries.redeliver(stranger, deliveryId)).rejects.toThrow("no such object");
    await expect(lab.webhooks.deliveries.get(stranger, deliveryId)).rejects.toThrow("no such object");
    await expect(lab.webhooks.deliveries.recover(stranger, id, 0)).rejects.toThrow("no such object");
    await expect(lab.webhooks.deliveries.test(stranger, id)).rejects.toThrow("no such object");
    await lab.webhooks.endpoints.disable(lab.caller, id);
    await expect(lab.webhooks.deliveries.redeliver(lab.caller, deliveryId)).rejects.toThrow("enable it first");
  });

  test("a delivered delivery stays delivered if the resend is dropped", async () => {
    lab.start();
    const { id } = await lab.register(receiver.url);
    await createTestLink(lab.links, lab.caller);
    await hitsAre(1);
    await lab.settled();
    const waits = { next_at: lab.clock() + HOUR_MS, is_manual: 1 } as const;
    await lab.records.write((tx) => tx.updateTable("webhook_deliveries").set(waits).execute());
    await lab.webhooks.endpoints.disable(lab.caller, id);
    await lab.webhooks.endpoints.enable(lab.caller, id, { sendMissed: false });
    const [delivery] = await lab.allDeliveries();
    expect(delivery).toMatchObject({ state: "delivered", next_at: null });
    expect(await lab.webhooks.deliveries.recover(lab.caller, id, 0)).toBe(0);
  });

  test("a test event is sent whatever the endpoint subscribes to, and is not retried", async () => {
    lab.start();
    status(500);
    const { id } = await lab.register(receiver.url, ["link.deleted"]);
    await lab.webhooks.deliveries.test(lab.caller, id);
    await hitsAre(1);
    await lab.settled();
    expect(payloadOf(receiver.hits[0] as NonNullable<(typeof receiver.hits)[0]>)).toMatchObject({
      type: "webhook.test",
    });
    expect((await lab.allDeliveries()).map(({ state, next_at }) => [state, next_at])).toEqual([["failed", null]]);
    expect(await lab.webhooks.deliveries.recover(lab.caller, id, 0)).toBe(0);
  });

  test("a failed test does not mark the endpoint as having exhausted its retries", async () => {
    lab.start();
    status(500);
    const { id } = await lab.register(receiver.url);
    await lab.webhooks.deliveries.test(lab.caller, id);
    await hitsAre(1);
    await lab.settled();
    expect(await lab.webhooks.endpoints.get(lab.caller, id)).toMatchObject({
      failing_since: expect.any(String),
      exhausted_at: null,
    });
  });
});

test("pending deliveries can be dropped on enabling, and recovered later", async () => {
  lab.start();
  const { id } = await lab.register(receiver.url);
  const off = { disabled_at: lab.clock(), disabled_by: "failing" } as const;
  await lab.records.write((tx) => tx.updateTable("webhook_endpoints").set(off).where("id", "=", id).execute());
  const from = lab.clock();
  await createTestLink(lab.links, lab.caller);
  await lab.webhooks.endpoints.enable(lab.caller, id, { sendMissed: false });
  expect((await lab.allDeliveries()).map(({ state }) => state)).toEqual(["failed"]);
  expect(await lab.webhooks.deliveries.recover(lab.caller, id, from + 1)).toBe(0);
  expect(await lab.webhooks.deliveries.recover(lab.caller, id, from)).toBe(1);
  await hitsAre(1);
  await lab.settled();
  expect((await lab.allDeliveries()).map(({ state }) => state)).toEqual(["delivered"]);
});

test("pending deliveries are recovered too, keep their place in the schedule, and are sent once", async () => {
  lab.start();
  status(500);
  const { id } = await lab.register(receiver.url);
  await createTestLink(lab.links, lab.caller);
  await hitsAre(1);
  await lab.settled();
  const given = { state: "failed", next_at: null, attempts: 10 } as const;
  await lab.records.write((tx) => tx.updateTable("webhook_deliveries").set(given).execute());
  await createTestLink(lab.links, lab.caller);
  await hitsAre(2);
  await lab.settled();
  expect(await lab.webhooks.deliveries.recover(lab.caller, id, 0)).toBe(2);
  await hitsAre(4);
  await lab.settled();
  expect((await lab.allDeliveries()).map(({ state, attempts }) => [state, attempts])).toEqual([
    ["pending", 1],
    ["pending", 2],
  ]);
  expect(new Set(receiver.hits.map(({ delivery }) => delivery)).size).toBe(2);
});

test("events are deleted after thirty days, and deliveries held for a disabled endpoint expire after seven", async () => {
  const { id } = await lab.register(receiver.url);
  await createTestLink(lab.links, lab.caller);
  await lab.webhooks.endpoints.disable(lab.caller, id);
  lab.advance(7 * 24 * HOUR_MS);
  expect(await lab.webhooks.deliveries.prune(10)).toBe(0);
  lab.advance(1);
  expect(await lab.webhooks.deliveries.prune(10)).toBe(1);
  expect((await lab.allDeliveries()).map(({ state }) => state)).toEqual(["failed"]);
  lab.advance(23 * 24 * HOUR_MS);
  expect(await lab.webhooks.deliveries.prune(10)).toBe(1);
  expect(await lab.allDeliveries()).toEqual([]);
});
