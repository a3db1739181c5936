import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { parseList } from "structured-headers";
import { type Api, type ApiAnswer, errorOf, outcomeOf, smallPlans, startApi } from "#test/support/api-client.ts";
import { breakChecksum, forgeToken, tokenIdOf } from "#test/support/forged-token.ts";

const LIMIT = 120;
const WINDOW_SECONDS = 60;
const GUESSES_MAX = 30;

let api: Api;
/** A token that used up its quota, and kept asking although told to wait. */
let usedUp: { readonly retryAfter: number; readonly early: ApiAnswer[] };
/** The same token, after waiting exactly as long as told. */
let returned: Promise<ApiAnswer>;

const me = (token: string, headers: Readonly<Record<string, string>> = {}) =>
  api.call({ path: "/api/v1/me", token, headers });
const repeat = <T>(times: number, work: (index: number) => Promise<T>): Promise<T[]> =>
  Promise.all(Array.from({ length: times }, (_, index) => work(index)));
const retryAfterOf = ({ headers }: ApiAnswer): number => Number(headers.get("Retry-After"));
const remainingOf = ({ headers }: ApiAnswer): number => Number(headers.get("X-RateLimit-Remaining"));

async function useUpAndReturn(): Promise<void> {
  const { token } = await api.newCaller({ rateLimit: 3 });
  expect(await repeat(3, () => me(token).then(outcomeOf))).toEqual(["200", "200", "200"]);
  const refused = await me(token);
  returned = Bun.sleep(retryAfterOf(refused) * 1000).then(() => me(token));
  usedUp = { retryAfter: retryAfterOf(refused), early: await repeat(20, () => me(token)) };
}

beforeAll(async () => {
  api = await startApi({ ...smallPlans, KURZ_RATE_LIMIT_PER_MINUTE: String(LIMIT) });
  // The one long wait of this file runs beside the other tests.
  await useUpAndReturn();
});
afterAll(() => api.stop());

describe("a token's limit", () => {
  test("lets exactly 120 of 300 parallel requests through, and tells the others how long to wait", async () => {
    const { token } = await api.newCaller();
    const answers = await repeat(300, () => me(token));
    const accepted = answers.filter(({ status }) => status === 200);
    const refused = answers.filter(({ status }) => status === 429);
    expect([accepted.length, refused.length]).toEqual([LIMIT, 300 - LIMIT]);
    const left = accepted.map(remainingOf).toSorted((a, b) => a - b);
    expect(left).toEqual(Array.from({ length: LIMIT }, (_, index) => index));
    for (const answer of refused) {
      const seconds = retryAfterOf(answer);
      expect(seconds).toBeWithin(1, WINDOW_SECONDS + 2);
      expect(errorOf(answer)).toMatchObject({
        code: "rate_limited",
        details: { limit: LIMIT, window_seconds: WINDOW_SECONDS, retry_after: seconds },
      });
      const [state] = parseList(answer.headers.get("RateLimit") ?? "");
      const parameters = Object.fromEntries(state?.[1] as Map<string, number>);
      expect(parameters).toMatchObject({ r: 0 });
      expect(seconds).toBeGreaterThanOrEqual(Number(parameters.t));
    }
  });

  test("isn't shared with another token of the same account", async () => {
    const { account, token } = await api.newCaller({ rateLimit: 2 });
    const second = await api.operator.newToken(account, { rateLimit: 2 });
    expect(await repeat(3, () => me(token).then(outcomeOf))).toContain("429 rate_limited");
    expect(remainingOf(await me(second))).toBe(1);
  });

  test("counts every endpoint and every outcome with a valid token", async () => {
    const { token } = await api.newCaller({ rateLimit: 4, scopes: "links:read" });
    const requests = [
      { path: "/api/v1/links", token },
      { path: "/api/v1/links?limit=0", token },
      { path: "/api/v1/links/absent", token },
      { method: "POST", path: "/api/v1/links", token, json: {} },
      { path: "/api/v1/me", token },
    ];
    const outcomes: string[] = [];
    for (const request of requests) outcomes.push(outcomeOf(await api.call(request)));
    expect(outcomes).toEqual([
      "200",
      "422 validation_failed",
      "404 not_found",
      "403 insufficient_scope",
      "429 rate_limited",
    ]);
  });

  test("applies whatever address a client claims to have", async () => {
    const { token } = await api.newCaller({ rateLimit: 1 });
    expect((await me(token)).status).toBe(200);
    for (const name of ["X-Forwarded-For", "X-Real-IP", "X-Kurz-Client", "Forwarded"]) {
      expect((await me(token, { [name]: "203.0.113.77" })).status).toBe(429);
    }
  });

  test("is the token's, or else the plan's, or else the deployment's", async () => {
    const own = await api.newCaller({ plan: "slow", rateLimit: 3 });
    const plan = await api.newCaller({ plan: "slow" });
    const deployment = await api.newCaller();
    for (const [{ token, kurz }, limit] of [
      [own, 3],
      [plan, 7],
      [deployment, LIMIT],
    ] as const) {
      expect((await kurz.me.get()).rate_limit).toEqual({ limit, window_seconds: WINDOW_SECONDS });
      expect((await me(token)).headers.get("RateLimit-Policy")).toBe(`"default";q=${limit};w=${WINDOW_SECONDS}`);
    }
  });
});

describe("a plan whose limit is null", () => {
  test("has none, unless the token has one", async () => {
    const { account, token, kurz } = await api.newCaller({ plan: "swift" });
    expect((await kurz.me.get()).rate_limit).toEqual({ limit: null, window_seconds: WINDOW_SECONDS });
    const answers = await repeat(LIMIT + 10, () => me(token));
    expect(new Set(answers.map(outcomeOf))).toEqual(new Set(["200"]));
    expect(answers.some(({ headers }) => headers.has("RateLimit") || headers.has("X-RateLimit-Limit"))).toBe(false);
    const limited = await api.operator.newToken(account, { rateLimit: 1 });
    expect(await repeat(2, () => me(limited).then(outcomeOf))).toContain("429 rate_limited");
  });
});

describe("wrong tokens", () => {
  test("are refused unread after 30 guesses from one address, while valid tokens still work", async () => {
    const { token } = await api.newCaller();
    const guess = () => api.call({ path: "/api/v1/me", token: forgeToken(tokenIdOf(token)) });
    // Typos are detected without a look-up and cost nothing.
    const typos = await repeat(40, () => me(breakChecksum(token)).then(outcomeOf));
    expect(new Set(typos)).toEqual(new Set(["401 invalid_token"]));

    const guesses = (await repeat(GUESSES_MAX, guess)).map(outcomeOf);
    expect(guesses).toEqual(guesses.map(() => "401 invalid_token"));

    const refused = await guess();
    expect(outcomeOf(refused)).toBe("429 rate_limited");
    expect(retryAfterOf(refused)).toBeWithin(1, WINDOW_SECONDS + 2);
    expect(errorOf(refused).details).toMatchObject({ limit: GUESSES_MAX, window_seconds: WINDOW_SECONDS });
    const spoofed = await api.call({
      path: "/api/v1/me",
      token: forgeToken(),
      headers: { "X-Forwarded-For": "203.0.113.5", "X-Kurz-Client": "203.0.113.5" },
    });
    expect(spoofed.status).toBe(429);
    expect((await me(token)).status).toBe(200);
    expect(outcomeOf(await me(breakChecksum(token)))).toBe("401 invalid_token");
  });
});

describe("a deployment without limits", () => {
  test("sends no rate headers, shows none in /me and refuses nobody", async () => {
    const open = await startApi({ KURZ_RATE_LIMIT_PER_MINUTE: "0" });
    try {
      const { token, kurz } = await open.newCaller({ rateLimit: 2 });
      expect((await kurz.me.get()).rate_limit).toEqual({ limit: null, window_seconds: WINDOW_SECONDS });
      const answers = await repeat(200, () => open.call({ path: "/api/v1/me", token }));
      for (const { status, headers } of answers) {
        expect(status).toBe(200);
        expect([...headers.keys()].filter((name) => name.includes("ratelimit"))).toEqual([]);
      }
      const guesses = await repeat(60, () => open.call({ path: "/api/v1/me", token: forgeToken() }).then(outcomeOf));
      expect(new Set(guesses)).toEqual(new Set(["401 invalid_token"]));
    } finally {
      await open.stop();
    }
  });
});

describe("waiting", () => {
  test("exactly as long as Retry-After says is enough, however often the client asked too early", async () => {
    const { retryAfter, early } = usedUp;
    const onTime = await returned;
    expect(retryAfter).toBeWithin(1, WINDOW_SECONDS + 2);
    expect(new Set(early.map(outcomeOf))).toEqual(new Set(["429 rate_limited"]));
    expect(outcomeOf(onTime)).toBe("200");
    // Refused ones never counted. Of the three before, the first has left the window, and on a busy machine only that.
    expect(remainingOf(onTime)).toBeWithin(0, 3);
  }, 600_000);
});
