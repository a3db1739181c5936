import { Database } from "bun:sqlite";
import { afterEach, beforeEach, describe, expect, setDefaultTimeout, test } from "bun:test";
import { existsSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { scopes } from "#contract/scopes.ts";
import { migrations } from "#engines/records/migrations/all.ts";
import { migrateSqlite } from "#engines/records/sqlite/migrate.ts";
import { commandFor } from "#runtime/command-name.ts";
import { type Kurz, kurzHere, newDataDir, type Outcome, spawnedKurz } from "#test/support/kurz-command.ts";

// A process takes a tenth of a second to start, and many times that on a busy machine.
setDefaultTimeout(600_000);

const PASSWORD = "correct horse battery";
const TOKEN = /^kurz_[0-9A-Za-z]{12}_[0-9A-Za-z]{49}$/;

let dataDir = "";
let kurz: Kurz;

beforeEach(() => {
  dataDir = newDataDir();
  kurz = kurzHere(dataDir);
  migrateSqlite(join(dataDir, "records.db"));
});
afterEach(() => rmSync(dirname(dataDir), { recursive: true }));

const failure = (message: string): Outcome => ({
  exitCode: 1,
  out: "",
  err: `kurz: ${message} (data directory: ${dataDir})\n`,
});

/** The output of a command that worked, which is one line. */
function lineOf({ exitCode, out, err }: Outcome): string {
  expect({ exitCode, err }).toEqual({ exitCode: 0, err: "" });
  expect(out).toEndWith("\n");
  return out.slice(0, -1);
}

const jsonOf = (outcome: Outcome): unknown => JSON.parse(lineOf(outcome));

const createAccount = async (email = "ada@example.com", ...more: string[]): Promise<string> =>
  lineOf(await kurz(["accounts", "create", "--email", email, "--name", email, ...more], { input: `${PASSWORD}\n` }));

const createToken = async (account: string, ...more: string[]): Promise<string> =>
  lineOf(await kurz(["tokens", "create", "--account", account, "--name", "CI", "--scopes", "all", ...more]));

function rowsOf<T>(query: string): T[] {
  const database = new Database(join(dataDir, "records.db"), { readonly: true });
  try {
    return database.query(query).all() as T[];
  } finally {
    database.close();
  }
}

test("a dry run says how to run the import, as this operator runs Kurz", async () => {
  const file = join(dirname(dataDir), "links.csv");
  writeFileSync(file, "slug,url\nsale,https://example.com/\n");
  const { exitCode, out } = await kurz(["import", "csv", file, "--account", await createAccount(), "--dry-run"]);
  expect(exitCode).toBe(0);
  const [id = ""] = /imp_[0-9a-z]+/.exec(out) ?? [];
  expect(out).toEndWith(`\nNothing was created. Run it with: ${commandFor(dataDir)} imports resume ${id}\n`);
});

test("an account and its tokens live from creation to revocation", async () => {
  kurz = spawnedKurz(dataDir);
  const account = await createAccount();
  expect(account).toMatch(/^acc_[0-9a-z]{26}$/);
  const token = await createToken(account, "--expires", "30d", "--rate-limit", "600");
  expect(token).toMatch(TOKEN);
  // A process for each of the others would show nothing new.
  kurz = kurzHere(dataDir);
  const id = token.slice(5, 17);
  const listed = jsonOf(await kurz(["tokens", "list", "--account", account, "--json"]));
  expect(listed).toMatchObject([{ id, account_id: account, name: "CI", scopes, rate_limit: 600, revoked_at: null }]);
  const [{ created_at, expires_at }] = listed as [{ created_at: string; expires_at: string }];
  expect(Date.parse(expires_at) - Date.parse(created_at)).toBe(30 * 86_400_000);

  const table = lineOf(await kurz(["tokens", "list"]));
  expect(table).toContain(`kurz_${id}  ${account}  CI    all     live`);
  expect(table).not.toContain(token);

  expect(lineOf(await kurz(["tokens", "revoke", `kurz_${id}`]))).toBe(`The token ${id} is revoked.`);
  expect(await kurz(["tokens", "revoke", id])).toEqual(failure(`there is no live token "${id}"`));
  expect(lineOf(await kurz(["tokens", "list"]))).toContain("revoked");
});

test("a second account of the same name is created with a notice beside its id", async () => {
  const first = await createAccount("ada@example.com");
  const args = ["accounts", "create", "--email", "ada@example.com", "--name", "ada@example.com"];
  const { exitCode, out, err } = await kurz(args);
  const second = out.trim();
  expect({ exitCode, err }).toEqual({
    exitCode: 0,
    err: `kurz: note: there is already an account of this name (${first}); to undo this, run kurz accounts delete ${second}\n`,
  });
  expect(second).toMatch(/^acc_[0-9a-z]{26}$/);
  expect(second).not.toBe(first);
});

test("a backup inside the data directory is refused in one line, and missing parents are created", async () => {
  const inside = join(dataDir, "backups", "today");
  for (const target of [dataDir, inside]) {
    expect(await kurz(["backup", target])).toEqual({
      exitCode: 2,
      out: "",
      err: `kurz: ${target} is inside the data directory ${dataDir}; choose a directory outside it\n`,
    });
  }
  expect(existsSync(dirname(inside))).toBe(false);
  const outside = join(dirname(dataDir), "new", "backups", "today");
  expect((await kurz(["backup", outside])).exitCode).toBe(0);
  expect(existsSync(join(outside, "data", "records.db"))).toBe(true);
});

test("a token expires after 90 days by default", async () => {
  const account = await createAccount();
  await createToken(account);
  await createToken(account, "--expires", "never");
  const lives = rowsOf<{ life: number | null }>(
    "select expires_at - created_at as life from tokens order by created_at",
  );
  expect(lives).toEqual([{ life: 90 * 86_400_000 }, { life: null }]);
});

describe("the owner's password", () => {
  test("is read from standard input, without one trailing newline", async () => {
    kurz = spawnedKurz(dataDir);
    await createAccount();
    const [{ password }] = rowsOf<{ password: string }>("select password from credentials") as [{ password: string }];
    expect(await Bun.password.verify(PASSWORD, password)).toBe(true);
  });

  test("is not read if the e-mail address has a user, who then owns another account", async () => {
    const first = await createAccount();
    // Standard input stays open: a command that read it would never end.
    const second = lineOf(
      await spawnedKurz(dataDir)(["accounts", "create", "--email", "ADA@example.com", "--name", "Second"]),
    );
    const owners = rowsOf(
      "select account_id, role, user_id = (select id from users) as same from members order by rowid",
    );
    expect(owners).toEqual([
      { account_id: first, role: "owner", same: 1 },
      { account_id: second, role: "owner", same: 1 },
    ]);
  });

  test("is refused when it is short, and nothing is created", async () => {
    const outcome = await kurz(["accounts", "create", "--email", "ada@example.com", "--name", "Acme"], {
      input: "short\n",
    });
    expect(outcome).toEqual(failure("the password must have 12 to 128 characters; this one has 5"));
    for (const table of ["accounts", "users", "members", "credentials", "audit_log"]) {
      expect(rowsOf(`select 1 from ${table}`)).toEqual([]);
    }
  });
});

test("an account is suspended once and resumed once", async () => {
  const account = await createAccount();
  expect(lineOf(await kurz(["accounts", "suspend", account]))).toBe(`The account ${account} is suspended.`);
  expect(await kurz(["accounts", "suspend", account])).toEqual(
    failure(`the account "${account}" is already suspended`),
  );
  expect(lineOf(await kurz(["accounts", "list"]))).toContain("suspended");
  expect(jsonOf(await kurz(["accounts", "resume", account, "--json"]))).toEqual({ id: account, suspended: false });
  expect(await kurz(["accounts", "resume", account])).toEqual(failure(`the account "${account}" is not suspended`));
});

test("an account has the default plan, the one it was created with, or the one it was moved to", async () => {
  const first = await createAccount();
  const second = await createAccount("bob@example.com", "--plan", "free");
  lineOf(await kurz(["plans", "set", "--account", first, "--plan", "pro"]));
  const accounts = jsonOf(await kurz(["accounts", "list", "--json"]));
  expect(accounts).toMatchObject([
    { id: first, plan_id: "pro" },
    { id: second, plan_id: "free" },
  ]);
  expect(await kurz(["plans", "set", "--account", first, "--plan", "gold"])).toEqual(
    failure('there is no plan "gold"; there are: free, pro, unlimited'),
  );
});

test("plan limits are reported in the words of the API", async () => {
  const plans = join(dirname(dataDir), "plans.json");
  const one = { api_access: true, active_links: 1, webhook_endpoints: 1, api_tokens: 1 };
  writeFileSync(plans, JSON.stringify({ one }));
  const env = { KURZ_PLANS_FILE: plans, KURZ_DEFAULT_PLAN: "one" };
  const create = ["accounts", "create", "--email", "ada@example.com", "--name", "Acme"];
  const account = lineOf(await kurz(create, { input: PASSWORD, env }));
  const args = ["tokens", "create", "--account", account, "--name", "CI", "--scopes", "qr:read"];
  lineOf(await kurz(args, { env }));
  expect(await kurz(args, { env })).toEqual(failure("The plan allows 1 live tokens."));
});

test("every change is in the audit log, and no secret is", async () => {
  const account = await createAccount();
  const token = await createToken(account);
  const id = token.slice(5, 17);
  lineOf(await kurz(["plans", "set", "--account", account, "--plan", "pro"]));
  lineOf(await kurz(["accounts", "suspend", account]));
  lineOf(await kurz(["accounts", "resume", account]));
  lineOf(await kurz(["tokens", "revoke", id]));
  const entries = rowsOf<{ actor: string; action: string; subject: string }>(
    "select actor, action, subject, details from audit_log order by no",
  );
  expect(entries.map(({ actor, action, subject }) => [actor, action, subject])).toEqual([
    ["operator", "account.created", account],
    ["operator", "token.created", id],
    ["operator", "plan.set", account],
    ["operator", "account.suspended", account],
    ["operator", "account.resumed", account],
    ["operator", "token.revoked", id],
  ]);
  const text = JSON.stringify(entries);
  expect(text).not.toContain(PASSWORD);
  expect(text).not.toContain(token.slice(18));
});

test("webhook endpoints work without a server, and deliveries wait for one", async () => {
  const account = await createAccount();
  const create = ["webhooks", "create", "--account", account, "--url", "https://hooks.example/kurz"];
  const shown = jsonOf(await kurz([...create, "--events", "link.deleted"])) as { id: string; secret: string };
  expect(shown).toEqual({ id: expect.stringMatching(/^we_[0-9a-z]{26}$/), secret: expect.stringMatching(/^whsec_/) });
  const table = lineOf(await kurz(["webhooks", "list"]));
  expect(table).toContain(`${shown.id}  ${account}  https://hooks.example/kurz  link.deleted  enabled`);
  expect(table).not.toContain(shown.secret);
  expect(lineOf(await kurz(["webhooks", "test", shown.id]))).toMatch(/^The delivery dlv_\w+ is queued/);
  expect(jsonOf(await kurz(["webhooks", "deliveries", shown.id, "--json"]))).toMatchObject([
    { endpoint_id: shown.id, event: "webhook.test", state: "pending", attempts: [] },
  ]);
  expect(await kurz(["webhooks", "create", "--account", account, "--url", "http://10.0.0.1/"])).toMatchObject({
    exitCode: 1,
    err: expect.stringMatching(/^kurz: url: /),
  });
  expect(lineOf(await kurz(["webhooks", "delete", shown.id]))).toBe(`The endpoint ${shown.id} is deleted.`);
  expect(lineOf(await kurz(["webhooks", "list"]))).toBe("There are no webhook endpoints.");
});

test("migrating reports what it did, and the second time that there was nothing to do", async () => {
  leaveOldRecords();
  expect(jsonOf(await kurz(["migrate", "--json"]))).toMatchObject({ applied: expect.arrayContaining(["console"]) });
  expect(lineOf(await kurz(["migrate"]))).toMatch(/^The schema is current \(version \d+\)\.$/);
});

/** As an early release would have written them. */
function leaveOldRecords(): void {
  for (const name of readdirSync(dataDir)) rmSync(join(dataDir, name), { recursive: true });
  const database = new Database(join(dataDir, "records.db"));
  database.run("create table migrations (id integer primary key, name text not null, applied_at integer not null)");
  for (const { id, name, sqlite } of migrations.slice(0, 5)) {
    database.run(sqlite);
    database.run("insert into migrations values (?, ?, 0)", [id, name]);
  }
  database.close();
}

test("wrong arguments exit with 2, wrong configuration with 1, and nothing is created", async () => {
  kurz = spawnedKurz(dataDir);
  expect(await kurz(["tokens", "crate"])).toEqual({
    exitCode: 2,
    out: "",
    err: 'kurz: unknown command "tokens crate"; did you mean "tokens create"?\n',
  });
  expect(await kurz(["tokens", "create", "--account", "a", "--name", "n", "--scopes", "links:all"])).toEqual({
    exitCode: 2,
    out: "",
    err: `kurz: --scopes: each entry must be one of ${scopes.join(", ")}, or all by itself, not "links:all"\n`,
  });
  expect(await kurz(["accounts", "list"], { env: { KURZ_PORT: "none" } })).toEqual({
    exitCode: 1,
    out: "",
    err: 'kurz: KURZ_PORT must be a whole number from 1 to 65535, not "none"\n',
  });
  expect(await Bun.file(join(dataDir, "lock.db")).exists()).toBe(false);
});
