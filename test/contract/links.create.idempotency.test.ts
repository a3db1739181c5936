import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import {
  type Api,
  type ApiAnswer,
  errorFrom,
  errorOf,
  fieldErrorsOf,
  joinApi,
  newLink,
  outcomeOf,
} from "#test/support/api-client.ts";
import { expiringSoon, TooLate } from "#test/support/expiring.ts";
import { until } from "#test/support/until.ts";

const PATH = "/api/v1/links";
const DESTINATION = "https://example.com/sale";
const body = { destination_url: DESTINATION, title: "Sale", tags: ["a", "b"], utm: { utm_source: "x" } };

let api: Api;

beforeAll(async () => {
  api = await joinApi();
});
afterAll(() => api.stop());

const create = (token: string, key: string, json: unknown = body): Promise<ApiAnswer> =>
  api.call({ method: "POST", path: PATH, token, json, headers: { "Idempotency-Key": key } });

const linkIdOf = ({ json }: ApiAnswer): string => (json as { readonly id: string }).id;

describe("a retry with the same key", () => {
  test("creates no second link, and returns the same bytes, status and location", async () => {
    const { token, kurz } = await api.newCaller();
    const first = await create(token, "one");
    const second = await create(token, "one");
    expect([first.status, second.status]).toEqual([201, 201]);
    expect(second.text).toBe(first.text);
    expect(first.headers.has("Idempotent-Replayed")).toBe(false);
    expect(second.headers.get("Idempotent-Replayed")).toBe("true");
    for (const name of ["Location", "ETag", "Content-Type"]) {
      expect(second.headers.get(name)).toBe(first.headers.get(name));
    }
    expect(second.headers.get("X-Request-Id")).not.toBe(first.headers.get("X-Request-Id"));
    const remaining = (answer: ApiAnswer) => Number(answer.headers.get("X-RateLimit-Remaining"));
    expect(remaining(second)).toBe(remaining(first) - 1);
    expect((await kurz.links.list()).data).toHaveLength(1);
  });

  test("creates one link if 50 run at once", async () => {
    const { token, kurz } = await api.newCaller();
    const answers = await Promise.all(Array.from({ length: 50 }, () => create(token, "parallel")));
    const made = answers.filter(({ status }) => status === 201);
    expect(made.filter(({ headers }) => !headers.has("Idempotent-Replayed"))).toHaveLength(1);
    expect(new Set(made.map(({ text }) => text)).size).toBe(1);
    for (const answer of answers.filter(({ status }) => status !== 201)) {
      expect(outcomeOf(answer)).toBe("409 idempotency_in_progress");
      expect(answer.headers.get("Retry-After")).toBe("1");
    }
    expect((await kurz.links.list()).data).toHaveLength(1);
  });

  test("gets the first answer even after the link was changed or deleted", async () => {
    const { token, kurz } = await api.newCaller();
    const first = await create(token, "snapshot");
    const id = linkIdOf(first);
    await kurz.links.update(id, { title: "Changed", destination_url: "https://example.org/" });
    await kurz.links.pause(id);
    expect((await create(token, "snapshot")).text).toBe(first.text);
    await kurz.links.delete(id);
    const last = await create(token, "snapshot");
    expect([last.status, last.text]).toEqual([201, first.text]);
    expect((await kurz.links.list({ state: ["all"] })).data).toEqual([]);
  });

  test("doesn't count against a full plan", async () => {
    const { token, kurz } = await api.newCaller({ plan: "single" });
    const first = await create(token, "full", { ...body, slug: "kept-1" });
    expect((await create(token, "full", { ...body, slug: "kept-1" })).text).toBe(first.text);
    await errorFrom(newLink(kurz), "plan_limit");
    expect((await kurz.me.get()).plan.features.active_links.used).toBe(1);
  });

  test("works after the link has expired; a first request doesn't", async () => {
    const { token } = await api.newCaller();
    const { expires_at, first } = await expiringSoon(async (expires_at) => {
      const first = await create(token, "short-lived", { ...body, expires_at });
      if (first.status === 422) throw new TooLate(first.text);
      return { expires_at, first };
    });
    expect(first.status).toBe(201);
    await until("the link has expired", () => Date.now() > Date.parse(expires_at));
    expect((await create(token, "short-lived", { ...body, expires_at })).text).toBe(first.text);
    const late = await create(token, "too-late", { ...body, expires_at });
    expect(fieldErrorsOf(errorOf(late))).toEqual(["body expires_at in_past"]);
    expect(outcomeOf(await create(token, "too-late"))).toBe("201");
  });

  test("works with another token of the account", async () => {
    const { account, token } = await api.newCaller();
    const first = await create(token, "rotated");
    await api.operator.revokeToken(token);
    const second = await create(await api.operator.newToken(account), "rotated");
    expect(second.text).toBe(first.text);
  });

  test("still requires a valid token, the scope and a plan with API access", async () => {
    const { account, token } = await api.newCaller();
    await create(token, "checked");
    const reader = await api.operator.newToken(account, { scopes: "links:read" });
    expect(outcomeOf(await create(reader, "checked"))).toBe("403 insufficient_scope");
    await api.operator.setPlan(account, "free");
    expect(outcomeOf(await create(token, "checked"))).toBe("403 plan_limit");
    await api.operator.setPlan(account, "unlimited");
    expect(outcomeOf(await create(token, "checked"))).toBe("201");
    await api.operator.revokeToken(token);
    expect(outcomeOf(await create(token, "checked"))).toBe("401 token_revoked");
  });
});

describe("the body of a retry", () => {
  test("is the same whatever the order of its fields and the space between them", async () => {
    const { token } = await api.newCaller();
    const first = await create(token, "canonical");
    const text = `{ "utm" : {"utm_source":"\\u0078"},\n"tags":["a","b"], "title":"Sale","destination_url":"${DESTINATION}" }`;
    const headers = { "Idempotency-Key": "canonical", "Content-Type": "application/json; charset=utf-8" };
    const second = await api.call({ method: "POST", path: PATH, token, body: text, headers });
    expect(second.text).toBe(first.text);
  });

  test("may not differ: no extra field, other value or other order in a list", async () => {
    const { token, kurz } = await api.newCaller();
    await create(token, "mismatch");
    for (const other of [
      { ...body, title: "Sale!" },
      { ...body, slug: null },
      { ...body, tags: ["b", "a"] },
      { destination_url: DESTINATION },
    ]) {
      expect(outcomeOf(await create(token, "mismatch", other))).toBe("422 idempotency_key_reused");
    }
    expect((await kurz.links.list()).data).toHaveLength(1);
  });
});

describe("a key", () => {
  test("belongs to one account", async () => {
    const one = await api.newCaller();
    const other = await api.newCaller();
    const ids = [await create(one.token, "shared"), await create(other.token, "shared")].map(linkIdOf);
    expect(new Set(ids).size).toBe(2);
    expect(outcomeOf(await create(other.token, "shared", { ...body, title: "x" }))).toBe("422 idempotency_key_reused");
  });

  test("is free again after a failure, so that a corrected retry works", async () => {
    const { token } = await api.newCaller();
    await newLink((await api.newCaller()).kurz, { slug: "occupied" });
    expect(outcomeOf(await create(token, "again", { ...body, title: "" }))).toBe("422 validation_failed");
    expect(outcomeOf(await create(token, "again", { ...body, slug: "occupied" }))).toBe("409 slug_taken");
    expect(outcomeOf(await create(token, "again", body))).toBe("201");
  });

  test("is compared exactly: case and quotes matter", async () => {
    const { token } = await api.newCaller();
    const keys = ["Key", "key", '"key"', "k".repeat(255), "!~"];
    const ids = await Promise.all(keys.map(async (key) => linkIdOf(await create(token, key))));
    expect(new Set(ids).size).toBe(keys.length);
  });

  test("is optional: without one each request creates a link", async () => {
    const { token } = await api.newCaller();
    const request = { method: "POST", path: PATH, token, json: body };
    expect(linkIdOf(await api.call(request))).not.toBe(linkIdOf(await api.call(request)));
  });

  test.each([
    ["is empty", ""],
    ["has a space", "two words"],
    ["has 256 characters", "k".repeat(256)],
    ["has a non-ASCII letter", "sch\u00f6n"],
    ["has a tab", "a\tb"],
  ])("is refused if it %s", async (_, key) => {
    const { token, kurz } = await api.newCaller();
    const headers = [
      ["Content-Type", "application/json"],
      ["Idempotency-Key", key],
    ] as const;
    const answer = await api.raw({ method: "POST", target: PATH, token, headers, body: JSON.stringify(body) });
    expect(outcomeOf(answer)).toBe("400 invalid_idempotency_key");
    expect((await kurz.links.list()).data).toEqual([]);
  });

  test("is refused if sent twice", async () => {
    const { token } = await api.newCaller();
    const key = ["Idempotency-Key", "twice"] as const;
    const headers = [["Content-Type", "application/json"] as const, key, key];
    const answer = await api.raw({ method: "POST", target: PATH, token, headers, body: JSON.stringify(body) });
    expect(outcomeOf(answer)).toBe("400 invalid_idempotency_key");
  });

  test("is ignored by other endpoints, even an invalid one", async () => {
    const { token, kurz } = await api.newCaller();
    const { id } = await newLink(kurz);
    for (const action of ["pause", "resume", "archive", "unarchive"]) {
      const headers = { "Idempotency-Key": "two words" };
      expect((await api.call({ method: "POST", path: `${PATH}/${id}/${action}`, token, headers })).status).toBe(200);
    }
    expect((await kurz.links.get(id)).version).toBe(5);
  });
});
