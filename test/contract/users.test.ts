import { afterAll, beforeAll, expect, test } from "bun:test";
import { listAudit, listMembers } from "#contract/console/account.ts";
import { signInWithCode } from "#contract/console/session.ts";
import { renewBackupCodes } from "#contract/console/user.ts";
import { readRecords } from "#test/support/change-records.ts";
import { type ConsoleServer, OWNER_EMAIL, outcomeOf, PASSWORD, startConsole } from "#test/support/console-client.ts";
import { type Kurz, kurzHere } from "#test/support/kurz-command.ts";
import { addApp } from "#test/support/totp.ts";
import { until } from "#test/support/until.ts";

let site: ConsoleServer;
let kurz: Kurz;
beforeAll(async () => {
  site = await startConsole();
  kurz = kurzHere(site.server.dataDir);
});
afterAll(() => site.stop());

const operatorEntries = (action: string) =>
  readRecords<{ subject: string }>(
    site.server,
    "select subject from audit_log where actor = 'operator' and action = ?",
    action,
  );

test("users are listed with their accounts and whether they use a second factor", async () => {
  const member = await site.newMember("viewer");
  await addApp(member);
  const { out } = await kurz(["users", "list", "--json"]);
  const people = JSON.parse(out) as { email: string; two_factor: boolean; accounts: { id: string; role: string }[] }[];
  expect(people.find(({ email }) => email === OWNER_EMAIL)).toMatchObject({ two_factor: false });
  expect(people.find(({ email }) => email === member.email)).toMatchObject({
    two_factor: true,
    accounts: [{ id: site.owner.account, role: "viewer" }],
  });
  expect((await kurz(["users", "list"])).out).toContain(member.email);
});

test("someone who lost their second factor can use a backup code, or ask the operator to reset it", async () => {
  const owner = await site.newOwner();
  await addApp(owner);
  const { backup_codes } = await owner.do(renewBackupCodes);
  const guest = site.guest();
  expect((await guest.signIn(owner.email)).body).toEqual({ second_factor: true });
  expect(outcomeOf(await guest.call(signInWithCode, { body: { code: backup_codes[0] ?? "" } }))).toBe("204");

  const reset = await kurz(["users", "reset-2fa", owner.email]);
  expect([reset.exitCode, reset.err]).toEqual([0, ""]);
  expect((await owner.state()).session).toBeNull();
  expect((await site.guest().signIn(owner.email)).body).toEqual({ second_factor: false });
  expect(operatorEntries("two_factor.reset")).toHaveLength(1);
  expect((await kurz(["users", "reset-2fa", owner.email])).err).toContain("has no authenticator app");
});

test("a deleted user is signed out, leaves every account and may return as someone new", async () => {
  const member = await site.newMember("member");
  const left = await kurz(["users", "delete", member.email]);
  expect([left.exitCode, left.err]).toEqual([0, ""]);
  expect((await member.state()).session).toBeNull();
  const { members } = await site.owner.do(listMembers);
  expect(members.map(({ email }) => email)).not.toContain(member.email);
  // The invitation was logged under the address, which the log no longer shows.
  const log = await site.owner.do(listAudit, { query: { limit: "20" } });
  expect(log.data).toContainEqual(expect.objectContaining({ actor: "operator", action: "member.removed" }));
  expect(JSON.stringify(log.data)).not.toContain(member.email);
  expect(outcomeOf(await site.guest().signIn(member.email))).toBe("401 sign_in_failed");
  expect((await kurz(["users", "delete", member.email])).err).toContain("there is no user");
});

test("an account that lost its owner can get another: a member, another user or a new one", async () => {
  const [owner, member] = [await site.newOwner(), await site.newMember("viewer")];
  const add = (account: string, email: string) =>
    kurz(["accounts", "add-owner", "--account", account, "--email", email], { input: PASSWORD });
  expect((await add(site.owner.account, member.email)).exitCode).toBe(0);
  expect((await member.state()).session?.accounts).toMatchObject([{ id: site.owner.account, role: "owner" }]);
  expect((await add(owner.account, member.email)).exitCode).toBe(0);
  expect((await add(owner.account, member.email)).err).toContain("already");
  expect((await add("acc_none", member.email)).err).toContain('there is no account "acc_none"');
  expect((await add(owner.account, "grace@example.com")).exitCode).toBe(0);
  const grace = site.guest();
  expect((await grace.signIn("grace@example.com")).body).toEqual({ second_factor: false });
  expect((await grace.state()).session?.accounts).toMatchObject([{ id: owner.account, role: "owner" }]);
  // Now the first owner can be deleted.
  expect((await kurz(["users", "delete", owner.email])).exitCode).toBe(0);
});

test("an operator deletes an account with everything in it", async () => {
  const owner = await site.newOwner();
  expect((await kurz(["accounts", "delete", owner.account])).exitCode).toBe(0);
  expect((await owner.state()).session?.accounts).toEqual([]);
  await until(
    "the account is gone",
    () => readRecords(site.server, "select 1 from accounts where id = ?", owner.account).length === 0,
  );
  expect(operatorEntries("account.deleted")).toEqual([{ subject: owner.account }]);
  expect((await kurz(["accounts", "delete", owner.account])).err).toContain("there is no account");
});
