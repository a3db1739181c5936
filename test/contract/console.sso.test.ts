import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { CookieJar } from "tough-cookie";
import { createToken, getAccount, inviteMember } from "#contract/console/account.ts";
import { resetPassword, signOut } from "#contract/console/session.ts";
import { finishSingleSignOn, requireSingleSignOn, startSingleSignOn } from "#contract/console/single-sign-on.ts";
import { changeEmail, getInvitation, listPasskeys, listSessions } from "#contract/console/user.ts";
import { readRecords } from "#test/support/change-records.ts";
import { type ConsoleClient, invitationIn, newTokenBody, outcomeOf, PASSWORD } from "#test/support/console-client.ts";
import { visitProvider } from "#test/support/identity-provider.ts";
import { newSquatter } from "#test/support/squatter.ts";
import { finishWith, reasonOf, type SsoConsole, signInAtProvider, startSsoConsole } from "#test/support/sso-console.ts";
import { addApp } from "#test/support/totp.ts";
import { until } from "#test/support/until.ts";

const START_MS_MAX = 600_000;

let site: SsoConsole;
beforeAll(async () => {
  site = await startSsoConsole();
}, START_MS_MAX);
afterAll(() => site.stop(), START_MS_MAX);

let people = 0;
/** Someone whom the provider knows, under a name and with an address of their own. */
async function newPerson(over: { email?: string | undefined; email_verified?: boolean } = {}) {
  const login = `person-${++people}`;
  const email = `${login}@acme.example`;
  await site.provider.know(login, { email, email_verified: true, name: "Grace Hopper", ...over });
  return { login, email };
}

/** Where an invitation leads. */
const invite = async (email: string, role = "member", from = site.owner): Promise<string> =>
  `/join/${invitationIn(await from.do(inviteMember, { body: { email, role } }))}`;

async function newInvited(role = "member") {
  const person = await newPerson();
  const client = site.guest();
  client.account = site.account;
  const jar = new CookieJar();
  const next = await invite(person.email, role);
  expect(outcomeOf(await signInAtProvider(client, person.login, { next, jar }))).toBe("200");
  return { ...person, client, jar };
}

const usersWith = (email: string) =>
  readRecords<{ id: string; email_verified: number }>(
    site.server,
    "select id, email_verified from users where email = ?",
    email,
  );

describe("who comes in", () => {
  test("the page knows what the provider is called", async () => {
    expect((await site.guest().state()).sso).toEqual({ name: "Acme ID" });
  });

  test("nobody who is neither invited nor a user, and no user is created", async () => {
    const { login, email } = await newPerson();
    const answer = await signInAtProvider(site.guest(), login);
    expect([outcomeOf(answer), reasonOf(answer)]).toEqual(["403 sso_refused", "not_invited"]);
    expect(usersWith(email)).toEqual([]);
  });

  test.each([
    ["email_unverified", { email_verified: false }],
    ["domain", { email: "mallory@evil.example" }],
    ["domain", { email: "mallory@sub.acme.example" }],
    ["no_email", { email: undefined }],
  ] as const)("nobody who is refused for %p, although they are invited", async (reason, over) => {
    const { login, email } = await newPerson(over);
    const next = await invite("email" in over && over.email !== undefined ? over.email : email);
    const client = site.guest();
    const answer = await signInAtProvider(client, login, { next });
    expect([outcomeOf(answer), reasonOf(answer)]).toEqual(["403 sso_refused", reason]);
    expect((await client.state()).session).toBeNull();
  });

  test("someone who is invited, with the role of the invitation and a verified address", async () => {
    const { client, email } = await newInvited("viewer");
    const { session } = await client.state();
    expect(session).toMatchObject({ user: { email, name: "Grace Hopper" }, signed_in_by: "sso", has_password: false });
    expect(session?.accounts).toMatchObject([{ id: site.account, role: "viewer", needs_sso: false }]);
    expect(usersWith(email)).toMatchObject([{ email_verified: 1 }]);
    expect((await client.do(listSessions)).data).toMatchObject([{ current: true, signed_in_by: "sso" }]);
  });

  test("an invitation that the newcomer has accepted on the way isn't where they are led to", async () => {
    const { login, email } = await newPerson();
    const answer = await signInAtProvider(site.guest(), login, { next: await invite(email) });
    expect(answer.body).toEqual({ next: null });
  });

  test("into the account whose invitation they have opened, and no other that has invited them", async () => {
    const { login, email } = await newPerson();
    const created = await site.server.kurz(
      ["accounts", "create", "--email", "eve@example.com", "--name", "Trap"],
      `${PASSWORD}\n`,
    );
    const eve = site.guest();
    await eve.signIn("eve@example.com");
    eve.account = created.stdout.trim();
    const trap = await invite(email, "admin", eve);
    expect(reasonOf(await signInAtProvider(site.guest(), login))).toBe("not_invited");
    expect(usersWith(email)).toEqual([]);
    const client = site.guest();
    expect(outcomeOf(await signInAtProvider(client, login, { next: await invite(email) }))).toBe("200");
    expect((await client.state()).session?.accounts.map(({ id }) => id)).toEqual([site.account]);
    // It waits until they open it.
    expect(outcomeOf(await client.call(getInvitation, { params: { id: trap.slice("/join/".length) } }))).toBe("200");
  });

  test("nobody with another person's invitation", async () => {
    const { login } = await newPerson();
    const answer = await signInAtProvider(site.guest(), login, { next: await invite("someone@acme.example") });
    expect(reasonOf(answer)).toBe("not_invited");
  });

  test("someone whose first two sign-ins arrive at the same moment, as one user", async () => {
    const { login, email } = await newPerson();
    const next = await invite(email);
    const ways = await Promise.all(
      [site.guest(), site.guest(), site.guest()].map(async (client) => {
        const { url } = await client.do(startSingleSignOn, { body: { next } });
        return { client, callback: await visitProvider(url, login) };
      }),
    );
    const answers = await Promise.all(ways.map(({ client, callback }) => finishWith(client, callback)));
    expect(answers.map(outcomeOf)).toEqual(["200", "200", "200"]);
    expect(usersWith(email)).toHaveLength(1);
  });

  test("a user with the same verified address, who keeps password and account", async () => {
    const { login, email } = await newPerson();
    const created = await site.server.kurz(["accounts", "create", "--email", email, "--name", "Own"], `${PASSWORD}\n`);
    const account = created.stdout.trim();
    const client = site.guest();
    const answer = await signInAtProvider(client, login, { next: `/a/${account}/links` });
    expect(answer.body).toEqual({ next: `/a/${account}/links` });
    const { session } = await client.state();
    expect(session?.accounts.map(({ id }) => id)).toEqual([account]);
    expect(session?.has_password).toBe(true);
    expect((await site.guest().signIn(email)).status).toBe(200);
  });

  test("by subject from then on, even if the provider changes the address", async () => {
    const { client, login } = await newInvited();
    const id = (await client.state()).session?.user.id;
    await site.provider.know(login, { email: `${login}.married@acme.example`, email_verified: true });
    const again = site.guest();
    expect(outcomeOf(await signInAtProvider(again, login))).toBe("200");
    expect((await again.state()).session?.user.id).toBe(id);
  });

  test("the owner of an address that someone else has signed up with, whom it throws out", async () => {
    const { login, email } = await newPerson();
    const squatter = await newSquatter(site, email);
    const client = site.guest();
    expect(outcomeOf(await signInAtProvider(client, login))).toBe("200");
    expect((await squatter.state()).session).toBeNull();
    expect(outcomeOf(await site.guest().signIn(email))).toBe("401 sign_in_failed");
    const { session } = await client.state();
    expect(session).toMatchObject({ user: { email, two_factor_enabled: false }, has_password: false });
    expect((await client.do(listPasskeys)).data).toEqual([]);
    const [entry] = readRecords<{ details: string }>(
      site.server,
      "select details from audit_log where action = 'sso.linked' and subject = ?",
      session?.user.id ?? "",
    );
    expect(JSON.parse(entry?.details ?? "")).toEqual({
      taken_over: true,
      removed: ["passkeys", "two_factor", "password"],
    });
  });

  test("nobody whose address another person at the provider had before, until the operator says so", async () => {
    const { email } = await newInvited();
    const { login } = await newPerson({ email });
    const refused = await signInAtProvider(site.guest(), login);
    expect([outcomeOf(refused), reasonOf(refused)]).toEqual(["403 sso_refused", "address_taken"]);
    expect((await site.server.kurz(["users", "forget-sso", email])).code).toBe(0);
    expect(outcomeOf(await signInAtProvider(site.guest(), login))).toBe("200");
  });

  describe("someone who has taken another person's address", () => {
    const squat = async (email: string) => {
      const mallory = await newInvited();
      await signInAtProvider(mallory.client, mallory.login, { confirm: true });
      await mallory.client.do(changeEmail, { body: { email } });
      return mallory;
    };

    test("can't come in as them once they have set a password", async () => {
      const email = "reset@victims.example";
      const { login } = await squat(email);
      const { stdout } = await site.server.kurz(["users", "reset-link", email]);
      const token = stdout.trim().split("/").at(-1);
      await site.guest().do(resetPassword, { body: { token, password: "four large brown herons" } });
      expect(reasonOf(await signInAtProvider(site.guest(), login))).toBe("not_invited");
      expect(outcomeOf(await site.guest().signIn(email, "four large brown herons"))).toBe("200");
    });

    test("can't keep them out", async () => {
      const { login, email } = await newPerson();
      const mallory = await squat(email);
      expect(outcomeOf(await signInAtProvider(site.guest(), login))).toBe("200");
      expect((await mallory.client.state()).session).toBeNull();
      expect(reasonOf(await signInAtProvider(site.guest(), mallory.login))).toBe("not_invited");
    });
  });

  test("with a line in the audit log, also for those who don't", async () => {
    const { client } = await newInvited();
    const id = (await client.state()).session?.user.id ?? "";
    const { login } = await newPerson({ email: "mallory@evil.example" });
    await signInAtProvider(site.guest(), login);
    const entries = () =>
      readRecords<{ action: string; subject: string; details: string }>(
        site.server,
        "select action, subject, details from audit_log where action like 'session.%' order by no desc limit 50",
      ).map(({ action, subject, details }) => ({ action, subject, details: JSON.parse(details) }));
    expect(entries()).toContainEqual(
      expect.objectContaining({
        action: "session.started",
        subject: id,
        details: expect.objectContaining({ method: "sso" }),
      }),
    );
    const refusal = { action: "session.refused", subject: "unknown", details: { method: "sso", reason: "domain" } };
    await until("the refusal is written", () => entries().some((entry) => Bun.deepEquals(entry, refusal)));
  });
});

describe("what the provider answers", () => {
  test("is asked for with PKCE, a state and a nonce, and without the secret", async () => {
    const { url } = await site.guest().do(startSingleSignOn, { body: {} });
    const { origin, searchParams } = new URL(url);
    expect(origin).toBe(site.provider.issuer);
    expect(Object.fromEntries(searchParams)).toMatchObject({
      response_type: "code",
      code_challenge_method: "S256",
      redirect_uri: `${site.url}/console/sso/callback`,
      scope: "openid email profile groups",
    });
    for (const name of ["state", "nonce", "code_challenge"]) {
      expect(searchParams.get(name)?.length).toBeGreaterThanOrEqual(43);
    }
    expect(url).not.toContain("secret");
  });

  test("counts only in the browser that has asked", async () => {
    const { login, email } = await newPerson();
    const mallory = site.guest();
    const { url } = await mallory.do(startSingleSignOn, { body: { next: await invite(email) } });
    const callback = await visitProvider(url, login);
    const victim = site.guest();
    await victim.do(startSingleSignOn, { body: {} });
    for (const client of [victim, site.guest()]) {
      const answer = await finishWith(client, callback);
      expect([outcomeOf(answer), reasonOf(answer)]).toEqual(["403 sso_refused", "expired"]);
      expect((await client.state()).session).toBeNull();
    }
    expect(outcomeOf(await finishWith(mallory, callback))).toBe("200");
  });

  test("counts once", async () => {
    const { login, email } = await newPerson();
    const client = site.guest();
    const { url } = await client.do(startSingleSignOn, { body: { next: await invite(email) } });
    const cookies = await client.jar.getCookies(`${site.url}/console/api/sso/finish`);
    const callback = await visitProvider(url, login);
    expect(outcomeOf(await finishWith(client, callback))).toBe("200");
    expect(reasonOf(await finishWith(client, callback))).toBe("expired");
    // With a copy of the cookie it is the provider who refuses the code.
    const copy = site.guest();
    for (const cookie of cookies) await copy.jar.setCookie(cookie, `${site.url}/console/api/sso/finish`);
    expect(reasonOf(await finishWith(copy, callback))).toBe("provider_error");
  });

  test("that the person has cancelled it is said", async () => {
    const client = site.guest();
    const { url } = await client.do(startSingleSignOn, { body: {} });
    const state = new URL(url).searchParams.get("state") ?? "";
    const answer = await client.call(finishSingleSignOn, { body: { state, error: "access_denied" } });
    expect([outcomeOf(answer), reasonOf(answer)]).toEqual(["403 sso_refused", "cancelled"]);
  });

  test("of another provider is refused", async () => {
    const { login, email } = await newPerson();
    const client = site.guest();
    const { url } = await client.do(startSingleSignOn, { body: { next: await invite(email) } });
    const callback = await visitProvider(url, login);
    callback.searchParams.set("iss", "https://other.example");
    expect(reasonOf(await finishWith(client, callback))).toBe("provider_error");
  });

  test("to someone else doesn't end the sign-in that this browser has started", async () => {
    const { login, email } = await newPerson();
    const client = site.guest();
    const { url } = await client.do(startSingleSignOn, { body: { next: await invite(email) } });
    const forged = await client.call(finishSingleSignOn, { body: { state: "forged", error: "access_denied" } });
    expect(reasonOf(forged)).toBe("expired");
    expect(outcomeOf(await finishWith(client, await visitProvider(url, login)))).toBe("200");
  });

  test("is asked for a limited number of invented codes, whoever else signs in", async () => {
    const client = site.guest();
    const headers = { "x-forwarded-for": "198.51.100.7" };
    const before = await site.provider.countCodes();
    for (let attempt = 0; attempt < 35; attempt += 1) {
      const { url } = await client.do(startSingleSignOn, { body: {} });
      const state = new URL(url).searchParams.get("state") ?? "";
      const answer = await client.call(finishSingleSignOn, { body: { state, code: "invented" }, headers });
      expect(answer.status).toBeGreaterThanOrEqual(400);
    }
    expect((await site.provider.countCodes()) - before).toBe(30);
    const { login, email } = await newPerson();
    expect(outcomeOf(await signInAtProvider(site.guest(), login, { next: await invite(email) }))).toBe("200");
  });

  test("a page can't be led to another site", async () => {
    const answer = await site.guest().call(startSingleSignOn, { body: { next: "//evil.example/a/" } });
    expect(outcomeOf(answer)).toBe("422 validation_failed");
  });
});

describe("sensitive changes", () => {
  const token = (client: ConsoleClient) => client.call(createToken, { body: newTokenBody });

  test("need more than a provider that still knows the browser", async () => {
    const { client, jar } = await newInvited("admin");
    expect(outcomeOf(await signInAtProvider(client, null, { jar }))).toBe("200");
    expect(outcomeOf(await token(client))).toBe("403 sudo_required");
    // Whoever sits there doesn't get far by leaving out the question.
    const { url } = await client.do(startSingleSignOn, { body: { confirm: true } });
    const unasked = new URL(url);
    for (const name of ["prompt", "max_age"]) unasked.searchParams.delete(name);
    const refused = await finishWith(client, await visitProvider(unasked.href, null, jar));
    expect([outcomeOf(refused), reasonOf(refused)]).toEqual(["403 sso_refused", "not_reauthenticated"]);
    expect(outcomeOf(await token(client))).toBe("403 sudo_required");
  });

  test("need no more than the provider's own question", async () => {
    const { client, login, jar } = await newInvited("admin");
    const asks = (): Promise<unknown> => signInAtProvider(client, null, { confirm: true, jar });
    await expect(asks()).rejects.toThrow("the provider asks who it is");
    const before = await client.sessionCookie();
    expect(outcomeOf(await signInAtProvider(client, login, { confirm: true, jar }))).toBe("200");
    expect(await client.sessionCookie()).not.toBe(before);
    expect(outcomeOf(await token(client))).toBe("201");
  });

  test("can't be confirmed by another person", async () => {
    const { client } = await newInvited("admin");
    const other = await newInvited("admin");
    const answer = await signInAtProvider(client, other.login, { confirm: true });
    expect([outcomeOf(answer), reasonOf(answer)]).toEqual(["403 sso_refused", "other_person"]);
    expect(outcomeOf(await token(client))).toBe("403 sudo_required");
  });

  test("can't be confirmed by someone who isn't signed in", async () => {
    const answer = await site.guest().call(startSingleSignOn, { body: { confirm: true } });
    expect(outcomeOf(answer)).toBe("401 not_signed_in");
  });
});

describe("an account that requires single sign-on", () => {
  test("is closed to passwords, and the person's other accounts aren't", async () => {
    const { login, email } = await newPerson();
    const create = (name: string) =>
      site.server.kurz(["accounts", "create", "--email", email, "--name", name], `${PASSWORD}\n`);
    const [closed, open] = [(await create("Closed")).stdout.trim(), (await create("Open")).stdout.trim()];
    const byPassword = site.guest();
    await byPassword.signIn(email);
    const require = (client: ConsoleClient, required: boolean) =>
      client.call(requireSingleSignOn, { body: { required }, account: closed });
    expect(outcomeOf(await require(byPassword, true))).toBe("403 sso_required");

    const bySso = site.guest();
    await signInAtProvider(bySso, login);
    expect(outcomeOf(await require(bySso, true))).toBe("403 sudo_required");
    await signInAtProvider(bySso, login, { confirm: true });
    expect(outcomeOf(await require(bySso, true))).toBe("200");

    expect(outcomeOf(await byPassword.call(getAccount, { account: closed }))).toBe("403 sso_required");
    expect(outcomeOf(await byPassword.call(getAccount, { account: open }))).toBe("200");
    const needs = (await byPassword.state()).session?.accounts.map(({ id, needs_sso }) => [id, needs_sso]);
    expect(needs).toEqual([
      [closed, true],
      [open, false],
    ]);
    expect((await bySso.do(getAccount, { account: closed })).sso_required).toBe(true);

    expect((await site.server.kurz(["accounts", "allow-passwords", closed])).code).toBe(0);
    expect(outcomeOf(await byPassword.call(getAccount, { account: closed }))).toBe("200");
    expect((await site.server.kurz(["accounts", "require-sso", closed])).code).toBe(0);
    expect(outcomeOf(await byPassword.call(getAccount, { account: closed }))).toBe("403 sso_required");
  });

  test("can't be opened with a password and an address that the provider has given to someone else", async () => {
    const email = "stolen@victims.example";
    const created = await site.server.kurz(
      ["accounts", "create", "--email", email, "--name", "Closed"],
      `${PASSWORD}\n`,
    );
    expect((await site.server.kurz(["accounts", "require-sso", created.stdout.trim()])).code).toBe(0);
    const mallory = await newPerson();
    const client = site.guest();
    await client.signIn(email);
    expect(outcomeOf(await client.call(changeEmail, { body: { email: mallory.email } }))).toBe("403 sso_required");
    expect(usersWith(mallory.email)).toEqual([]);
  });

  test("stays open to someone whose session gets a new id", async () => {
    const { client, login } = await newInvited("owner");
    await signInAtProvider(client, login, { confirm: true });
    const before = await client.sessionCookie();
    await addApp(client);
    expect(await client.sessionCookie()).not.toBe(before);
    expect((await client.state()).session?.signed_in_by).toBe("sso");
  });
});

test("signing out ends the session here, and leads nowhere else unless the operator says so", async () => {
  const { client } = await newInvited();
  expect(await client.do(signOut)).toEqual({ continue_at: null });
  expect((await client.state()).session).toBeNull();
});

describe("the provider's own changes", () => {
  test("new keys are used at once", async () => {
    const { login } = await newInvited();
    await site.provider.rotateKeys();
    // At once means within ten seconds: they aren't read more often than that.
    await until(
      "someone signs in",
      async () => outcomeOf(await signInAtProvider(site.guest(), login)) === "200",
      60_000,
      1000,
    );
  });

  test("while it is away passwords work, and everyone is told", async () => {
    await site.provider.stop();
    try {
      const start = () => site.guest().call(startSingleSignOn, { body: {} });
      await until("it is noticed", async () => outcomeOf(await start()) === "503 sso_unavailable");
      expect((await start()).text).toContain("Acme ID can't be reached at the moment. Try again shortly.");
      expect((await site.guest().signIn("ada@example.com")).status).toBe(200);
      const { stdout } = await site.server.kurz(["doctor"]);
      expect(stdout).toMatch(/warning\s+single sign-on\s+nobody can sign in with Acme ID/);
    } finally {
      await site.provider.start();
    }
  });
});

test("the secret is in no log", async () => {
  const { stdout, stderr } = site.server.output;
  const secret = site.provider.env.KURZ_OIDC_CLIENT_SECRET ?? "";
  expect(secret.length).toBeGreaterThan(20);
  const inForm = new URLSearchParams({ secret }).toString().slice("secret=".length);
  // As it goes to the provider: in an authorization header, or in a form.
  const basic = [secret, inForm, encodeURIComponent(secret)].map((text) => btoa(`kurz:${text}`));
  for (const form of [secret, inForm, encodeURIComponent(secret), btoa(secret), ...basic]) {
    expect(stdout + stderr).not.toContain(form);
  }
});
