import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { sendToServer } from "#commands/admin-client.ts";
import { dataPaths } from "#config/data-paths.ts";
import { getAccountAnalytics, getLinkAnalytics } from "#contract/analytics.ts";
import * as accountEndpoints from "#contract/console/account.ts";
import * as linkEndpoints from "#contract/console/links.ts";
import * as logoEndpoints from "#contract/console/logo.ts";
import * as pageEndpoints from "#contract/console/pages.ts";
import * as qrDesignEndpoints from "#contract/console/qr-design.ts";
import * as sessionEndpoints from "#contract/console/session.ts";
import * as userEndpoints from "#contract/console/user.ts";
import * as utmTemplateEndpoints from "#contract/console/utm-templates.ts";
import * as webhookEndpoints from "#contract/console/webhooks.ts";
import type { Endpoint } from "#contract/endpoint.ts";
import * as apiLinkEndpoints from "#contract/links.ts";
import { isAtLeast, type Role, roles } from "#contract/roles.ts";
import {
  type ConsoleAnswer,
  type ConsoleClient,
  type ConsoleServer,
  makeToken,
  outcomeOf,
  startConsole,
} from "#test/support/console-client.ts";
import { until } from "#test/support/until.ts";

const { createLink, listLinks } = apiLinkEndpoints;
const { inviteMember, listMembers, removeMember } = accountEndpoints;

const endpointsOf = (module: object): Endpoint[] =>
  Object.values(module).filter((value): value is Endpoint => typeof value === "object" && "path" in value);

const ofAccount = [
  accountEndpoints,
  linkEndpoints,
  webhookEndpoints,
  logoEndpoints,
  pageEndpoints,
  qrDesignEndpoints,
  utmTemplateEndpoints,
].flatMap(endpointsOf);
const ofApi: Endpoint[] = [...endpointsOf(apiLinkEndpoints), getAccountAnalytics, getLinkAnalytics];
const ofUser = [...endpointsOf(userEndpoints), ...endpointsOf(sessionEndpoints)].filter(({ open }) => !open);
const all = [...ofAccount, ...ofApi];

type Named = [id: string, endpoint: Endpoint];
const named = (endpoints: readonly Endpoint[]): Named[] => endpoints.map((endpoint) => [endpoint.id, endpoint]);

const roleFor = ({ role, scope }: Endpoint): Role =>
  role ?? (scope === "domains:write" ? "admin" : scope === "links:write" ? "member" : "viewer");

let console: ConsoleServer;
let people: Record<Role, ConsoleClient>;
let eve: ConsoleClient;
beforeAll(async () => {
  console = await startConsole();
  people = {
    owner: console.owner,
    admin: await console.newMember("admin"),
    member: await console.newMember("member"),
    viewer: await console.newMember("viewer"),
  };
  eve = await console.newOwner();
});
afterAll(() => console.stop());

test("the tables below name operations of every kind", () => {
  expect([ofAccount.length > 12, ofApi.length > 10, ofUser.length > 10]).toEqual([true, true, true]);
});

describe("without a session", () => {
  test.each(named([...all, ...ofUser]))("%s", async (_, endpoint) => {
    const answer = await console
      .guest()
      .call(endpoint, { account: console.owner.account, params: { id: "x", slug: "x" } });
    expect(outcomeOf(answer)).toBe("401 not_signed_in");
  });
});

describe("an insufficient role is refused before anything else is checked", () => {
  const cases = roles.flatMap((role) =>
    all
      .filter((endpoint) => !isAtLeast(role, roleFor(endpoint)))
      .map((endpoint): [Role, string, Endpoint] => [role, endpoint.id, endpoint]),
  );

  test.each(cases)("%s: %s", async (role, _, endpoint) => {
    const answer = await people[role].call(endpoint, { params: { id: "x", slug: "x" }, body: endpoint.body && {} });
    expect(outcomeOf(answer)).toBe("403 role_insufficient");
  });

  test("a viewer can change nothing but leave", () => {
    const allowed = all.filter((endpoint) => endpoint.method !== "GET" && isAtLeast("viewer", roleFor(endpoint)));
    expect(allowed.map(({ id }) => id)).toEqual([removeMember.id]);
  });

  test("a viewer reads links and reports", async () => {
    for (const endpoint of [listLinks, getAccountAnalytics, listMembers]) {
      expect(outcomeOf(await people.viewer.call(endpoint))).toBe("200");
    }
  });
});

describe("another account", () => {
  test.each(named(all))("%s is not found", async (_, endpoint) => {
    const sent = { params: { id: "x", slug: "x" }, body: endpoint.body && {} };
    const foreign = await eve.call(endpoint, { ...sent, account: console.owner.account });
    const absent = await eve.call(endpoint, { ...sent, account: "acc_00000000000000000000000000" });
    const none = await eve.call(endpoint, { ...sent, account: "acc_1" });
    expect(outcomeOf(foreign)).toBe("404 not_found");
    const told = [foreign, absent, none].map(({ status, text }) => [status, text.replace(/req_\w+/, "")]);
    expect(told[0]).toEqual(told[1] ?? []);
    expect(told[0]).toEqual(told[2] ?? []);
  });

  test("an account can't be chosen by a query parameter instead of the header", async () => {
    const path = `${accountEndpoints.getAccount.path}?account=${console.owner.account}`;
    expect((await eve.request("GET", path)).status).toBe(404);
  });

  test("its objects aren't found by id, with the same answer as for an unknown id", async () => {
    const { id: token } = await makeToken(console.owner);
    const headers = { "idempotency-key": "one" };
    const link = (await console.owner.do(createLink, {
      body: { destination_url: "https://example.com" },
      headers,
    })) as {
      id: string;
    };
    const { id: invitation } = await console.owner.do(inviteMember, {
      body: { email: "invited@example.com", role: "viewer" },
    });
    const [member] = (await console.owner.do(listMembers)).members;
    const targets: [Endpoint, string][] = [
      [accountEndpoints.revokeToken, token],
      [accountEndpoints.cancelInvitation, invitation],
      [accountEndpoints.getInvitationLink, invitation],
      [accountEndpoints.changeRole, member?.id ?? ""],
      [removeMember, member?.id ?? ""],
      [getLinkAnalytics, link.id],
      ...endpointsOf(apiLinkEndpoints)
        .filter(({ params }) => params)
        .map((endpoint): [Endpoint, string] => [endpoint, link.id]),
    ];
    expect(targets.length).toBeGreaterThan(9);
    for (const [endpoint, id] of targets) {
      const body = endpoint === accountEndpoints.changeRole ? { role: "viewer" } : endpoint.body && {};
      const foreign = await eve.call(endpoint, { params: { id }, body });
      const absent = await eve.call(endpoint, { params: { id: `${id.slice(0, -1)}_` }, body });
      expect([endpoint.id, outcomeOf(foreign)]).toEqual([endpoint.id, "404 not_found"]);
      expect(foreign.text.replace(/req_\w+/, "")).toBe(absent.text.replace(/req_\w+/, ""));
    }
    // Nothing has changed.
    expect(
      (await console.owner.do(accountEndpoints.listTokens)).data.find(({ id }) => id === token)?.revoked_at,
    ).toBeNull();
    expect((await console.owner.do(listMembers)).invitations.map(({ id }) => id)).toContain(invitation);
  });
});

describe("a suspended account", () => {
  test("can be read but not changed", async () => {
    const { adminSocket } = dataPaths(console.server.dataDir);
    const owner = await console.newOwner();
    await sendToServer(adminSocket, "accounts suspend", { account: owner.account });
    expect((await owner.state()).session?.accounts).toMatchObject([{ suspended: true }]);
    // The click stream never ends.
    for (const endpoint of all.filter((one) => one !== linkEndpoints.watchClicks)) {
      const answer = await owner.call(endpoint, { params: { id: "x", slug: "x" }, body: endpoint.body && {} });
      if (endpoint.method === "GET") expect(answer.status).not.toBe(403);
      else expect([endpoint.id, outcomeOf(answer)]).toEqual([endpoint.id, "403 account_suspended"]);
    }
    await sendToServer(adminSocket, "accounts resume", { account: owner.account });
  });
});

test("refusals are in the audit log, with person, operation and role", async () => {
  const viewer = await console.newMember("viewer");
  const actor = `user:${(await viewer.state()).session?.user.id}`;
  await viewer.call(inviteMember, { body: {} });
  const findRefusal = async () => {
    const { data } = await console.owner.do(accountEndpoints.listAudit);
    return data.find((entry) => entry.action === "access.refused" && entry.actor === actor);
  };
  // It is written shortly after the answer.
  await until("the refusal is logged", async () => (await findRefusal()) !== undefined);
  expect(await findRefusal()).toMatchObject({
    actor: expect.stringMatching(/^user:usr_/),
    actor_name: "viewer",
    subject: inviteMember.id,
    details: { role: "viewer" },
  });
});

test("repeated refusals are one entry in the audit log", async () => {
  const owner = await console.newOwner();
  const member = await console.newMember("member", owner);
  for (let round = 0; round < 5; round += 1) await member.call(inviteMember, { body: {} });
  await member.call(accountEndpoints.listTokens);
  const refused = async () => {
    const { data } = await owner.do(accountEndpoints.listAudit);
    return data.filter(({ action }) => action === "access.refused").map(({ subject }) => subject);
  };
  await until("both are logged", async () => (await refused()).length >= 2);
  expect(await refused()).toEqual([accountEndpoints.listTokens.id, inviteMember.id]);
});

/** Returns how many of 610 requests were allowed, and how many of these may be a minute old by the end. */
async function send610(send: (n: number) => Promise<ConsoleAnswer>): Promise<{ allowed: number; expired: number }> {
  const seen: { readonly sentAt: number; readonly outcome: string }[] = [];
  for (let sent = 0; sent < 610; sent += 61) {
    const sentAt = performance.now();
    const batch = Array.from({ length: 61 }, (_, n) => send(n));
    for (const answer of await Promise.all(batch)) seen.push({ sentAt, outcome: outcomeOf(answer) });
  }
  const minuteAgo = performance.now() - 60_000;
  const allowed = seen.filter(({ outcome }) => outcome === "200");
  expect(seen.filter(({ outcome }) => outcome !== "200" && outcome !== "429 rate_limited")).toEqual([]);
  return { allowed: allowed.length, expired: allowed.filter(({ sentAt }) => sentAt < minuteAgo).length };
}

test("a session may make 600 requests per minute", async () => {
  const person = await console.newOwner();
  const { allowed, expired } = await send610(() => person.call(userEndpoints.listPasskeys));
  expect(allowed).toBeGreaterThanOrEqual(600);
  expect(allowed).toBeLessThanOrEqual(600 + expired);
});

test("a network may make as many without a session, at no cost to those who have one", async () => {
  const before = await console.newOwner();
  const { allowed, expired } = await send610((n) =>
    console.guest().call(n % 2 ? sessionEndpoints.getState : sessionEndpoints.startPasskeySignIn),
  );
  expect(allowed).toBeGreaterThan(500);
  expect(allowed).toBeLessThanOrEqual(600 + expired);
  expect((await before.state()).session).not.toBeNull();
});
