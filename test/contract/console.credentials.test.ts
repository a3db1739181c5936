import { afterAll, beforeAll, expect, test } from "bun:test";
import { resetPassword, signInWithCode } from "#contract/console/session.ts";
import { changePassword, listPasskeys, renewBackupCodes, startTwoFactor, updateUser } from "#contract/console/user.ts";
import { readRecords } from "#test/support/change-records.ts";
import { outcomeOf, PASSWORD } from "#test/support/console-client.ts";
import { type ConsoleWithMail, startConsoleWithMail } from "#test/support/console-with-mail.ts";
import { newSquatter } from "#test/support/squatter.ts";
import { addApp, codeFor } from "#test/support/totp.ts";
import { until } from "#test/support/until.ts";

const NEW_PASSWORD = "four large green herons";

let console: ConsoleWithMail;
beforeAll(async () => {
  console = await startConsoleWithMail();
});
afterAll(() => console.stop());

test("a password change invalidates reset links and pending two-step sign-ins", async () => {
  const owner = await console.newOwner();
  const { secret } = await addApp(owner);
  const thief = console.guest();
  expect((await thief.signIn(owner.email)).body).toEqual({ second_factor: true });
  const token = await console.askForReset(owner.email);
  await owner.do(changePassword, { body: { current: PASSWORD, password: NEW_PASSWORD } });
  const reset = await thief.call(resetPassword, { body: { token, password: "five huge blue herons" } });
  expect(outcomeOf(reset)).toBe("404 not_found");
  const code = await thief.call(signInWithCode, { body: { code: await codeFor(secret, 1) } });
  expect(outcomeOf(code)).toBe("401 sign_in_failed");
  expect((await owner.state()).session).not.toBeNull();
});

test("a password reset by mail takes an address back from someone who signed up with it, including every other way in", async () => {
  const email = "pre-registered@example.com";
  const stranger = await newSquatter(console, email);
  const token = await console.askForReset(email);
  const guest = console.guest();
  await guest.do(resetPassword, { body: { token, password: NEW_PASSWORD } });
  expect((await stranger.state()).session).toBeNull();
  expect((await guest.signIn(email, NEW_PASSWORD)).body).toEqual({ second_factor: false });
  expect((await guest.do(listPasskeys)).data).toEqual([]);
  // From now on the address is verified, and a reset keeps the second factor.
  await addApp(guest);
  await guest.do(resetPassword, { body: { token: await console.askForReset(email), password: PASSWORD } });
  expect((await console.guest().signIn(email)).body).toEqual({ second_factor: true });
});

test("new backup codes replace the old ones, and require an authenticator app", async () => {
  const owner = await console.newOwner();
  expect(outcomeOf(await owner.call(renewBackupCodes))).toBe("404 not_found");
  await owner.do(startTwoFactor);
  expect(outcomeOf(await owner.call(renewBackupCodes))).toBe("404 not_found");
  const { backup_codes: old } = await addApp(owner);
  const { backup_codes: renewed } = await owner.do(renewBackupCodes);
  expect([renewed.length, new Set([...old, ...renewed]).size]).toEqual([10, 20]);
  const signInWith = async (code = "") => {
    const guest = console.guest();
    await guest.signIn(owner.email);
    return outcomeOf(await guest.call(signInWithCode, { body: { code } }));
  };
  expect([await signInWith(old[0]), await signInWith(renewed[0])]).toEqual(["401 sign_in_failed", "204"]);
});

test("new backup codes for several requests at once end sessions, but fail none after the change was made", async () => {
  for (let round = 0; round < 4; round += 1) {
    const owner = await console.newOwner();
    await addApp(owner);
    const answers = await Promise.all(Array.from({ length: 5 }, () => owner.call(renewBackupCodes)));
    const outcomes = new Set(answers.map(outcomeOf));
    expect(outcomes).toContain("200");
    expect([...outcomes].filter((outcome) => !["200", "401 not_signed_in"].includes(outcome))).toEqual([]);
  }
});

test("the audit log has wrong passwords and codes by user, and changes to their own profile", async () => {
  const owner = await console.newOwner();
  const entries = () =>
    readRecords<{ action: string; details: string }>(
      console.server,
      "select action, details from audit_log where subject = (select id from users where email = ?) order by no",
      owner.email,
    ).map(({ action, details }) => `${action} ${details}`);
  await addApp(owner);
  await owner.call(changePassword, { body: { current: "not the password", password: NEW_PASSWORD } });
  await until("the first refusal is logged", () => entries().some((entry) => entry.startsWith("session.refused")));
  const guest = console.guest();
  await guest.signIn(owner.email);
  await guest.call(signInWithCode, { body: { code: "000000" } });
  await until("the second one is logged", () => entries().some((entry) => entry.endsWith('{"method":"code"}')));
  await owner.do(updateUser, { body: { name: "Grace" } });
  expect(entries()).toEqual([
    'session.started {"method":"password"}',
    "two_factor.started {}",
    'session.refused {"method":"password"}',
    'session.refused {"method":"code"}',
    'user.renamed {"name":"Grace"}',
  ]);
});
