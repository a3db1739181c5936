import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { inviteMember, listAudit, listMembers } from "#contract/console/account.ts";
import { signOut } from "#contract/console/session.ts";
import { changeEmail, confirmEmail } from "#contract/console/user.ts";
import { readRecords } from "#test/support/change-records.ts";
import { type ConsoleClient, invitationIn, OWNER_EMAIL, outcomeOf, PASSWORD } from "#test/support/console-client.ts";
import { startSmtpServer } from "#test/support/smtp-server.ts";
import { reasonOf, type SsoConsole, signInAtProvider, startSsoConsole } from "#test/support/sso-console.ts";
import { until } from "#test/support/until.ts";

const START_MS_MAX = 600_000;

const smtp = startSmtpServer();
let site: SsoConsole;
beforeAll(async () => {
  site = await startSsoConsole((account) => ({
    KURZ_OIDC_ACCOUNT: account,
    KURZ_OIDC_ROLES: "admin=kurz-admins,viewer=everyone",
    KURZ_OIDC_DOMAINS: "acme.example,example.com",
    KURZ_OIDC_LOGOUT: "on",
    KURZ_SMTP_URL: smtp.url,
  }));
}, START_MS_MAX);
afterAll(async () => {
  await site.stop();
  smtp.stop();
}, START_MS_MAX);

const person = (login: string, groups: readonly string[] | undefined) =>
  site.provider.know(login, {
    email: `${login}@acme.example`,
    email_verified: true,
    ...(groups !== undefined && { groups }),
  });

async function signIn(login: string): Promise<ConsoleClient> {
  const client = site.guest();
  client.account = site.account;
  expect(outcomeOf(await signInAtProvider(client, login))).toBe("200");
  return client;
}

/** Where an invitation leads. */
const invite = async (login: string, from: ConsoleClient): Promise<string> =>
  `/join/${invitationIn(await from.do(inviteMember, { body: { email: `${login}@acme.example`, role: "member" } }))}`;

const roleOf = async (client: ConsoleClient) => (await client.state()).session?.accounts[0]?.role;
const isMember = async (login: string) =>
  (await site.owner.do(listMembers)).members.some(({ email }) => email === `${login}@acme.example`);

describe("roles from the provider", () => {
  test("a newcomer joins with the highest role of their groups", async () => {
    await person("barbara", ["everyone", "kurz-admins", "bowling"]);
    expect(await roleOf(await signIn("barbara"))).toBe("admin");
  });

  test("the next sign-in brings the role of today", async () => {
    await person("chien", ["kurz-admins"]);
    const before = await signIn("chien");
    await person("chien", ["everyone"]);
    expect(await roleOf(await signIn("chien"))).toBe("viewer");
    // Rights are checked on every request, also in sessions from before.
    expect(outcomeOf(await before.call(listAudit))).toBe("403 role_insufficient");
    const { data } = await site.owner.do(listAudit, { query: { action: "member.role_changed" } });
    expect(data[0]).toMatchObject({ actor: "system", details: { from: "admin", to: "viewer" } });
  });

  test.each([
    ["no longer has a group", ["bowling"]],
    ["has no groups at all any more", undefined],
  ])("someone who %s is removed and can't come in", async (_, groups) => {
    const login = groups ? "dorothy" : "edith";
    await person(login, ["everyone"]);
    const before = await signIn(login);
    await person(login, groups);
    const client = site.guest();
    const answer = await signInAtProvider(client, login);
    expect([outcomeOf(answer), reasonOf(answer)]).toEqual(["403 sso_refused", "no_role"]);
    expect((await client.state()).session).toBeNull();
    expect(await isMember(login)).toBe(false);
    expect((await before.state()).session?.accounts).toEqual([]);
    await person(login, ["everyone"]);
    expect(await roleOf(await signIn(login))).toBe("viewer");
  });

  test("a newcomer without a group doesn't become a user", async () => {
    await person("eve", ["bowling"]);
    const answer = await signInAtProvider(site.guest(), "eve");
    expect([outcomeOf(answer), reasonOf(answer)]).toEqual(["403 sso_refused", "no_role"]);
  });

  test("a newcomer without a group doesn't become a user by an invitation to the same account either", async () => {
    await person("irene", ["bowling"]);
    const next = await invite("irene", site.owner);
    const answer = await signInAtProvider(site.guest(), "irene", { next });
    expect([outcomeOf(answer), reasonOf(answer)]).toEqual(["403 sso_refused", "no_role"]);
    expect(readRecords(site.server, "select id from users where email = 'irene@acme.example'")).toEqual([]);
  });

  test("an invitation to another account lets in who has no group, newcomer or not", async () => {
    const created = await site.server.kurz(["accounts", "create", "--email", OWNER_EMAIL, "--name", "Other"]);
    const other = site.guest();
    await other.signIn(OWNER_EMAIL);
    other.account = created.stdout.trim();
    const accountsOf = async (client: ConsoleClient) => (await client.state()).session?.accounts.map(({ id }) => id);
    await person("jean", ["bowling"]);
    const jean = site.guest();
    expect(outcomeOf(await signInAtProvider(jean, "jean", { next: await invite("jean", other) }))).toBe("200");
    expect(await accountsOf(jean)).toEqual([other.account]);
    // The account for newcomers comes first.
    await person("kathleen", ["everyone"]);
    const kathleen = site.guest();
    await signInAtProvider(kathleen, "kathleen", { next: await invite("kathleen", other) });
    expect(await accountsOf(kathleen)).toEqual([site.account, other.account]);
    await person("lynn", ["everyone"]);
    await signIn("lynn");
    await person("lynn", ["bowling"]);
    const lynn = site.guest();
    const next = await invite("lynn", other);
    expect((await signInAtProvider(lynn, "lynn", { next })).body).toEqual({ next });
    expect(await accountsOf(lynn)).toEqual([]);
  });

  test("the last owner stays one, whatever the provider says", async () => {
    await site.provider.know("ada", { email: OWNER_EMAIL, email_verified: true, groups: ["everyone"] });
    expect(await roleOf(await signIn("ada"))).toBe("owner");
    await site.provider.know("ada", { email: OWNER_EMAIL, email_verified: true, groups: [] });
    expect(await roleOf(await signIn("ada"))).toBe("owner");
  });
});

test("signing out leads to the provider if the operator says so, but not someone with a password", async () => {
  await person("frances", ["everyone"]);
  const { continue_at } = await (await signIn("frances")).do(signOut);
  const url = new URL(continue_at ?? "");
  expect(url.origin).toBe(site.provider.issuer);
  expect(Object.fromEntries(url.searchParams)).toEqual({
    client_id: "kurz",
    post_logout_redirect_uri: `${site.url}/console/sign-in`,
  });
  expect((await fetch(url)).status).toBe(200);
  const owner = site.guest();
  await owner.signIn(OWNER_EMAIL);
  expect(await owner.do(signOut)).toEqual({ continue_at: null });
});

test("an account that requires single sign-on has the last word on a change of address that waits for its mail", async () => {
  const email = "hedy@other.example";
  const created = await site.server.kurz(["accounts", "create", "--email", email, "--name", "Hedy"], `${PASSWORD}\n`);
  const account = created.stdout.trim();
  const client = site.guest();
  await client.signIn(email);
  const ask = async (address: string): Promise<string> => {
    await client.do(changeEmail, { body: { email: address } });
    const findMail = () => smtp.mails.find(({ to }) => to.includes(address));
    await until("the mail has arrived", () => findMail() !== undefined);
    return /\/console\/confirm-email\/(\w+)/.exec(findMail()?.text ?? "")?.[1] ?? "";
  };
  const token = await ask("mallory@other.example");
  const confirm = () => site.guest().call(confirmEmail, { body: { token } });
  expect((await site.server.kurz(["accounts", "require-sso", account])).code).toBe(0);
  expect(outcomeOf(await confirm())).toBe("403 sso_required");
  const another = await client.call(changeEmail, { body: { email: "eve@other.example" } });
  expect(outcomeOf(another)).toBe("403 sso_required");
  expect((await client.state()).session?.user.email).toBe(email);
  expect((await site.server.kurz(["accounts", "allow-passwords", account])).code).toBe(0);
  expect(outcomeOf(await confirm())).toBe("204");
});
