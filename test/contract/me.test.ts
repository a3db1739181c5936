import { afterAll, beforeAll, expect, test } from "bun:test";
import { type Api, newLink, smallPlans, startApi } from "#test/support/api-client.ts";
import { tokenIdOf } from "#test/support/forged-token.ts";
import { until } from "#test/support/until.ts";

let api: Api;

beforeAll(async () => {
  api = await startApi({ ...smallPlans, KURZ_RATE_LIMIT_PER_MINUTE: "120" });
});
afterAll(() => api.stop());

test("/me shows the account, the token, the plan and the limits, and nothing personal", async () => {
  const { account, token, kurz } = await api.newCaller({ plan: "trio", scopes: "links:write,links:read" });
  const { status, data } = await kurz.request("me.get");
  expect(status).toBe(200);
  expect(data).toEqual({
    account: { id: account, name: "Test", created_at: data.account.created_at },
    token: {
      id: tokenIdOf(token),
      name: "Test",
      scopes: ["links:read", "links:write"],
      created_at: data.token.created_at,
      expires_at: null,
      last_used_at: data.token.last_used_at,
    },
    plan: {
      id: "trio",
      features: {
        api_access: true,
        active_links: { limit: 3, used: 0 },
        webhook_endpoints: { limit: 1, used: 0 },
        domains: { limit: 0, used: 0 },
        rules_per_link: { limit: 2 },
      },
    },
    rate_limit: { limit: 120, window_seconds: 60 },
    api_version: "v1",
    demo: false,
  });
  expect(JSON.stringify(data)).not.toContain("@");
  expect(JSON.stringify(data)).not.toContain(token.slice(-49));
});

test("missing limits are null", async () => {
  const { kurz } = await api.newCaller({ plan: "unlimited" });
  expect((await kurz.me.get()).plan.features).toMatchObject({
    active_links: { limit: null },
    webhook_endpoints: { limit: null },
  });
});

test("plan usage follows the links", async () => {
  const { kurz } = await api.newCaller({ plan: "trio" });
  const used = async () => (await kurz.me.get()).plan.features.active_links.used;
  const { id } = await newLink(kurz);
  await newLink(kurz);
  expect(await used()).toBe(2);
  await kurz.links.pause(id);
  expect(await used()).toBe(1);
  await kurz.links.resume(id);
  await kurz.links.archive(id);
  expect(await used()).toBe(1);
});

test("a new plan applies from the next request on", async () => {
  const { account, kurz } = await api.newCaller({ plan: "trio" });
  await api.operator.setPlan(account, "single");
  expect((await kurz.me.get()).plan).toMatchObject({ id: "single", features: { active_links: { limit: 1 } } });
});

test("the last use of a token is recorded, to the minute", async () => {
  const before = Date.now();
  const { kurz } = await api.newCaller();
  await kurz.me.get();
  await until("the use is recorded", async () => (await kurz.me.get()).token.last_used_at !== null);
  const first = (await kurz.me.get()).token.last_used_at ?? "";
  expect(Date.parse(first)).toBeWithin(before, Date.now() + 1);
  await kurz.links.list();
  expect((await kurz.me.get()).token.last_used_at).toBe(first);
});

test("a token shows when it expires", async () => {
  const { account } = await api.newCaller();
  const token = await api.server.newToken(account, { expires: "30d", scopes: "qr:read" });
  const { expires_at, created_at } = (await api.sdk(token).me.get()).token;
  expect(Date.parse(expires_at ?? "") - Date.parse(created_at)).toBe(30 * 86_400_000);
});

test("a revoked token fails on the very next request", async () => {
  const { token } = await api.newCaller();
  expect((await api.call({ path: "/api/v1/me", token })).status).toBe(200);
  const { code } = await api.server.kurz(["tokens", "revoke", tokenIdOf(token)]);
  expect(code).toBe(0);
  expect((await api.call({ path: "/api/v1/me", token })).status).toBe(401);
});
