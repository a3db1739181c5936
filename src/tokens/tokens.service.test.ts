import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { listAuditForAccount } from "#audit/list-audit.ts";
import type { Caller } from "#kernel/caller.ts";
import { loadPlans } from "#plans/plan-catalogue.ts";
import { newTestCaller, openTestRecords, type TestRecords } from "#test/support/test-records.ts";
import { type TokenService, tokenService } from "./tokens.service.ts";

const DAY_MS = 86_400_000;
const START = Date.UTC(2026, 0, 1);

let store: TestRecords;
let tokens: TokenService;
let caller: Caller;
let now = START;

beforeEach(async () => {
  now = START;
  store = openTestRecords();
  tokens = tokenService({ records: store.records, plans: loadPlans(null, "unlimited"), clock: () => now });
  caller = await newTestCaller(store.records);
});
afterEach(() => store.close());

const create = async (name: string, days: number | null): Promise<string> => {
  const expiresInMs = days === null ? null : days * DAY_MS;
  const { accountId } = caller;
  const made = await tokens.create({
    accountId,
    name,
    scopes: ["qr:read"],
    expiresInMs,
    rateLimit: null,
    actor: "operator",
  });
  return made.id;
};

/** What the log says beside the creation, oldest first. */
const noted = async () => {
  const { data } = await listAuditForAccount(store.records, caller.accountNo, { limit: 100 });
  const ends = data.filter(({ action }) => action !== "token.created").toReversed();
  return ends.map(({ actor, action, subject, details }) => ({ actor, action, subject, details }));
};

const revokedAtOf = async (id: string) =>
  (await tokens.list(caller.accountId)).find((token) => token.id === id)?.revoked_at;

describe("a token that another one creates", () => {
  const by = (id: string): Caller => ({ ...caller, actor: `token:${id}`, via: "api" });
  const newOwn = async (): Promise<string> => {
    const { accountId } = caller;
    const request = { accountId, name: "own", expiresInMs: DAY_MS, rateLimit: 7, actor: "operator" };
    return (await tokens.create({ ...request, scopes: ["qr:read", "tokens:write"] })).id;
  };

  test("isn't created once the other one was revoked or has expired, even if the request came before", async () => {
    const own = await newOwn();
    const late = await newOwn();
    await tokens.revoke(own, { actor: "operator", accountNo: null });
    await expect(tokens.createByToken(by(own), { name: "new", scopes: ["qr:read"] })).rejects.toMatchObject({
      code: "token_revoked",
    });
    now += DAY_MS;
    await expect(tokens.createByToken(by(late), { name: "new", scopes: ["qr:read"] })).rejects.toMatchObject({
      code: "token_expired",
    });
    expect((await tokens.list(caller.accountId)).map(({ name }) => name)).toEqual(["own", "own"]);
  });
});

describe("a token that ended", () => {
  const deleteAll = async (): Promise<number> => (await tokens.deleteEnded(1)) + (await tokens.deleteEnded(10));

  test("is listed for 30 days, or 400 if it was used, and the audit log keeps what became of it", async () => {
    const [expired, revoked] = [await create("expired", 1), await create("revoked", null)];
    const [live, used] = [await create("live", null), await create("used", 1)];
    const touched = { last_used_at: START };
    await store.records.write((tx) => tx.updateTable("tokens").set(touched).where("id", "=", used).execute());
    now += DAY_MS;
    await tokens.revoke(revoked, { actor: "operator", accountNo: null });
    await tokens.noteExpired();
    const listed = async () => (await tokens.list(caller.accountId)).map(({ id }) => id).toSorted();
    now += 30 * DAY_MS;
    expect(await deleteAll()).toBe(0);
    now += 1;
    expect(await deleteAll()).toBe(2);
    expect(await listed()).toEqual([live, used].toSorted());
    now += 370 * DAY_MS;
    expect(await deleteAll()).toBe(1);
    expect(await listed()).toEqual([live]);
    const ends = (await noted()).map(({ action, subject }) => `${action} ${subject}`);
    const expected = [`token.expired ${expired}`, `token.expired ${used}`, `token.revoked ${revoked}`];
    expect(ends.toSorted()).toEqual(expected.toSorted());
  });
});

describe("a token unused for 365 days", () => {
  test("is revoked, counted from its last use or its creation, and the log says why", async () => {
    const [unused, used] = [await create("unused", null), await create("used", null)];
    const touched = { last_used_at: START + DAY_MS };
    await store.records.write((tx) => tx.updateTable("tokens").set(touched).where("id", "=", used).execute());
    now = START + 365 * DAY_MS;
    await tokens.revokeUnused();
    expect(await noted()).toEqual([]);
    now += 1;
    await tokens.revokeUnused();
    await tokens.revokeUnused();
    const entry = { actor: "system", action: "token.revoked", details: { reason: "unused" } };
    expect(await noted()).toEqual([{ ...entry, subject: unused }]);
    expect(await revokedAtOf(unused)).toBe(new Date(now).toISOString());
    expect(await revokedAtOf(used)).toBeNull();
    now += DAY_MS;
    await tokens.revokeUnused();
    expect((await noted()).map(({ subject }) => subject)).toEqual([unused, used]);
  });
});

describe("an expired token", () => {
  test("is logged once, by the next housekeeping run", async () => {
    const [short, long] = [await create("short", 30), await create("long", 90)];
    await create("endless", null);
    const revoked = await create("revoked", 30);
    await tokens.revoke(revoked, { actor: "operator", accountNo: null });
    now = START + 30 * DAY_MS - 1;
    await tokens.noteExpired();
    expect((await noted()).map(({ action }) => action)).toEqual(["token.revoked"]);
    for (now of [START + 30 * DAY_MS, START + 31 * DAY_MS, START + 90 * DAY_MS, START + 200 * DAY_MS]) {
      await tokens.noteExpired();
    }
    const entry = { actor: "system", action: "token.expired", details: {} };
    expect((await noted()).slice(1)).toEqual([
      { ...entry, subject: short },
      { ...entry, subject: long },
    ]);
  });
});
