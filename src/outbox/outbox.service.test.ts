import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { chosenEvents, type WebhookEvent, webhookEvents } from "#contract/webhooks.ts";
import { linkBlocking } from "#links/link-blocking.service.ts";
import { TRASH_MS } from "#links/link-record.ts";
import { createTestLink, testLinkService } from "#test/support/test-links.ts";
import { newTestCaller } from "#test/support/test-records.ts";
import { openWebhookLab, TEST_ORIGIN, type WebhookLab } from "#test/support/webhook-lab.ts";

let lab: WebhookLab;
beforeAll(async () => {
  lab = await openWebhookLab();
});
afterAll(() => lab.close());

const eventsOf = async (accountNo: number) =>
  lab.records.read
    .selectFrom("webhook_events")
    .select(["id", "type", "body"])
    .where("account_no", "=", accountNo)
    .orderBy("no")
    .execute();

const typesOf = async (accountNo: number) => (await eventsOf(accountNo)).map(({ type }) => type);

describe("a link change", () => {
  test("is queued as its event, with a body that matches its schema", async () => {
    const caller = await newTestCaller(lab.records);
    await lab.register("https://hook.example/", chosenEvents, caller);
    const { id } = await createTestLink(lab.links, caller, { title: "Frühling 🌷", tags: ["a"] });
    await lab.links.update(caller, id, { title: "Sommer ☀️" }, null);
    await lab.links.act(caller, id, "pause", null);
    await lab.links.act(caller, id, "resume", null);
    await lab.links.act(caller, id, "archive", null);
    await lab.links.act(caller, id, "unarchive", null);
    const blocking = linkBlocking({
      records: lab.records,
      clock: lab.clock,
      outbox: lab.outbox,
      origin: TEST_ORIGIN,
      ownHosts: [],
    });
    await blocking.block(id, "phishing");
    await blocking.unblock(id);
    await lab.links.delete(caller, id, null);
    await lab.links.delete(caller, id, null);
    await lab.links.restore(caller, id, null);
    await lab.links.restore(caller, id, null);
    await lab.links.delete(caller, id, null, { permanent: true });
    const events = await eventsOf(caller.accountNo);
    expect(events.map(({ type }) => type)).toEqual([
      "link.created",
      "link.updated",
      "link.paused",
      "link.resumed",
      "link.archived",
      "link.unarchived",
      "link.blocked",
      "link.unblocked",
      "link.deleted",
      "link.restored",
      "link.deleted",
    ]);
    for (const { id: eventId, type, body } of events) {
      const event = webhookEvents[type as WebhookEvent].payload.parse(JSON.parse(body));
      expect(event).toMatchObject({ id: eventId, type, account_id: caller.accountId, api_version: "v1" });
      expect(event.data).toMatchObject({ link: { id } });
    }
    const [trashed, erased] = [8, 10].map((at) => JSON.parse(events[at]?.body ?? "").data.link);
    expect(trashed).toMatchObject({ state: "deleted", version: 9, deleted_at: trashed.updated_at });
    expect(Date.parse(trashed.erases_at) - Date.parse(trashed.deleted_at)).toBe(TRASH_MS);
    expect(erased).toMatchObject({ state: "deleted", version: 11, erases_at: erased.deleted_at });
    const updated = JSON.parse(events[1]?.body ?? "");
    expect(updated.data).toMatchObject({ link: { title: "Sommer ☀️", version: 2 }, previous: { title: "Frühling 🌷" } });
    expect(Object.keys(updated.data.previous)).toEqual(["title"]);
  });

  test("that restores a link onto a block list is two events", async () => {
    const caller = await newTestCaller(lab.records);
    await lab.register("https://hook.example/", ["link.blocked", "link.restored"], caller);
    const { id } = await createTestLink(lab.links, caller);
    await lab.links.delete(caller, id, null);
    const listed = testLinkService(lab.records, lab.clock, { outbox: lab.outbox, blockReasonOf: () => "spam" });
    await listed.restore(caller, id, null);
    expect(await typesOf(caller.accountNo)).toEqual(["link.blocked", "link.restored"]);
    await lab.links.delete(caller, id, null);
    await lab.links.restore(caller, id, null);
    expect(await typesOf(caller.accountNo)).toEqual(["link.blocked", "link.restored", "link.restored"]);
  });

  test("that changes nothing queues no event", async () => {
    const caller = await newTestCaller(lab.records);
    await lab.register("https://hook.example/", undefined, caller);
    const { id } = await createTestLink(lab.links, caller, { title: "same" });
    await lab.links.update(caller, id, { title: "same" }, null);
    for (const action of ["resume", "unarchive", "pause", "pause", "archive", "archive"] as const) {
      await lab.links.act(caller, id, action, null);
    }
    expect(await typesOf(caller.accountNo)).toEqual(["link.created", "link.paused", "link.archived"]);
  });

  test("that is retried with the same key queues one event", async () => {
    const caller = await newTestCaller(lab.records);
    await lab.register("https://hook.example/", undefined, caller);
    const body = { destination_url: "https://example.com/" };
    const key = { operation: "links.create", key: "retry", fingerprint: "same" };
    for (let tries = 0; tries < 3; tries += 1) await lab.links.create(caller, body, key);
    expect(await typesOf(caller.accountNo)).toEqual(["link.created"]);
  });

  test("that is rejected queues no event", async () => {
    const caller = await newTestCaller(lab.records, { active_links: 1 });
    await lab.register("https://hook.example/", undefined, caller);
    await createTestLink(lab.links, caller);
    await expect(createTestLink(lab.links, caller)).rejects.toThrow("allows 1 active links");
    expect(await typesOf(caller.accountNo)).toEqual(["link.created"]);
  });
});

describe("an event goes to", () => {
  test("only the account's subscribed endpoints", async () => {
    const [caller, stranger] = [await newTestCaller(lab.records), await newTestCaller(lab.records)];
    await lab.register("https://hook.example/paused", ["link.paused"], caller);
    await lab.register("https://hook.example/both", ["link.paused", "link.resumed"], caller);
    await lab.register("https://hook.example/foreign", undefined, stranger);
    const { id } = await createTestLink(lab.links, caller);
    await lab.links.act(caller, id, "pause", null);
    await lab.links.act(caller, id, "resume", null);
    expect(await typesOf(caller.accountNo)).toEqual(["link.paused", "link.resumed"]);
    expect(await typesOf(stranger.accountNo)).toEqual([]);
    const deliveries = await lab.records.read
      .selectFrom("webhook_deliveries as d")
      .innerJoin("webhook_endpoints as e", "e.no", "d.endpoint_no")
      .innerJoin("webhook_events as v", "v.no", "d.event_no")
      .select(["e.url", "v.type"])
      .where("v.account_no", "=", caller.accountNo)
      .orderBy("d.no")
      .execute();
    expect(deliveries.map(({ url, type }) => [new URL(url).pathname, type])).toEqual([
      ["/paused", "link.paused"],
      ["/both", "link.paused"],
      ["/both", "link.resumed"],
    ]);
  });

  test("no endpoint that its owner disabled", async () => {
    const caller = await newTestCaller(lab.records);
    const { id } = await lab.register("https://hook.example/", undefined, caller);
    await lab.webhooks.endpoints.disable(caller, id);
    await createTestLink(lab.links, caller);
    expect(await typesOf(caller.accountNo)).toEqual([]);
  });

  test("an endpoint disabled by failures, for seven days", async () => {
    const caller = await newTestCaller(lab.records);
    const { id } = await lab.register("https://hook.example/", undefined, caller);
    const off = { disabled_at: lab.clock(), disabled_by: "failing" } as const;
    await lab.records.write((tx) => tx.updateTable("webhook_endpoints").set(off).where("id", "=", id).execute());
    await createTestLink(lab.links, caller);
    expect(await typesOf(caller.accountNo)).toEqual(["link.created"]);
    lab.advance(7 * 86_400_000);
    await createTestLink(lab.links, caller);
    expect(await typesOf(caller.accountNo)).toEqual(["link.created"]);
  });
});
