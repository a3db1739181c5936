import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { createToken } from "#contract/console/account.ts";
import { confirmPassword, forgetPassword, resetPassword, signInWithCode } from "#contract/console/session.ts";
import {
  changePassword,
  confirmTwoFactor,
  endOtherSessions,
  endSession,
  endTwoFactor,
  listSessions,
  renewBackupCodes,
  startPasskey,
  startTwoFactor,
} from "#contract/console/user.ts";
import { changeRecords, readRecords } from "#test/support/change-records.ts";
import { type ConsoleClient, newTokenBody, OWNER_EMAIL, outcomeOf, PASSWORD } from "#test/support/console-client.ts";
import { type ConsoleWithMail, startConsoleWithMail } from "#test/support/console-with-mail.ts";
import { addApp, codeFor } from "#test/support/totp.ts";
import { until } from "#test/support/until.ts";

const NEW_PASSWORD = "four large green herons";

let console: ConsoleWithMail;
beforeAll(async () => {
  console = await startConsoleWithMail({ KURZ_MAIL_FROM: "Kurz <kurz@s.example>" });
});
afterAll(() => console.stop());

const signedIn = async (email: string, password = PASSWORD): Promise<ConsoleClient> => {
  const client = console.guest();
  expect(outcomeOf(await client.signIn(email, password))).toBe("200");
  return client;
};

describe("sessions", () => {
  test("are listed by device, without address or header, and ended one by one", async () => {
    const { email } = await console.newOwner();
    const firefox = "Mozilla/5.0 (X11; Linux x86_64; rv:128.0) Gecko/20100101 Firefox/128.0";
    const laptop = console.guest();
    const headers = { "user-agent": firefox };
    await laptop.request("POST", "/console/api/sign-in", { headers, body: { email, password: PASSWORD } });
    const phone = await signedIn(email);
    const { data } = await phone.do(listSessions);
    expect(data.filter(({ current }) => current)).toHaveLength(1);
    const other = data.find(({ device }) => device === "Firefox on Linux");
    expect(other).toMatchObject({ current: false });
    const { text } = await phone.call(listSessions);
    expect(text).not.toMatch(/Mozilla|127\.0\.0\.1|::1/);
    await phone.do(endSession, { params: { id: other?.id ?? "" } });
    expect((await laptop.state()).session).toBeNull();
    expect((await phone.state()).session).not.toBeNull();
  });

  test("of other users can't be ended", async () => {
    const eve = await console.newOwner();
    const [mine] = (await console.owner.do(listSessions)).data;
    const answer = await eve.call(endSession, { params: { id: mine?.id ?? "" } });
    expect(outcomeOf(answer)).toBe("404 not_found");
  });

  test("all others can be ended at once", async () => {
    const { email } = await console.newOwner();
    const [one, two] = [await signedIn(email), await signedIn(email)];
    await two.do(endOtherSessions);
    expect([(await one.state()).session, (await two.state()).session !== null]).toEqual([null, true]);
  });

  test("are extended without a new cookie, which could replace one that a confirmation sets meanwhile", async () => {
    const { email } = await console.newOwner();
    const client = console.guest();
    const { headers } = await client.signIn(email, PASSWORD);
    const cookie = headers.getSetCookie().find((one) => one.includes("kurz.session_token="));
    expect(cookie).toContain("Max-Age=2592000;");
    const soon = Date.now() + 2 * 86_400_000;
    changeRecords(
      console.server,
      "update sessions set expires_at = ? where user_id = (select id from users where email = ?)",
      new Date(soon).toISOString(),
      email,
    );
    const answer = await client.call(listSessions);
    expect(answer.status).toBe(200);
    expect(answer.headers.getSetCookie()).toEqual([]);
    const current = (await client.do(listSessions)).data.find((session) => session.current);
    expect(Date.parse(current?.expires_at ?? "")).toBeGreaterThan(soon + 4 * 86_400_000);
  });

  test("expire when unused for long", async () => {
    const { email } = await console.newOwner();
    const client = await signedIn(email);
    changeRecords(
      console.server,
      "update sessions set expires_at = ? where user_id = (select id from users where email = ?)",
      new Date(Date.now() - 1000).toISOString(),
      email,
    );
    expect((await client.state()).session).toBeNull();
  });
});

describe("a sensitive operation", () => {
  test("requires the password again after ten minutes, and then not for ten minutes", async () => {
    const owner = await console.newOwner();
    const make = () => owner.call(createToken, { body: newTokenBody });
    expect(outcomeOf(await make())).toBe("201");
    changeRecords(console.server, "update sessions set sudo_until = ?", Date.now() - 1);
    expect(outcomeOf(await make())).toBe("403 sudo_required");
    for (const endpoint of [startTwoFactor, confirmTwoFactor, startPasskey, endTwoFactor, renewBackupCodes]) {
      expect(outcomeOf(await owner.call(endpoint))).toBe("403 sudo_required");
    }
    const wrong = await owner.call(confirmPassword, { body: { password: "not the password" } });
    expect(outcomeOf(wrong)).toBe("401 sign_in_failed");
    expect(outcomeOf(await make())).toBe("403 sudo_required");
    await owner.do(confirmPassword, { body: { password: PASSWORD } });
    expect(outcomeOf(await make())).toBe("201");
  });

  test("doesn't extend the ten minutes itself", async () => {
    const owner = await console.newOwner();
    const { secret } = await owner.do(startTwoFactor);
    const sudoUntil = Date.now() + 60_000;
    changeRecords(console.server, "update sessions set sudo_until = ?", sudoUntil);
    await owner.do(confirmTwoFactor, { body: { code: await codeFor(secret) } });
    await owner.do(endTwoFactor);
    expect((await owner.state()).session?.sudo_until).toBe(new Date(sudoUntil).toISOString());
  });
});

describe("a password", () => {
  test("is changed with the old one, which ends every other session", async () => {
    const { email } = await console.newOwner();
    const [one, two] = [await signedIn(email), await signedIn(email)];
    const before = await two.sessionCookie();
    const change = (current: string, password: string) => two.call(changePassword, { body: { current, password } });
    expect(outcomeOf(await change("not the password", NEW_PASSWORD))).toBe("422 validation_failed");
    expect(outcomeOf(await change(PASSWORD, "password1234"))).toBe("422 validation_failed");
    expect(outcomeOf(await change(PASSWORD, `${email} 1`))).toBe("422 validation_failed");
    expect(outcomeOf(await change(PASSWORD, NEW_PASSWORD))).toBe("204");
    expect((await one.state()).session).toBeNull();
    expect((await two.state()).session).not.toBeNull();
    expect(await two.sessionCookie()).not.toBe(before);
    expect(outcomeOf(await console.guest().signIn(email))).toBe("401 sign_in_failed");
    await signedIn(email, NEW_PASSWORD);
  });

  test("that is forgotten is reset with a mailed link, once", async () => {
    const { email } = await console.newOwner();
    const old = await signedIn(email);
    const guest = console.guest();
    const token = await console.askForReset(email, email.toUpperCase());
    const reset = (password: string) => guest.call(resetPassword, { body: { token, password } });
    expect(outcomeOf(await reset("qwertyqwerty"))).toBe("422 validation_failed");
    expect(outcomeOf(await reset(NEW_PASSWORD))).toBe("204");
    expect(outcomeOf(await reset(NEW_PASSWORD))).toBe("404 not_found");
    expect((await old.state()).session).toBeNull();
    await signedIn(email, NEW_PASSWORD);
    expect(console.server.output.stderr).not.toContain(token);
  });

  test("has reset links that are stored only as hashes", async () => {
    const { email } = await console.newOwner();
    const token = await console.askForReset(email);
    const rows = JSON.stringify(readRecords(console.server, "select * from verifications"));
    expect(token.length).toBeGreaterThan(20);
    expect(rows).not.toContain(token);
  });

  test("reset answers the same for an unknown address, and sends nothing", async () => {
    const sent = console.mails.length;
    const [known, unknown] = [
      await console.guest().call(forgetPassword, { body: { email: OWNER_EMAIL } }),
      await console.guest().call(forgetPassword, { body: { email: "nobody@example.com" } }),
    ];
    expect([unknown.status, unknown.text]).toEqual([known.status, known.text]);
    await until("the other mail has arrived", () => console.mails.length > sent);
    expect(console.mails.some(({ to }) => to.includes("nobody@example.com"))).toBe(false);
  });
});

describe("an authenticator app", () => {
  const firstStep = async (email: string): Promise<ConsoleClient> => {
    const client = console.guest();
    expect((await client.signIn(email)).body).toEqual({ second_factor: true });
    expect((await client.state()).session).toBeNull();
    return client;
  };
  const secondStep = async (client: ConsoleClient, code: string) =>
    outcomeOf(await client.call(signInWithCode, { body: { code } }));
  const signedInWithCode = async (email: string, code: string): Promise<ConsoleClient> => {
    const client = await firstStep(email);
    expect(await secondStep(client, code)).toBe("204");
    return client;
  };

  test("is required only after a first code, which ends every other session", async () => {
    const owner = await console.newOwner();
    const other = await signedIn(owner.email);
    const { secret } = await owner.do(startTwoFactor);
    expect((await console.guest().signIn(owner.email)).body).toEqual({ second_factor: false });
    const wrong = await owner.call(confirmTwoFactor, { body: { code: "000000" } });
    expect(outcomeOf(wrong)).toBe("422 validation_failed");
    await owner.do(confirmTwoFactor, { body: { code: await codeFor(secret) } });
    expect((await other.state()).session).toBeNull();
    expect((await owner.state()).session?.user.two_factor_enabled).toBe(true);
    expect((await console.guest().signIn(owner.email)).body).toEqual({ second_factor: true });
    expect(outcomeOf(await owner.call(startTwoFactor))).toBe("409 already_exists");
  });

  test("gives codes that open one session each, even if used in several places at once", async () => {
    const owner = await console.newOwner();
    const { secret } = await addApp(owner);
    const clients = await Promise.all(Array.from({ length: 4 }, () => firstStep(owner.email)));
    const code = await codeFor(secret, 1);
    const outcomes = await Promise.all(clients.map((client) => secondStep(client, code)));
    expect(outcomes.toSorted()).toEqual(["204", "401 sign_in_failed", "401 sign_in_failed", "401 sign_in_failed"]);
    const states = await Promise.all(clients.map((client) => client.state()));
    expect(states.filter(({ session }) => session !== null)).toHaveLength(1);
    // An older unused code is refused too.
    expect(await secondStep(await firstStep(owner.email), await codeFor(secret, -1))).toBe("401 sign_in_failed");
  });

  test("has backup codes that work once, with or without the hyphen", async () => {
    const owner = await console.newOwner();
    const { backup_codes } = await addApp(owner);
    const [first = "", second = ""] = backup_codes;
    expect(await secondStep(await firstStep(owner.email), first)).toBe("204");
    expect(await secondStep(await firstStep(owner.email), first)).toBe("401 sign_in_failed");
    expect(await secondStep(await firstStep(owner.email), second.replace("-", ""))).toBe("204");
  });

  test("has new backup codes that replace the old ones", async () => {
    const owner = await console.newOwner();
    expect(outcomeOf(await owner.call(renewBackupCodes))).toBe("404 not_found");
    const { backup_codes: old } = await addApp(owner);
    const other = await signedInWithCode(owner.email, old[0] ?? "");
    const { backup_codes } = await owner.do(renewBackupCodes);
    expect(backup_codes).toHaveLength(10);
    expect((await other.state()).session).toBeNull();
    expect(await secondStep(await firstStep(owner.email), old[1] ?? "")).toBe("401 sign_in_failed");
    expect(await secondStep(await firstStep(owner.email), backup_codes[0] ?? "")).toBe("204");
  });

  test("gives codes that are worthless without the first step", async () => {
    const owner = await console.newOwner();
    const { secret } = await addApp(owner);
    expect(await secondStep(console.guest(), await codeFor(secret))).toBe("401 sign_in_failed");
    // Nor do they work for someone else who is signed in.
    const eve = await console.newOwner();
    expect(await secondStep(eve, await codeFor(secret))).toBe("401 sign_in_failed");
  });

  test("is no longer required once it is removed", async () => {
    const owner = await console.newOwner();
    await addApp(owner);
    await owner.do(endTwoFactor);
    expect((await console.guest().signIn(owner.email)).body).toEqual({ second_factor: false });
  });

  test("has a secret and codes that are never stored as shown", async () => {
    const owner = await console.newOwner();
    const { secret, backup_codes } = await owner.do(startTwoFactor);
    const rows = JSON.stringify(readRecords(console.server, "select * from two_factors"));
    expect(rows.length).toBeGreaterThan(100);
    for (const shown of [secret, ...backup_codes]) expect(rows).not.toContain(shown);
  });

  // Last, since wrong codes from this network are throttled from then on.
  test("gives codes that are accepted although others in the network tried codes without a password", async () => {
    const owner = await console.newOwner();
    const { secret } = await addApp(owner);
    const client = await firstStep(owner.email);
    await Promise.all(Array.from({ length: 8 }, () => secondStep(console.guest(), "000000")));
    expect(await secondStep(client, await codeFor(secret, 1))).toBe("204");
  });
});
