import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { chosenEvents, defaultEvents } from "#contract/webhooks.ts";
import { ApiError } from "#kernel/api-error.ts";
import { createTestLink } from "#test/support/test-links.ts";
import { newTestCaller } from "#test/support/test-records.ts";
import { openWebhookLab, type WebhookLab } from "#test/support/webhook-lab.ts";
import type { EndpointService } from "./endpoints.service.ts";

let lab: WebhookLab;
let endpoints: EndpointService;
beforeAll(async () => {
  lab = await openWebhookLab();
  endpoints = lab.webhooks.endpoints;
});
afterAll(() => lab.close());

const URL_OK = "https://hook.example/kurz";

const problemsOf = async (work: Promise<unknown>): Promise<string[]> => {
  const error = await work.then(
    () => null,
    (thrown: unknown) => thrown,
  );
  if (!(error instanceof ApiError) || error.code !== "validation_failed") throw error ?? new Error("it was accepted");
  return (error as ApiError<"validation_failed">).details?.errors.map(({ field, code }) => `${field} ${code}`) ?? [];
};

describe("creating an endpoint", () => {
  test("returns an id and a secret, which is shown once and stored encrypted", async () => {
    const caller = await newTestCaller(lab.records);
    const created = await endpoints.create(caller, { url: URL_OK, description: "Our CRM" });
    expect(created).toMatchObject({ url: URL_OK, description: "Our CRM", enabled: true, events: defaultEvents });
    expect(created.id).toMatch(/^we_[0-9a-z]{26}$/);
    expect(created.secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
    expect(defaultEvents).not.toContain("link.clicked");
    const [listed] = await endpoints.list(caller);
    expect(listed).not.toHaveProperty("secret");
    const files = [lab.path, `${lab.path}-wal`].map((path) => readFileSync(path));
    for (const file of files) expect(file.includes(created.secret.slice(6))).toBe(false);
  });

  test("reports every invalid field, and creates nothing", async () => {
    const caller = await newTestCaller(lab.records);
    const bad = { url: "ftp://hook.example/", events: ["link.created", "link.made"], description: "a\u0007b" };
    expect(await problemsOf(endpoints.create(caller, bad))).toEqual([
      "url scheme_not_allowed",
      "events not_in_enum",
      "description invalid_format",
    ]);
    expect(await problemsOf(endpoints.create(caller, { url: URL_OK, events: [] }))).toEqual(["events too_short"]);
    expect(await problemsOf(endpoints.create(caller, { url: URL_OK, events: ["webhook.test"] }))).toEqual([
      "events not_in_enum",
    ]);
    expect(await problemsOf(endpoints.create(caller, { url: `${URL_OK}/${"a".repeat(2048)}` }))).toEqual([
      "url too_long",
    ]);
    expect(await endpoints.list(caller)).toEqual([]);
    const account = lab.records.read
      .selectFrom("accounts")
      .select("webhook_endpoints")
      .where("no", "=", caller.accountNo);
    expect((await account.executeTakeFirstOrThrow()).webhook_endpoints).toBe(0);
  });

  test("stops exactly at the plan's limit, also for concurrent requests; deleting frees a place", async () => {
    const caller = await newTestCaller(lab.records, { webhook_endpoints: 3 });
    const outcomes = await Promise.allSettled(
      Array.from({ length: 10 }, () => endpoints.create(caller, { url: URL_OK })),
    );
    const refused = outcomes.filter((outcome) => outcome.status === "rejected").map(({ reason }) => reason);
    expect(refused).toHaveLength(7);
    for (const error of refused) {
      expect(error).toMatchObject({ code: "plan_limit", details: { feature: "webhook_endpoints", limit: 3 } });
    }
    const [first] = await endpoints.list(caller);
    await endpoints.delete(caller, first?.id ?? "");
    await endpoints.create(caller, { url: URL_OK });
    expect(await endpoints.list(caller)).toHaveLength(3);
  });
});

describe("an endpoint", () => {
  test("is not found by other accounts, for any operation", async () => {
    const { id } = await endpoints.create(lab.caller, { url: URL_OK });
    const stranger = await newTestCaller(lab.records);
    const attempts = [
      () => endpoints.get(stranger, id),
      () => endpoints.update(stranger, id, { url: URL_OK }),
      () => endpoints.enable(stranger, id, { sendMissed: true }),
      () => endpoints.disable(stranger, id),
      () => endpoints.rotate(stranger, id, { overlap: false }),
      () => endpoints.delete(stranger, id),
    ];
    for (const attempt of attempts) await expect(attempt()).rejects.toThrow("no such object");
    expect(await endpoints.get(lab.caller, id)).toMatchObject({ enabled: true, url: URL_OK });
  });

  test("changes only the given fields", async () => {
    const { id } = await endpoints.create(lab.caller, { url: URL_OK, description: "first" });
    const changed = await endpoints.update(lab.caller, id, { events: ["link.clicked"] });
    expect(changed).toMatchObject({ url: URL_OK, description: "first", events: ["link.clicked"] });
    const again = await endpoints.update(lab.caller, id, { url: "https://other.example", description: null });
    expect(again).toMatchObject({ url: "https://other.example/", description: null, events: ["link.clicked"] });
    expect(await problemsOf(endpoints.update(lab.caller, id, { url: "no" }))).toEqual(["url invalid_url"]);
    expect((await endpoints.update(lab.caller, id, { events: chosenEvents })).events).toEqual(chosenEvents);
  });

  test("keeps at most one old secret, for a day, and none without overlap", async () => {
    const { id, secret } = await endpoints.create(lab.caller, { url: URL_OK });
    const rotated = await endpoints.rotate(lab.caller, id, { overlap: true });
    expect(rotated.id).toBe(id);
    expect(rotated.secret).not.toBe(secret);
    const until = (await endpoints.get(lab.caller, id)).old_secret_until ?? "";
    expect(Date.parse(until) - lab.clock()).toBe(86_400_000);
    await endpoints.rotate(lab.caller, id, { overlap: false });
    expect((await endpoints.get(lab.caller, id)).old_secret_until).toBeNull();
  });

  test("is deleted with its pending deliveries", async () => {
    const caller = await newTestCaller(lab.records);
    const { id } = await endpoints.create(caller, { url: URL_OK });
    for (let at = 0; at < 3; at += 1) await createTestLink(lab.links, caller);
    const waiting = await lab.countWaiting();
    await endpoints.delete(caller, id);
    expect(await endpoints.list(caller)).toEqual([]);
    expect(await lab.countWaiting()).toBe(waiting - 3);
  });

  test("has every change in the audit log, without its secret", async () => {
    const caller = await newTestCaller(lab.records);
    const { id, secret } = await endpoints.create(caller, { url: "https://user-given.example/?token=hidden" });
    await endpoints.update(caller, id, { description: "x" });
    await endpoints.rotate(caller, id, { overlap: true });
    await endpoints.disable(caller, id);
    await endpoints.enable(caller, id, { sendMissed: false });
    await endpoints.delete(caller, id);
    const entries = await lab.records.read
      .selectFrom("audit_log")
      .select(["action", "actor", "subject", "details"])
      .where("account_no", "=", caller.accountNo)
      .orderBy("no")
      .execute();
    expect(entries.map(({ action }) => action)).toEqual([
      "webhook.created",
      "webhook.updated",
      "webhook.secret_rotated",
      "webhook.disabled",
      "webhook.enabled",
      "webhook.deleted",
    ]);
    expect(entries.every(({ actor, subject }) => actor === caller.actor && subject === id)).toBe(true);
    expect(JSON.stringify(entries)).not.toContain(secret.slice(6));
    expect(JSON.stringify(entries)).not.toContain("hidden");
  });
});

test("operators can't act for an account that is being removed", async () => {
  const caller = await newTestCaller(lab.records);
  const { id } = await endpoints.create(caller, { url: URL_OK });
  const { callers } = lab.webhooks;
  expect((await callers.forEndpoint(id)).accountId).toBe(caller.accountId);
  await lab.records.write((tx) =>
    tx.updateTable("accounts").set({ removed_at: 1 }).where("no", "=", caller.accountNo).execute(),
  );
  await expect(callers.forAccount(caller.accountId)).rejects.toThrow("there is no account");
  await expect(callers.forEndpoint(id)).rejects.toThrow("there is no webhook endpoint");
  expect((await callers.withEndpoints()).map(({ accountId }) => accountId)).not.toContain(caller.accountId);
});
