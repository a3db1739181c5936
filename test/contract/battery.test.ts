import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { releasedEndpoints } from "#contract/index.ts";
import { type Scope, scopes } from "#contract/scopes.ts";
import { type Api, type Caller, errorOf, outcomeOf, smallPlans, startApi } from "#test/support/api-client.ts";
import { breakChecksum, forgeToken, tokenIdOf } from "#test/support/forged-token.ts";
import { goodRequest, newSubject, scopesForGoodRequest } from "#test/support/good-request.ts";

let api: Api;
let owner: Caller;
let other: Caller;
let expired: string;
let revoked: string;
const byScope = new Map<Scope, string>();
const tokenWith = (scope: Scope): string => byScope.get(scope) ?? "";

// Wrong tokens are counted per client, and all endpoints together try more of them than one client may.
let clients = 0;
const newClient = (): Readonly<Record<string, string>> => {
  clients += 1;
  return { "X-Forwarded-For": `203.0.113.${clients}` };
};

beforeAll(async () => {
  api = await startApi({ ...smallPlans, KURZ_TRUST_PROXY: "1" });
  owner = await api.newCaller();
  other = await api.newCaller();
  expired = await api.operator.newToken(owner.account);
  api.operator.expireToken(expired);
  revoked = await api.operator.newToken(owner.account);
  await api.operator.revokeToken(revoked);
  for (const scope of scopes) byScope.set(scope, await api.operator.newToken(owner.account, { scopes: scope }));
});
afterAll(() => api.stop());

for (const endpoint of releasedEndpoints) {
  const { method, path, status } = endpoint;
  const send = async (authorization: Readonly<Record<string, string>>) => {
    const { id } = await newSubject(owner.kurz, endpoint);
    return api.call({ ...goodRequest(endpoint, id), headers: authorization });
  };

  describe(`${method} ${path}`, () => {
    test("asks for a token if there is none", async () => {
      const answer = await send({});
      expect(outcomeOf(answer)).toBe("401 missing_token");
      expect(answer.headers.get("WWW-Authenticate")).toBe('Bearer realm="api"');
      expect(answer.headers.has("RateLimit")).toBe(false);
    });

    test("refuses every malformed or unknown token, always with the same message", async () => {
      const good = owner.token;
      const wrong = [
        "Bearer",
        "Bearer abc",
        `Bearer  ${good}`,
        `Bearer ${good} ${good}`,
        `Bearer ${good},`,
        `Bearer "${good}"`,
        `Basic ${btoa(good)}`,
        `Token ${good}`,
        good,
        `Bearer ${breakChecksum(good)}`,
        `Bearer ${good.toLowerCase()}`,
        `Bearer ${forgeToken()}`,
        `Bearer ${forgeToken(tokenIdOf(good))}`,
      ];
      const { id } = await newSubject(owner.kurz, endpoint);
      const client = newClient();
      const answers = await Promise.all(
        wrong.map((authorization) =>
          api.call({ ...goodRequest(endpoint, id), headers: { ...client, Authorization: authorization } }),
        ),
      );
      const seen = answers.map((answer) => `${outcomeOf(answer)} ${answer.headers.get("WWW-Authenticate")}`);
      expect(seen).toEqual(wrong.map(() => '401 invalid_token Bearer realm="api", error="invalid_token"'));
      expect(new Set(answers.map((answer) => errorOf(answer).message)).size).toBe(1);
    });

    test("tells the owner of an old token that it has expired or was revoked", async () => {
      for (const [token, code] of [
        [expired, "token_expired"],
        [revoked, "token_revoked"],
      ] as const) {
        const answer = await send({ Authorization: `Bearer ${token}` });
        expect(outcomeOf(answer)).toBe(`401 ${code}`);
        expect(answer.headers.get("WWW-Authenticate")).toContain('error="invalid_token"');
      }
    });

    test("accepts the scheme in any case", async () => {
      expect((await send({ Authorization: `bEARER ${owner.token}` })).status).toBe(status);
    });

    for (const held of scopes) {
      const needed = scopesForGoodRequest(endpoint);
      const isEnough = needed.every((one) => one === held);
      const missing = needed.find((one) => one !== held);
      test(`${isEnough ? "accepts" : "refuses"} a token with ${held} alone`, async () => {
        const answer = await send({ Authorization: `Bearer ${tokenWith(held)}` });
        if (isEnough) return expect(outcomeOf(answer)).toBe(String(status));
        expect(outcomeOf(answer)).toBe("403 insufficient_scope");
        expect(errorOf(answer).details).toEqual({ required_scope: missing, token_scopes: [held] });
        expect(answer.headers.get("WWW-Authenticate")).toBe(`Bearer error="insufficient_scope", scope="${missing}"`);
      });
    }

    test("requires a plan with API access", async () => {
      const { token } = await api.newCaller({ plan: "free" });
      const answer = await api.call({ ...goodRequest(endpoint, "lnk_any"), token });
      expect(outcomeOf(answer)).toBe("403 plan_limit");
      expect(errorOf(answer).details).toEqual({ feature: "api_access", limit: 0 });
    });

    test("answers 429 beyond the token's limit, with the time to wait", async () => {
      const { token, account } = await api.newCaller({ rateLimit: 2 });
      const link = await newSubject(api.sdk(await api.operator.newToken(account)), endpoint);
      const request = { ...goodRequest(endpoint, link.id), token };
      await api.call(request);
      await api.call(request);
      const answer = await api.call(request);
      expect(outcomeOf(answer)).toBe("429 rate_limited");
      const seconds = Number(answer.headers.get("Retry-After"));
      expect(seconds).toBeWithin(1, 62);
      expect(errorOf(answer).details).toEqual({ limit: 2, window_seconds: 60, retry_after: seconds });
    });

    test("refuses a suspended account until it is resumed", async () => {
      const { account, token, kurz } = await api.newCaller();
      const request = { ...goodRequest(endpoint, (await newSubject(kurz, endpoint)).id), token };
      await api.operator.suspend(account);
      expect(outcomeOf(await api.call(request))).toBe("403 account_suspended");
      await api.operator.resume(account);
      expect((await api.call(request)).status).toBe(status);
    });
  });

  // An external id is the caller's own, and a new one creates a link.
  if (!endpoint.params || endpoint.id === "links.upsert") continue;

  test(`${method} ${path} answers alike for a foreign, an absent, a deleted and an impossible id`, async () => {
    const foreign = await newSubject(other.kurz, endpoint);
    const deleted = await newSubject(owner.kurz, endpoint);
    await deleted.delete();
    const ids = [
      foreign.id,
      "lnk_01k9zq3v7m8r5c2x4t6w0h1jba",
      deleted.id,
      foreign.id.toUpperCase(),
      "lnk_",
      "0",
      "null",
      "%00",
      "%F0%9F%94%97",
      "a%2Fb",
      "'%20or%201=1--",
      "a".repeat(255),
      "a".repeat(256),
      "a".repeat(4000),
    ];
    const bodies: string[] = [];
    for (const id of ids) {
      const answer = await api.call({ ...goodRequest(endpoint, id), token: owner.token });
      const { request_id: _, ...rest } = errorOf(answer);
      bodies.push(`${answer.status} ${JSON.stringify(rest)}`);
    }
    expect(bodies[0]).toStartWith('404 {"code":"not_found"');
    expect([...new Set(bodies)]).toEqual(bodies.slice(0, 1));
    expect(await foreign.version()).toBe(1);
  });
}

test("the id of an old token alone doesn't reveal what became of it", async () => {
  const client = newClient();
  for (const token of [expired, revoked]) {
    const answer = await api.call({ path: "/api/v1/me", token: forgeToken(tokenIdOf(token)), headers: client });
    expect(outcomeOf(answer)).toBe("401 invalid_token");
  }
});
