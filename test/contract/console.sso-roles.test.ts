import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { listAudit, listMembers } from "#contract/console/account.ts";
import { signOut } from "#contract/console/session.ts";
import { type ConsoleClient, OWNER_EMAIL, outcomeOf } from "#test/support/console-client.ts";
import { reasonOf, type SsoConsole, signInAtProvider, startSsoConsole } from "#test/support/sso-console.ts";

const START_MS_MAX = 600_000;

let site: SsoConsole;
beforeAll(async () => {
  site = await startSsoConsole((account) => ({
    KURZ_OIDC_ACCOUNT: account,
    KURZ_OIDC_ROLES: "admin=kurz-admins,viewer=everyone",
    KURZ_OIDC_DOMAINS: "acme.example,example.com",
    KURZ_OIDC_LOGOUT: "on",
  }));
}, START_MS_MAX);
afterAll(() => site.stop(), START_MS_MAX);

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
