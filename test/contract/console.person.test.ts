import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { deleteAccount, listAudit, listMembers } from "#contract/console/account.ts";
import { confirmPassword, resetPassword } from "#contract/console/session.ts";
import { changeEmail, confirmEmail, deleteUser } from "#contract/console/user.ts";
import { changeRecords, readRecords } from "#test/support/change-records.ts";
import {
  type ConsoleClient,
  type ConsoleServer,
  outcomeOf,
  PASSWORD,
  startConsole,
} from "#test/support/console-client.ts";
import { type ConsoleWithMail, startConsoleWithMail } from "#test/support/console-with-mail.ts";
import { until } from "#test/support/until.ts";

let site: ConsoleWithMail;
beforeAll(async () => {
  site = await startConsoleWithMail();
});
afterAll(() => site.stop());

/** As if ten minutes had passed, so that re-authentication is required. */
const forgetProof = (email: string) =>
  changeRecords(
    site.server,
    "update sessions set sudo_until = 0 where user_id = (select id from users where email = ?)",
    email,
  );

async function mailTo(email: string, subject: string): Promise<string> {
  const find = () => site.mails.find(({ to, text }) => to.includes(email) && text.includes(`Subject: ${subject}`));
  await until(`a mail to ${email} has arrived`, () => find() !== undefined);
  return find()?.text ?? "";
}

async function askFor(client: ConsoleClient, email: string): Promise<string> {
  expect(await client.do(changeEmail, { body: { email } })).toEqual({ confirmation_sent: true });
  const mail = await mailTo(email.toLowerCase(), "Confirm your new e-mail address");
  return /\/console\/confirm-email\/(\w+)/.exec(mail)?.[1] ?? "";
}

const confirm = (token: string) => site.guest().call(confirmEmail, { body: { token } });

describe("a new e-mail address", () => {
  test("applies once confirmed; the old address is notified, and links sent to it stop working", async () => {
    const me = await site.newOwner();
    const elsewhere = site.guest();
    await elsewhere.signIn(me.email);
    const reset = await site.askForReset(me.email);
    const token = await askFor(me, "New.Address@example.com");
    expect((await me.state()).session?.user.email).toBe(me.email);
    expect(outcomeOf(await confirm(token))).toBe("204");
    expect((await me.state()).session?.user.email).toBe("new.address@example.com");
    expect((await elsewhere.state()).session).toBeNull();
    await mailTo(me.email, "Your e-mail address was changed");
    expect(outcomeOf(await confirm(token))).toBe("404 not_found");
    const body = { token: reset, password: "four large green herons" };
    expect(outcomeOf(await site.guest().call(resetPassword, { body }))).toBe("404 not_found");
    expect(outcomeOf(await site.guest().signIn(me.email))).toBe("401 sign_in_failed");
    expect(outcomeOf(await site.guest().signIn("new.address@example.com"))).toBe("200");
    const actions = readRecords<{ action: string; details: string }>(
      site.server,
      "select action, details from audit_log where action like 'email.%' order by no",
    );
    expect(actions.map(({ action }) => action)).toEqual(["email.change_requested", "email.changed"]);
  });

  test("requires re-authentication, must be a different one, and must be free, even when confirmed", async () => {
    const [me, other] = [await site.newOwner(), await site.newOwner()];
    const ask = (email: string) => me.call(changeEmail, { body: { email } });
    forgetProof(me.email);
    expect(outcomeOf(await ask("fresh@example.com"))).toBe("403 sudo_required");
    await me.do(confirmPassword, { body: { password: PASSWORD } });
    expect(outcomeOf(await ask(me.email.toUpperCase()))).toBe("422 validation_failed");
    expect(outcomeOf(await ask(other.email))).toBe("409 already_exists");
    const mine = await askFor(me, "wanted@example.com");
    await other.do(confirmPassword, { body: { password: PASSWORD } });
    expect(outcomeOf(await confirm(await askFor(other, "wanted-too@example.com")))).toBe("204");
    changeRecords(site.server, "update users set email = 'wanted@example.com' where email = 'wanted-too@example.com'");
    expect(outcomeOf(await confirm(mine))).toBe("409 already_exists");
  });

  test("is confirmed only with the newest link, within an hour", async () => {
    const me = await site.newOwner();
    const first = await askFor(me, "first@example.com");
    const second = await askFor(me, "second@example.com");
    expect(outcomeOf(await confirm(first))).toBe("404 not_found");
    changeRecords(site.server, "update verifications set expires_at = '2020-01-01T00:00:00.000Z'");
    expect(outcomeOf(await confirm(second))).toBe("404 not_found");
    expect((await me.state()).session?.user.email).toBe(me.email);
  });

  test("applies at once, unverified, if the server sends no mail", async () => {
    const quiet: ConsoleServer = await startConsole();
    try {
      const body = { email: "other@example.com" };
      expect(await quiet.owner.do(changeEmail, { body })).toEqual({ confirmation_sent: false });
      expect((await quiet.owner.state()).session?.user.email).toBe("other@example.com");
      const [user] = readRecords<object>(quiet.server, "select email, email_verified from users");
      expect(user).toEqual({ email: "other@example.com", email_verified: 0 });
    } finally {
      await quiet.stop();
    }
  });
});

describe("a user who deletes their profile", () => {
  test("re-authenticates first, and is then gone everywhere", async () => {
    const me = await site.newMember("member");
    forgetProof(me.email);
    expect(outcomeOf(await me.call(deleteUser))).toBe("403 sudo_required");
    await me.do(confirmPassword, { body: { password: PASSWORD } });
    expect(outcomeOf(await me.call(deleteUser))).toBe("204");
    expect((await me.state()).session).toBeNull();
    expect(outcomeOf(await site.guest().signIn(me.email))).toBe("401 sign_in_failed");
    expect((await site.owner.call(listMembers)).text).not.toContain(me.email);
    const { text } = await site.owner.call(listAudit, { query: { limit: "50" } });
    expect(text).toContain("member.left");
    expect(text).not.toContain(me.email);
  });

  test("must first hand over or delete accounts they alone own, and is told which", async () => {
    const me = await site.newOwner();
    const refused = await me.call(deleteUser);
    expect(outcomeOf(refused)).toBe("409 last_owner");
    expect(refused.text).toContain(`\\"Other\\" (${me.account})`);
    expect((await me.state()).session).not.toBeNull();
    await me.do(deleteAccount);
    expect(outcomeOf(await me.call(deleteUser))).toBe("204");
  });
});
