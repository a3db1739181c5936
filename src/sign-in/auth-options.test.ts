import { Database } from "bun:sqlite";
import { afterEach, beforeEach, expect, test } from "bun:test";
import { betterAuth } from "better-auth";
import { getMigrations } from "better-auth/db/migration";
import { Kysely } from "kysely";
import { accountService } from "#accounts/accounts.service.ts";
import { openSqlite, SqliteConnection } from "#engines/records/sqlite/connection.ts";
import { SqliteDialect } from "#engines/records/sqlite/dialect.ts";
import { systemClock } from "#kernel/clock.ts";
import { loadPlans } from "#plans/plan-catalogue.ts";
import { openTestRecords, type TestRecords } from "#test/support/test-records.ts";
import { authOptions } from "./auth-options.ts";

const PASSWORD = "correct horse battery";
const EMAIL = "ada@example.com";
const HOUR_MS = 60 * 60 * 1000;
const DAY_MS = 24 * HOUR_MS;

let store: TestRecords;
let sqlite: Database;
let options: ReturnType<typeof openOptions>;
let auth: ReturnType<typeof openAuth>;
let owner: Awaited<ReturnType<typeof createOwner>>;

beforeEach(async () => {
  store = openTestRecords();
  owner = await createOwner(store);
  sqlite = new Database(store.path);
  options = openOptions(store.path);
  auth = openAuth(options);
});
afterEach(async () => {
  sqlite.close();
  await options.database.db.destroy();
  await store.close();
});

test("better-auth finds nothing to create or add in our tables", async () => {
  const plan = await getMigrations(options);
  expect(plan.toBeCreated).toEqual([]);
  expect(plan.toBeAdded).toEqual([]);
  expect(plan.toBeAddedIndexes).toEqual([]);
  expect(plan.schemaProblems).toEqual([]);
});

test("the owner of a new account signs in with their password, whatever the case of the e-mail", async () => {
  const { user } = await auth.api.signInEmail({ body: { email: "Ada@Example.com", password: PASSWORD } });
  expect(user).toMatchObject({ id: owner.userId, email: EMAIL, emailVerified: true });
});

test("a wrong password and an unknown e-mail address get the same answer", async () => {
  const refusal = { statusCode: 401, body: { code: "INVALID_EMAIL_OR_PASSWORD" } };
  const wrong = auth.api.signInEmail({ body: { email: EMAIL, password: `${PASSWORD}!` } });
  await expect(wrong).rejects.toMatchObject(refusal);
  const unknown = auth.api.signInEmail({ body: { email: "eve@example.com", password: PASSWORD } });
  await expect(unknown).rejects.toMatchObject(refusal);
});

test("a signed-in owner sees their account, its role and none of our own columns", async () => {
  const headers = await signIn();
  const accounts = await auth.api.listOrganizations({ headers });
  expect(accounts.map((account) => [account.id, account.name])).toEqual([[owner.accountId, "Acme"]]);
  expect(accounts[0]).not.toHaveProperty("plan_id");
  const { role } = await auth.api.getActiveMemberRole({ headers, query: { organizationId: owner.accountId } });
  expect(role).toBe("owner");
});

test("the account chosen for a session is stored as its active account", async () => {
  const headers = await signIn();
  await auth.api.setActiveOrganization({ headers, body: { organizationId: owner.accountId } });
  expect(getSessionRow().active_account_id).toBe(owner.accountId);
});

test("a session stores neither the address nor the user agent", async () => {
  const headers = { "x-forwarded-for": "198.51.100.7", "user-agent": "Mozilla/5.0 (X11; Linux x86_64)" };
  await signIn(headers);
  expect(getSessionRow()).toMatchObject({ ip_address: "", user_agent: null });
});

test("the library neither extends a session nor renews its cookie", async () => {
  const headers = await signIn();
  const startedAt = Date.now() - 25 * DAY_MS;
  for (const endsAt of [startedAt + 30 * DAY_MS, Date.now() + HOUR_MS]) {
    const text = toText(endsAt);
    sqlite.run("update sessions set created_at = ?, expires_at = ?", [toText(startedAt), text]);
    for (const used of [
      await auth.api.getSession({ headers, returnHeaders: true }),
      await auth.api.listOrganizations({ headers, returnHeaders: true }),
    ]) {
      expect(used.response).not.toBeNull();
      expect(used.headers.getSetCookie()).toEqual([]);
      expect(getSessionRow().expires_at).toBe(text);
    }
  }
});

test("nobody can sign up or create an account through the library", async () => {
  const body = { email: "eve@example.com", password: PASSWORD, name: "Eve" };
  await expect(auth.api.signUpEmail({ body })).rejects.toMatchObject({ statusCode: 400 });
  const headers = await signIn();
  const opened = auth.api.createOrganization({ headers, body: { name: "Mine", slug: "mine" } });
  await expect(opened).rejects.toMatchObject({ statusCode: 403 });
});

test("an account created by better-auth gets our id format and the default plan", async () => {
  await auth.api.createOrganization({ body: { name: "Second", slug: "second", userId: owner.userId } });
  const row = sqlite.query("select * from accounts where slug = 'second'").get();
  expect(row).toMatchObject({
    no: 2,
    id: expect.stringMatching(/^acc_[0-9a-hjkmnp-tv-z]{26}$/),
    plan_id: "unlimited",
    suspended_at: null,
    active_links: 0,
  });
});

test("a viewer may not invite, an admin may", async () => {
  const headers = await signIn();
  const mayInvite = async (role: string) => {
    sqlite.run("update members set role = ?", [role]);
    const body = { organizationId: owner.accountId, permissions: { invitation: ["create" as const] } };
    return (await auth.api.hasPermission({ headers, body })).success;
  };
  expect([await mayInvite("viewer"), await mayInvite("admin")]).toEqual([false, true]);
});

function openOptions(path: string) {
  const connection = new SqliteConnection(openSqlite({ path, readonly: false }));
  const dialect = new SqliteDialect({ connection, exclusive: true, close: () => connection.close() });
  const db = new Kysely<unknown>({ dialect });
  return authOptions({ db, secret: "0f".repeat(32), baseUrl: "http://localhost:3000" });
}

function openAuth(from: ReturnType<typeof openOptions>) {
  return betterAuth(from);
}

async function createOwner({ records }: TestRecords) {
  const accounts = accountService({ records, plans: loadPlans(null, "pro"), clock: systemClock });
  const password = async () => PASSWORD;
  const { id } = await accounts.create({ name: "Acme", email: "Ada@example.com", planId: null, password });
  const user = await records.read.selectFrom("users").select("id").executeTakeFirstOrThrow();
  return { accountId: id, userId: user.id };
}

async function signIn(headers: Record<string, string> = {}): Promise<Headers> {
  const body = { email: EMAIL, password: PASSWORD };
  const response = await auth.api.signInEmail({ body, headers: new Headers(headers), asResponse: true });
  const cookies = response.headers.getSetCookie().map((cookie) => cookie.split(";", 1)[0]);
  return new Headers({ cookie: cookies.join("; ") });
}

function getSessionRow(): Record<string, unknown> {
  const [row] = sqlite.query<Record<string, unknown>, []>("select * from sessions").all();
  if (row === undefined) throw new Error("there is no session");
  return row;
}

function toText(epochMs: number): string {
  return new Date(epochMs).toISOString();
}
