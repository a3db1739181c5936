import { afterEach, beforeEach, expect, test } from "bun:test";
import { accountService } from "#accounts/accounts.service.ts";
import { systemClock } from "#kernel/clock.ts";
import { loadPlans } from "#plans/plan-catalogue.ts";
import { openTestRecords, type TestRecords } from "#test/support/test-records.ts";
import { type Auth, lazyAuth } from "./auth.ts";
import { requesterReader } from "./requester.ts";

const PASSWORD = "correct horse battery";
const EMAIL = "ada@example.com";
const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

let store: TestRecords;
let auth: () => Promise<Auth>;
let headers: Headers;

beforeEach(async () => {
  store = openTestRecords();
  const { records } = store;
  const accounts = accountService({ records, plans: loadPlans(null, "pro"), clock: systemClock });
  await accounts.create({ name: "Acme", email: EMAIL, planId: null, password: async () => PASSWORD });
  auth = lazyAuth({ db: records.library, secret: "0f".repeat(32), baseUrl: "http://localhost:3000" });
  const { api } = await auth();
  const answer = await api.signInEmail({ body: { email: EMAIL, password: PASSWORD }, asResponse: true });
  const cookies = answer.headers.getSetCookie().map((cookie) => cookie.split(";", 1)[0]);
  headers = new Headers({ cookie: cookies.join("; ") });
});
afterEach(() => store.close());

/** Uses the session at a time, and tells when it then was used last and when it ends. */
async function useAt(now: number, sessionDays = 30) {
  const read = requesterReader({ auth, records: store.records, clock: () => now, sessionDays, issuer: null });
  const cookies: string[] = [];
  const request = new Request("http://localhost/console/api/state", { headers });
  const { session } = await read(request, { clientAddress: "192.0.2.1", cookies } as Parameters<typeof read>[1]);
  expect([session?.email, cookies]).toEqual([EMAIL, []]);
  return spanOf();
}

async function spanOf() {
  const { updated_at, expires_at } = await store.records.read
    .selectFrom("sessions")
    .select(["updated_at", "expires_at"])
    .executeTakeFirstOrThrow();
  return { usedAt: Date.parse(updated_at), endsAt: Date.parse(expires_at) };
}

const startAt = (at: number) =>
  store.records.write((tx) =>
    tx
      .updateTable("sessions")
      .set({ created_at: new Date(at).toISOString() })
      .execute(),
  );

test("a session ends seven days after its last use, which is noted once an hour", async () => {
  const begun = await spanOf();
  expect(begun.endsAt - begun.usedAt).toBeWithin(7 * DAY_MS - HOUR_MS / 2, 7 * DAY_MS + HOUR_MS / 2);
  expect(await useAt(begun.usedAt + HOUR_MS / 2)).toEqual(begun);
  const later = begun.usedAt + 2 * HOUR_MS;
  const extended = { usedAt: later, endsAt: later + 7 * DAY_MS };
  expect(await useAt(later)).toEqual(extended);
  expect(await useAt(later + HOUR_MS / 2)).toEqual(extended);
});

test("but never later than 30 days after its start, however often it is used", async () => {
  const now = Date.now();
  const startedAt = now - 25 * DAY_MS;
  await startAt(startedAt);
  const endsAt = startedAt + 30 * DAY_MS;
  const usedAt = now + 2 * HOUR_MS;
  expect(await useAt(usedAt)).toEqual({ usedAt, endsAt });
  // Nothing is written again until an hour has passed.
  expect(await useAt(usedAt + HOUR_MS - 1)).toEqual({ usedAt, endsAt });
  expect(await useAt(usedAt + HOUR_MS)).toEqual({ usedAt: usedAt + HOUR_MS, endsAt });
});

test("a shorter lifetime counts for sessions that have begun, too", async () => {
  const now = Date.now();
  const startedAt = now - DAY_MS;
  await startAt(startedAt);
  expect((await useAt(now + 2 * HOUR_MS, 3)).endsAt).toBe(startedAt + 3 * DAY_MS);
});

test("single sign-on counts only with the provider of today, while it knows the person", async () => {
  const { records } = store;
  const { id: userId } = await records.read.selectFrom("users").select("id").executeTakeFirstOrThrow();
  await records.write((tx) => tx.updateTable("sessions").set({ signed_in_by: "sso" }).execute());
  const provenAt = async (issuer: string | null) => {
    const read = requesterReader({ auth, records, clock: Date.now, sessionDays: 30, issuer });
    const request = new Request("http://localhost/console/api/state", { headers });
    const { session } = await read(request, { clientAddress: "192.0.2.1", cookies: [] } as never);
    return session?.signedInBy;
  };
  expect(await provenAt("https://id.example")).toBeNull();
  const identity = {
    provider_id: "oidc:https://id.example",
    provider_account_id: "ada",
    user_id: userId,
    password: null,
  };
  const times = { created_at: new Date().toISOString(), updated_at: new Date().toISOString() };
  await records.write((tx) =>
    tx
      .insertInto("credentials")
      .values({ id: "crd_1", ...identity, ...times })
      .execute(),
  );
  expect(await provenAt("https://id.example")).toBe("sso");
  expect(await provenAt("https://other.example")).toBeNull();
  expect(await provenAt(null)).toBeNull();
});
