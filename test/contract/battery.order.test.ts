import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import type { Link } from "#sdk/generated.ts";
import { type Api, type Call, type Caller, joinApi, newLink, outcomeOf } from "#test/support/api-client.ts";

let api: Api;
/** On a plan that allows the one active link the account has. */
let full: Caller;
let active: Link;
let archived: Link;

beforeAll(async () => {
  api = await joinApi();
  full = await api.newCaller({ plan: "single" });
  archived = await newLink(full.kurz);
  await full.kurz.links.archive(archived.id);
  active = await newLink(full.kurz, { slug: "in-use" });
});
afterAll(() => api.stop());

const good = { destination_url: "https://example.com/" };
const create = { method: "POST", path: "/api/v1/links" };
const json = { "Content-Type": "application/json" };
const badKey = { "Idempotency-Key": "two words" };
const tooLarge = "x".repeat(70_000);
const tooLong = `?${"a".repeat(9000)}`;
const absent = "/api/v1/links/lnk_absent";

describe("of two mistakes, the first in processing order is reported", () => {
  const anonymous: readonly (readonly [name: string, request: Call, expected: string])[] = [
    ["a long target, an unknown route", { path: `/api/v1/nothing${tooLong}` }, "414 uri_too_long"],
    ["a long target, a wrong method", { method: "PUT", path: `/api/v1/me${tooLong}` }, "414 uri_too_long"],
    ["a long target, no token", { path: `/api/v1/me${tooLong}` }, "414 uri_too_long"],
    ["a bad path, an unknown route", { path: "/api/v1/nothing/%zz" }, "400 bad_request"],
    ["a bad path, no token", { path: "/api/v1/links/%zz" }, "400 bad_request"],
    ["a bad query, no token", { path: "/api/v1/links?q=%zz" }, "400 bad_request"],
    ["an unknown route, no token", { path: "/api/v1/nothing" }, "404 not_found"],
    ["an unknown route, a wrong method", { method: "PUT", path: "/api/v1/nothing" }, "404 not_found"],
    ["a wrong method, no token", { method: "PUT", path: "/api/v1/me" }, "405 method_not_allowed"],
    ["no token, a wrong media type", { ...create, body: "x" }, "401 missing_token"],
    ["no token, a large body", { ...create, body: tooLarge, headers: json }, "401 missing_token"],
    ["no token, a bad key", { ...create, json: good, headers: badKey }, "401 missing_token"],
    ["no token, bad JSON", { ...create, body: "{", headers: json }, "401 missing_token"],
    ["no token, an unknown parameter", { path: "/api/v1/links?x=1" }, "401 missing_token"],
    ["no token, an absent link", { path: absent }, "401 missing_token"],
  ];
  test.each(anonymous)("%s", async (_, request, expected) => {
    expect(outcomeOf(await api.call(request))).toBe(expected);
  });

  const noScope: readonly (readonly [name: string, request: Call])[] = [
    ["a wrong media type", { ...create, body: "x" }],
    ["a large body", { ...create, body: tooLarge, headers: json }],
    ["a bad key", { ...create, json: good, headers: badKey }],
    ["bad JSON", { ...create, body: "{", headers: json }],
    ["an unknown parameter", { path: "/api/v1/links?x=1" }],
    ["an absent link", { path: absent }],
  ];
  test.each(noScope)("no scope, %s", async (_, request) => {
    const { token } = await api.newCaller({ scopes: "qr:read" });
    expect(outcomeOf(await api.call({ ...request, token }))).toBe("403 insufficient_scope");
  });

  const allowed: readonly (readonly [name: string, request: () => Call, expected: string])[] = [
    [
      "a wrong media type, a large body",
      () => ({ ...create, body: tooLarge, headers: { "Content-Type": "text/plain" } }),
      "415 unsupported_media_type",
    ],
    [
      "a wrong media type, a bad key",
      () => ({ ...create, body: "x", headers: { "Content-Type": "text/plain", ...badKey } }),
      "415 unsupported_media_type",
    ],
    [
      "a large body, a bad key",
      () => ({ ...create, body: tooLarge, headers: { ...json, ...badKey } }),
      "413 payload_too_large",
    ],
    [
      "a bad key, bad JSON",
      () => ({ ...create, body: "{", headers: { ...json, ...badKey } }),
      "400 invalid_idempotency_key",
    ],
    ["a bad key, a bad field", () => ({ ...create, json: {}, headers: badKey }), "400 invalid_idempotency_key"],
    [
      "bad JSON, an unknown parameter",
      () => ({ ...create, path: `${create.path}?x=1`, body: "{", headers: json }),
      "400 invalid_json",
    ],
    [
      "bad JSON, an absent link",
      () => ({ method: "PATCH", path: absent, body: "{", headers: json }),
      "400 invalid_json",
    ],
    ["a bad field, an absent link", () => ({ method: "PATCH", path: absent, json: { x: 1 } }), "422 validation_failed"],
    ["an unknown parameter, an absent link", () => ({ path: `${absent}?x=1` }), "422 validation_failed"],
    ["a bad field, a full plan", () => ({ ...create, json: { ...good, title: "" } }), "422 validation_failed"],
    [
      "an absent link, an old version",
      () => ({ method: "PATCH", path: absent, json: {}, headers: { "If-Match": '"9"' } }),
      "404 not_found",
    ],
    [
      "a bad field, an old version",
      () => ({ method: "PATCH", path: `/api/v1/links/${active.id}`, json: { x: 1 }, headers: { "If-Match": '"9"' } }),
      "422 validation_failed",
    ],
    [
      "an old version, a state that forbids it",
      () => ({ method: "POST", path: `/api/v1/links/${archived.id}/pause`, headers: { "If-Match": '"9"' } }),
      "412 precondition_failed",
    ],
    [
      "an old version, a full plan",
      () => ({ method: "POST", path: `/api/v1/links/${archived.id}/unarchive`, headers: { "If-Match": '"9"' } }),
      "412 precondition_failed",
    ],
    [
      "an old version, nothing to change",
      () => ({ method: "POST", path: `/api/v1/links/${active.id}/resume`, headers: { "If-Match": '"9"' } }),
      "412 precondition_failed",
    ],
    [
      "a state that forbids it, a full plan",
      () => ({ method: "POST", path: `/api/v1/links/${archived.id}/resume` }),
      "409 invalid_state",
    ],
    ["a slug in use, a full plan", () => ({ ...create, json: { ...good, slug: "in-use" } }), "409 slug_taken"],
  ];
  test.each(allowed)("%s", async (_, request, expected) => {
    expect(outcomeOf(await api.call({ ...request(), token: full.token }))).toBe(expected);
  });

  test("a full quota, no scope: refused requests count too", async () => {
    const { token } = await api.newCaller({ scopes: "qr:read", rateLimit: 1 });
    expect(outcomeOf(await api.call({ path: "/api/v1/links", token }))).toBe("403 insufficient_scope");
    expect(outcomeOf(await api.call({ path: "/api/v1/links", token }))).toBe("429 rate_limited");
  });

  test("a full quota, a plan without API access", async () => {
    const { token } = await api.newCaller({ plan: "free", rateLimit: 1 });
    expect(outcomeOf(await api.call({ path: "/api/v1/me", token }))).toBe("403 plan_limit");
    expect(outcomeOf(await api.call({ path: "/api/v1/me", token }))).toBe("429 rate_limited");
  });

  test("a suspended account, a plan without API access, no scope", async () => {
    const { account, token } = await api.newCaller({ plan: "free", scopes: "qr:read" });
    expect(outcomeOf(await api.call({ path: "/api/v1/links", token }))).toBe("403 plan_limit");
    await api.operator.suspend(account);
    expect(outcomeOf(await api.call({ path: "/api/v1/links", token }))).toBe("403 account_suspended");
  });

  test("a key that was used with another body: after bad fields, before slug and plan", async () => {
    const { token } = await api.newCaller({ plan: "single" });
    const headers = { "Idempotency-Key": "a-key" };
    const send = (body: unknown) => api.call({ ...create, token, headers, json: body });
    expect(outcomeOf(await send(good))).toBe("201");
    expect(outcomeOf(await send({ ...good, title: "" }))).toBe("422 validation_failed");
    expect(outcomeOf(await send({ ...good, slug: "in-use" }))).toBe("422 idempotency_key_reused");
    expect(outcomeOf(await send({ ...good, title: "Other" }))).toBe("422 idempotency_key_reused");
    expect(outcomeOf(await send(good))).toBe("201");
  });
});
