import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "bun:test";
import { deleteAccount, getAccount, listAudit } from "#contract/console/account.ts";
import {
  countWaiting,
  createWebhook,
  deleteWebhook,
  disableWebhook,
  enableWebhook,
  getDelivery,
  getWebhook,
  listDeliveries,
  listWebhooks,
  recoverWebhook,
  redeliver,
  rotateWebhook,
  testWebhook,
  updateWebhook,
} from "#contract/console/webhooks.ts";
import { createLink } from "#contract/links.ts";
import { type ConsoleClient, outcomeOf } from "#test/support/console-client.ts";
import { type ConsoleWithMail, startConsoleWithMail } from "#test/support/console-with-mail.ts";
import { until } from "#test/support/until.ts";
import { loopbackWebhooks, payloadOf, type Receiver, startReceiver } from "#test/support/webhook-receiver.ts";
import { acceptedBy, allVerifiers } from "#test/support/webhook-verifiers.ts";

let served: ConsoleWithMail;
let receiver: Receiver;

beforeAll(async () => {
  served = await startConsoleWithMail(loopbackWebhooks);
});
afterAll(() => served.stop());
beforeEach(() => {
  receiver = startReceiver();
});
afterEach(() => receiver.stop());

const makeLink = (client: ConsoleClient, title = "A link") =>
  client.do(createLink, { body: { destination_url: "https://example.com/", title } });

const register = (client: ConsoleClient, events: readonly string[] = ["link.created"]) =>
  client.do(createWebhook, { body: { url: receiver.url, events, description: "Test" } });

const deliveriesOf = async (client: ConsoleClient, id: string, query: Record<string, string> = {}) =>
  client.do(listDeliveries, { params: { id }, query });

async function settled(client: ConsoleClient, id: string, count: number) {
  await until(`${count} deliveries are settled`, async () => {
    const { data } = await deliveriesOf(client, id);
    return data.length === count && data.every(({ state }) => state !== "pending");
  });
  return (await deliveriesOf(client, id)).data;
}

describe("an endpoint registered in the console", () => {
  test("receives events, signed with the secret shown once, and logs them", async () => {
    const me = await served.newOwner();
    const { id, secret } = await register(me);
    receiver.answerWith(() => new Response("<b>thanks</b>", { status: 202 }));
    const { short_url } = await makeLink(me, "First");
    const [delivery] = await settled(me, id, 1);
    expect(await acceptedBy(receiver.hits[0] ?? { body: Buffer.alloc(0), headers: new Headers() }, secret)).toEqual(
      allVerifiers,
    );
    expect(delivery).toMatchObject({ event: "link.created", state: "delivered", attempts: 1 });
    expect(delivery?.last_attempt).toMatchObject({ status: 202, manual: false });
    const whole = await me.do(getDelivery, { params: { id: delivery?.id ?? "" } });
    expect([delivery?.subject, whole.subject]).toEqual(Array(2).fill(short_url.replace("http://", "")));
    expect(whole.body).toBe(receiver.hits[0]?.body.toString() ?? "");
    expect(whole.log.map(({ excerpt }) => excerpt)).toEqual(["<b>thanks</b>"]);
    const read = await Promise.all([me.call(listWebhooks), me.call(getWebhook, { params: { id } })]);
    for (const { text } of read) expect(text).not.toContain(secret);
    expect((await me.do(getAccount)).plan.features.webhook_endpoints.used).toBe(1);
  });

  test("is changed, disabled and enabled, tested, rotated and deleted", async () => {
    const me = await served.newOwner();
    const { id, secret } = await register(me);
    const changed = await me.do(updateWebhook, {
      params: { id },
      body: { description: null, events: ["link.paused"] },
    });
    expect(changed).toMatchObject({ description: null, events: ["link.paused"], url: receiver.url });
    expect(await me.do(disableWebhook, { params: { id } })).toMatchObject({ enabled: false, disabled_by: "owner" });
    expect(outcomeOf(await me.call(testWebhook, { params: { id } }))).toBe("409 invalid_state");
    expect(await me.do(enableWebhook, { params: { id }, body: { send_missed: false } })).toMatchObject({
      enabled: true,
    });
    const rotated = await me.do(rotateWebhook, { params: { id }, body: { overlap: true } });
    expect(rotated.secret).not.toBe(secret);
    const { delivery_id } = await me.do(testWebhook, { params: { id } });
    await settled(me, id, 1);
    const [hit] = receiver.hits;
    expect(hit && payloadOf(hit)).toMatchObject({ type: "webhook.test" });
    if (!hit) throw new Error("no hit");
    expect(await acceptedBy(hit, secret)).toEqual(allVerifiers);
    expect(await acceptedBy(hit, rotated.secret)).toEqual(allVerifiers);
    await me.do(redeliver, { params: { id: delivery_id } });
    await until("it is resent", () => receiver.hits.length === 2);
    expect(receiver.hits[1]?.delivery).toBe(delivery_id);
    await me.do(deleteWebhook, { params: { id } });
    expect(outcomeOf(await me.call(getWebhook, { params: { id } }))).toBe("404 not_found");
    expect(outcomeOf(await me.call(getDelivery, { params: { id: delivery_id } }))).toBe("404 not_found");
    const { data: log } = await me.do(listAudit);
    expect(log.map(({ action }) => action)).toEqual(
      expect.arrayContaining(["webhook.created", "webhook.updated", "webhook.secret_rotated", "webhook.deleted"]),
    );
  });

  test("can resend failed deliveries since a given time", async () => {
    const me = await served.newOwner();
    const { id } = await register(me);
    receiver.answerWith(() => new Response("no", { status: 410 }));
    await makeLink(me);
    await until("it is disabled", async () => !(await me.do(getWebhook, { params: { id } })).enabled);
    receiver.answerWith(() => new Response(null, { status: 204 }));
    await me.do(enableWebhook, { params: { id }, body: { send_missed: false } });
    const since = new Date(Date.now() - 3_600_000).toISOString();
    expect(await me.do(recoverWebhook, { params: { id }, body: { since } })).toEqual({ deliveries: 1 });
    await until("it arrives", async () => (await deliveriesOf(me, id)).data[0]?.state === "delivered");
  });

  test("shows how many deliveries are pending while it is off", async () => {
    const me = await served.newOwner();
    const { id } = await register(me);
    const waiting = async () => (await me.do(countWaiting, { params: { id } })).deliveries;
    receiver.answerWith(() => new Response("no", { status: 410 }));
    await makeLink(me);
    await until("it is disabled", async () => !(await me.do(getWebhook, { params: { id } })).enabled);
    receiver.answerWith(() => new Response(null, { status: 204 }));
    const before = await waiting();
    for (const title of ["a", "b"]) await makeLink(me, title);
    expect(await waiting()).toBe(before + 2);
    await me.do(enableWebhook, { params: { id }, body: { send_missed: false } });
    expect(await waiting()).toBe(0);
  });

  test("has a log with filters and pages", async () => {
    const me = await served.newOwner();
    const { id } = await register(me);
    for (const title of ["a", "b", "c"]) await makeLink(me, title);
    await me.do(testWebhook, { params: { id } });
    const all = await settled(me, id, 4);
    const seen: string[] = [];
    let before: string | null = null;
    do {
      const query: Record<string, string> = { limit: "3", ...(before !== null && { before }) };
      const page: Awaited<ReturnType<typeof deliveriesOf>> = await deliveriesOf(me, id, query);
      seen.push(...page.data.map((one) => one.id));
      before = page.next_before;
    } while (before !== null);
    expect(seen).toEqual(all.map((one) => one.id));
    expect((await deliveriesOf(me, id, { event: "webhook.test" })).data).toHaveLength(1);
    expect((await deliveriesOf(me, id, { state: "failed" })).data).toEqual([]);
    expect((await deliveriesOf(me, id, { before: "dlv_unknown" })).data).toEqual([]);
  });
});

describe("webhooks in the console are refused", () => {
  test("to everyone below admin", async () => {
    const { id } = await register(served.owner);
    for (const role of ["viewer", "member"] as const) {
      const me = await served.newMember(role);
      expect(outcomeOf(await me.call(listWebhooks))).toBe("403 role_insufficient");
      expect(outcomeOf(await me.call(deleteWebhook, { params: { id } }))).toBe("403 role_insufficient");
    }
    const admin = await served.newMember("admin");
    expect(outcomeOf(await admin.call(listWebhooks))).toBe("200");
    await served.owner.do(deleteWebhook, { params: { id } });
  });

  test("across accounts, as if they didn't exist", async () => {
    const { id } = await register(served.owner);
    const { delivery_id } = await served.owner.do(testWebhook, { params: { id } });
    const stranger = await served.newOwner();
    const body = { send_missed: true };
    const answers = await Promise.all([
      stranger.call(getWebhook, { params: { id } }),
      stranger.call(updateWebhook, { params: { id }, body: { url: receiver.url } }),
      stranger.call(enableWebhook, { params: { id }, body }),
      stranger.call(disableWebhook, { params: { id } }),
      stranger.call(rotateWebhook, { params: { id }, body: { overlap: false } }),
      stranger.call(testWebhook, { params: { id } }),
      stranger.call(listDeliveries, { params: { id } }),
      stranger.call(getDelivery, { params: { id: delivery_id } }),
      stranger.call(redeliver, { params: { id: delivery_id } }),
      stranger.call(deleteWebhook, { params: { id } }),
    ]);
    expect(answers.map(outcomeOf)).toEqual(answers.map(() => "404 not_found"));
    await served.owner.do(deleteWebhook, { params: { id } });
  });

  test("with every problem named by its field", async () => {
    const body = { url: "ftp://example.com", events: [], description: "" };
    const answer = await served.owner.call(createWebhook, { body });
    expect(outcomeOf(answer)).toBe("422 validation_failed");
    const { error } = answer.body as unknown as { error: { details: { errors: { field: string }[] } } };
    expect(error.details.errors.map(({ field }) => field)).toEqual(["url", "events", "description"]);
  });
});

test("only owners get a mail when an endpoint is disabled", async () => {
  const me = await served.newOwner();
  await served.newMember("admin", me);
  const { id } = await register(me);
  receiver.answerWith(() => new Response(null, { status: 410 }));
  // Other mails may still arrive: invitations, and those about endpoints of other tests.
  const mails = () => served.mails.filter(({ text }) => text.includes(id));
  await makeLink(me);
  await until("the mail has arrived", () => mails().length > 0);
  // The second delivery finds the endpoint off, so a second mail would have been sent by now.
  await makeLink(me);
  await me.do(enableWebhook, { params: { id }, body: { send_missed: true } });
  await until("it is off again", () => mails().length > 1);
  expect(mails().map(({ to }) => to)).toEqual([[me.email], [me.email]]);
  const text = mails()[0]?.text ?? "";
  expect(text).toContain(`/console/a/${me.account}/developer/webhooks/${id}`);
  expect(text).toContain(new URL(receiver.url).host);
  expect(text).not.toContain(receiver.url);
});

test("an account with endpoints and deliveries is deleted with them", async () => {
  const me = await served.newOwner();
  const { id } = await register(me);
  await makeLink(me);
  await settled(me, id, 1);
  await me.do(deleteAccount);
  const answered = receiver.hits.length;
  await until("it isn't found", async () => (await me.call(listWebhooks)).status === 404);
  const listing = async () => (await served.server.kurz(["webhooks", "list"])).stdout;
  await until("the operator no longer sees it", async () => !(await listing()).includes(id));
  expect(receiver.hits).toHaveLength(answered);
});
