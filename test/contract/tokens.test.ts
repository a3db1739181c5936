import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { type Api, type Caller, errorOf, fieldErrorsOf, joinApi } from "#test/support/api-client.ts";

let api: Api;
let owner: Caller;
beforeAll(async () => {
  api = await joinApi();
  owner = await api.newCaller();
});
afterAll(() => api.stop());

const create = (token: string, json: object) => api.call({ method: "POST", path: "/api/v1/tokens", token, json });

describe("a token that a token creates", () => {
  test("works with its scopes until it is revoked, and is then refused", async () => {
    const made = await owner.kurz.tokens.create({ name: "CI", scopes: ["links:read"] });
    api.operator.secrets.add(made.token);
    const kurz = api.sdk(made.token);
    expect((await kurz.me.get()).token).toMatchObject({ id: made.id, name: "CI", scopes: ["links:read"] });
    await expect(kurz.links.create({ destination_url: "https://example.com/" })).rejects.toMatchObject({
      code: "insufficient_scope",
    });
    const [newest] = await owner.kurz.tokens.list();
    expect(newest).toMatchObject({ id: made.id, name: "CI", scopes: ["links:read"], revoked_at: null });
    expect(JSON.stringify(newest)).not.toContain(made.token);
    await owner.kurz.tokens.revoke(made.id);
    await expect(kurz.me.get()).rejects.toMatchObject({ code: "token_revoked" });
  });

  test("never has more rights than the one that asks", async () => {
    const [expires, later] = ["2099-01-01T00:00:00.000Z", "2099-01-02T00:00:00Z"];
    const { token } = await owner.kurz.tokens.create({
      ...{ name: "Deploys", scopes: ["links:read", "tokens:write"], expires_at: expires },
    });
    api.operator.secrets.add(token);
    const more = await create(token, { name: "More", scopes: ["links:read", "links:write"] });
    expect([more.status, errorOf(more).details]).toEqual([
      403,
      { required_scope: "links:write", token_scopes: ["links:read", "tokens:write"] },
    ]);
    const longer = await create(token, { name: "Longer", scopes: ["links:read"], expires_at: later });
    expect(fieldErrorsOf(errorOf(longer))).toEqual(["body expires_at out_of_range"]);
    const past = await create(token, { name: "Past", scopes: ["links:read"], expires_at: "2020-01-01T00:00:00Z" });
    expect(fieldErrorsOf(errorOf(past))).toEqual(["body expires_at in_past"]);
    const same = await create(token, { name: "Same", scopes: ["links:read"] });
    expect(same.json).toMatchObject({ expires_at: expires });
    api.operator.secrets.add((same.json as { token: string }).token);
  });

  test("shares the limit of requests of the one that asks, and so do those that it creates", async () => {
    const first = await api.operator.newToken(owner.account, { rateLimit: 7 });
    const made: string[] = [first];
    for (const name of ["Second", "Third"]) {
      const { token } = await api
        .sdk(made.at(-1) ?? "")
        .tokens.create({ name, scopes: ["links:read", "tokens:write"] });
      api.operator.secrets.add(token);
      made.push(token);
    }
    expect((await api.sdk(made[2] ?? "").me.get()).rate_limit.limit).toBe(7);
    const left: (string | null)[] = [];
    for (const token of made) {
      left.push((await api.call({ path: "/api/v1/me", token })).headers.get("X-RateLimit-Remaining"));
    }
    expect(left).toEqual(["3", "2", "1"]);
    await api.call({ path: "/api/v1/me", token: first });
    for (const token of made) expect((await api.call({ path: "/api/v1/me", token })).status).toBe(429);
    const { headers } = await api.call({ path: "/api/v1/me", token: await api.operator.newToken(owner.account) });
    expect(headers.get("X-RateLimit-Remaining")).not.toBe("0");
  });
});

test("tokens of other accounts don't exist", async () => {
  const other = await api.newCaller();
  const { id, token } = await other.kurz.tokens.create({ name: "Theirs", scopes: ["links:read"] });
  api.operator.secrets.add(token);
  await expect(owner.kurz.tokens.revoke(id)).rejects.toMatchObject({ code: "not_found" });
  expect((await owner.kurz.tokens.list()).map((each) => each.id)).not.toContain(id);
  expect((await api.sdk(token).me.get()).token.id).toBe(id);
});
