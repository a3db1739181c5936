import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { changeRole, inviteMember, listMembers, removeMember } from "#contract/console/account.ts";
import { type ConsoleOperation, consoleOperations } from "#contract/console/operations.ts";
import { confirmPassword, signInWithCode, signOut } from "#contract/console/session.ts";
import { changePassword } from "#contract/console/user.ts";
import { createWebhook, getWebhook, updateWebhook } from "#contract/console/webhooks.ts";
import { changeRecords, readRecords } from "#test/support/change-records.ts";
import {
  type ConsoleClient,
  type ConsoleServer,
  outcomeOf,
  PASSWORD,
  startConsole,
} from "#test/support/console-client.ts";
import { expectThrottled } from "#test/support/throttled.ts";
import { addApp, codeFor } from "#test/support/totp.ts";

let site: ConsoleServer;
let stale: ConsoleClient;
let fresh: ConsoleClient;
beforeAll(async () => {
  site = await startConsole();
  [stale, fresh] = [await site.newOwner(), await site.newOwner()];
  await outdate(stale);
});
afterAll(() => site.stop());

/** As if ten minutes had passed since they last authenticated. */
async function outdate(client: ConsoleClient): Promise<void> {
  const userId = (await client.state()).session?.user.id ?? "";
  changeRecords(site.server, "update sessions set sudo_until = ? where user_id = ?", Date.now() - 1, userId);
}

/** The outcome of a call, without waiting for the end of a stream. */
async function ask(client: ConsoleClient, { method, path, body }: ConsoleOperation): Promise<string> {
  const target = path.replace(/\{\w+\}/g, "x");
  const response = await client.request(method, (path.startsWith("/console/") ? "" : "/console") + target, {
    headers: { "kurz-account": client.account },
    ...(body && { body: {} }),
  });
  if (response.ok) {
    await response.body?.cancel();
    return String(response.status);
  }
  const { error } = (await response.json()) as { error: { code: string } };
  return `${response.status} ${error.code}`;
}

const named = (operations: readonly ConsoleOperation[]): [string, ConsoleOperation][] =>
  operations.map((operation) => [operation.id, operation]);
const [asking, sparing] = [true, false].map((is) => consoleOperations.filter(({ sudo }) => sudo.required === is));

test("these operations require re-authentication, and no others", () => {
  expect((asking ?? []).map(({ id }) => id).toSorted()).toEqual([
    "console.account.delete",
    "console.account.sso",
    "console.members.change_role",
    "console.members.invitation_link",
    "console.members.invite",
    "console.members.remove",
    "console.passkeys.remove",
    "console.passkeys.start",
    "console.tokens.create",
    "console.two_factor.confirm",
    "console.two_factor.end",
    "console.two_factor.renew_codes",
    "console.two_factor.start",
    "console.user.delete",
    "console.user.email",
    "console.user.password",
    "console.webhooks.create",
    "console.webhooks.rotate",
    "console.webhooks.update",
  ]);
});

test("the table has every console operation once, with a reason", async () => {
  const folder = join(import.meta.dir, "..", "..", "contract", "console");
  const modules = await Promise.all(readdirSync(folder).map((name) => import(join(folder, name))));
  const defined = modules.flatMap((module) =>
    Object.values<unknown>(module).flatMap((value) =>
      typeof value === "object" && value !== null && "path" in value && "id" in value ? [String(value.id)] : [],
    ),
  );
  const listed = consoleOperations.map(({ id }) => id);
  expect(defined.length).toBeGreaterThan(50);
  expect(defined.filter((id) => !listed.includes(id))).toEqual([]);
  expect(new Set(listed).size).toBe(listed.length);
  for (const { sudo } of consoleOperations) expect(sudo.why).toMatch(/^[A-Z].{10,}\.$/);
});

describe("a session that authenticated too long ago is refused by", () => {
  test.each(named(asking ?? []))("%s", async (_, operation) => {
    expect(await ask(stale, operation)).toBe("403 sudo_required");
  });
});

describe("a session that authenticated too long ago is served as usual by", () => {
  // Sign-out comes last.
  const operations = (sparing ?? []).toSorted((a, b) => Number(a.id === signOut.id) - Number(b.id === signOut.id));

  test.each(named(operations))("%s", async (_, operation) => {
    const answer = await ask(stale, operation);
    expect(answer).not.toBe("403 sudo_required");
    expect(answer).toBe(await ask(fresh, operation));
  });
});

test("an authentication that would last too long counts for nothing", async () => {
  const owner = await site.newOwner();
  const userId = (await owner.state()).session?.user.id ?? "";
  const sudoUntil = (ms: number) =>
    changeRecords(site.server, "update sessions set sudo_until = ? where user_id = ?", Date.now() + ms, userId);
  const invite = () => owner.call(inviteMember, { body: { email: "someone@example.com", role: "viewer" } });
  // As if the clock had been set back by a day.
  sudoUntil(86_400_000);
  expect(outcomeOf(await invite())).toBe("403 sudo_required");
  sudoUntil(60_000);
  expect(outcomeOf(await invite())).toBe("201");
});

test("a stolen session can't invite, promote or redirect events without the password", async () => {
  const owner = await site.newOwner();
  const member = await site.newMember("member", owner);
  const { id: endpoint } = await owner.do(createWebhook, {
    body: { url: "https://hooks.example.com/hook", events: ["link.created"] },
  });
  const { members } = await owner.do(listMembers);
  const { id } = members.find(({ email }) => email === member.email) ?? { id: "" };
  await outdate(owner);
  const changes = () => [
    owner.call(inviteMember, { body: { email: "thief@example.com", role: "owner" } }),
    owner.call(changeRole, { params: { id }, body: { role: "owner" } }),
    owner.call(updateWebhook, { params: { id: endpoint }, body: { url: "https://hooks.example.com/thief" } }),
  ];
  const refused = await Promise.all([...changes(), owner.call(removeMember, { params: { id } })]);
  expect(refused.map(outcomeOf)).toEqual(Array.from({ length: 4 }, () => "403 sudo_required"));
  const after = await owner.do(listMembers);
  expect([after.members, after.invitations]).toEqual([members, []]);
  expect((await owner.do(getWebhook, { params: { id: endpoint } })).url).toBe("https://hooks.example.com/hook");

  await owner.do(confirmPassword, { body: { password: PASSWORD } });
  expect((await Promise.all(changes())).map(outcomeOf)).toEqual(["201", "200", "200"]);
});

test("someone with an authenticator app confirms with the password and a code, each code once", async () => {
  const owner = await site.newOwner();
  const { secret, backup_codes } = await addApp(owner);
  const confirm = async (code?: string) =>
    outcomeOf(await owner.call(confirmPassword, { body: { password: PASSWORD, ...(code !== undefined && { code }) } }));
  const invite = async (email: string) =>
    outcomeOf(await owner.call(inviteMember, { body: { email, role: "viewer" } }));
  await outdate(owner);
  expect(await confirm()).toBe("422 validation_failed");
  expect(await confirm("AAAAA-AAAAA")).toBe("401 sign_in_failed");
  expect(await invite("one@example.com")).toBe("403 sudo_required");
  const code = await codeFor(secret, 1);
  expect(await confirm(code)).toBe("204");
  expect(await invite("two@example.com")).toBe("201");
  await outdate(owner);
  expect([await confirm(code), await confirm(backup_codes[0])]).toEqual(["401 sign_in_failed", "204"]);
  expect(await invite("three@example.com")).toBe("201");
});

test("changing the password requires re-authentication, and is none for someone with an authenticator app", async () => {
  const owner = await site.newOwner();
  const { backup_codes } = await addApp(owner);
  const change = async () =>
    outcomeOf(await owner.call(changePassword, { body: { current: PASSWORD, password: "four large brown herons" } }));
  await outdate(owner);
  expect(await change()).toBe("403 sudo_required");
  await owner.do(confirmPassword, { body: { password: PASSWORD, code: backup_codes[0] ?? "" } });
  const before = (await owner.state()).session?.sudo_until ?? "";
  expect(await change()).toBe("204");
  expect((await owner.state()).session?.sudo_until).toBe(before);
});

describe("wrong codes", () => {
  const WRONG = "AAAAA-AAAAA";
  const confirm = async (client: ConsoleClient, password = PASSWORD) =>
    outcomeOf(await client.call(confirmPassword, { body: { password, code: WRONG } }));

  test("still count after the password was changed", async () => {
    const owner = await site.newOwner();
    await addApp(owner);
    for (let n = 0; n < 4; n += 1) expect(await confirm(owner)).toBe("401 sign_in_failed");
    const password = "four large brown herons";
    await owner.do(changePassword, { body: { current: PASSWORD, password } });
    const outcomes = await Promise.all(Array.from({ length: 4 }, () => confirm(owner, password)));
    expect(new Set(outcomes)).toEqual(new Set(["401 sign_in_failed", "429 rate_limited"]));
  });

  test("count for all sessions and sign-ins together", async () => {
    const owner = await site.newOwner();
    const { backup_codes } = await addApp(owner);
    const enter = async (client: ConsoleClient, code = WRONG) =>
      outcomeOf(await client.call(signInWithCode, { body: { code } }));
    const [other, one, two] = [site.guest(), site.guest(), site.guest()];
    for (const guest of [other, one, two]) await guest.signIn(owner.email);
    expect(await enter(other, backup_codes[0])).toBe("204");
    for (const client of [owner, other, owner, other]) expect(await confirm(client)).toBe("401 sign_in_failed");
    await expectThrottled((n) => enter(n % 2 === 0 ? one : two), "401 sign_in_failed");
  });
});

test("the audit log says how someone re-authenticated", async () => {
  const owner = await site.newOwner();
  await owner.do(confirmPassword, { body: { password: PASSWORD } });
  const { secret, backup_codes } = await addApp(owner);
  await owner.do(confirmPassword, { body: { password: PASSWORD, code: await codeFor(secret, 1) } });
  await owner.do(confirmPassword, { body: { password: PASSWORD, code: backup_codes[0] ?? "" } });
  const rows = readRecords<{ details: string }>(
    site.server,
    `select details from audit_log
      where action = 'session.confirmed' and subject = (select id from users where email = ?) order by no`,
    owner.email,
  );
  const methods = rows.map(({ details }) => JSON.parse(details).method);
  expect(methods).toEqual(["password", "code", "backup_code"]);
});
