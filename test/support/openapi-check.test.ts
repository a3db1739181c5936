import { describe, expect, test } from "bun:test";
import { getIdentity } from "#contract/identity.ts";
import { getLink } from "#contract/links.ts";
import { openApiDocument } from "#contract/openapi.ts";
import { type CheckedResponse, checkAnswer } from "./openapi-check.ts";

const document = openApiDocument({ baseUrl: "https://s.example" });
const link = getLink.examples.response;

const json = { "Content-Type": "application/json; charset=utf-8", "X-Request-Id": "req_1" };
const read: CheckedResponse = {
  method: "GET",
  path: "/api/v1/links/lnk_1",
  status: 200,
  headers: new Headers({ ...json, ETag: '"1"' }),
  body: link,
};
const refused = (code: string, details?: object) => ({
  error: { code, message: "No.", request_id: "req_1", ...(details && { details }) },
});
const problemsOf = (change: Partial<CheckedResponse>): string =>
  checkAnswer(document, { ...read, ...change }).join("\n");

describe("an answer that matches the document passes", () => {
  test.each([
    ["a link", {}],
    ["a link that was asked for with a query", { path: "/api/v1/links/lnk_1?x=1" }],
    ["no body for HEAD", { method: "HEAD", body: undefined }],
    ["an identity", { path: "/api/v1/me", body: getIdentity.examples.response }],
    [
      "a page",
      { path: "/api/v1/links", body: { data: [link], has_more: false, next_cursor: null, previous_cursor: null } },
    ],
    ["a destination that RFC 3986 doesn't allow", { body: { ...link, destination_url: "https://example.com/?a=b|c" } }],
    ["a deletion", { method: "DELETE", status: 204, headers: new Headers(json), body: undefined }],
    ["an error", { status: 404, body: refused("not_found") }],
    ["a code with details", { status: 403, body: refused("plan_limit", { feature: "active_links", limit: 25 }) }],
    ["an unknown route", { path: "/api/v1/nothing", status: 404, body: refused("not_found") }],
    [
      "an unknown method",
      { method: "PUT", status: 405, body: refused("method_not_allowed", { allowed: ["GET", "HEAD"] }) },
    ],
  ] as const)("%s", (_, change) => {
    expect(problemsOf(change)).toBe("");
  });
});

describe("an answer that differs from the document is reported", () => {
  const withHeaders = (extra: Record<string, string>) => ({ headers: new Headers({ ...json, ...extra }) });
  test.each([
    ["an undeclared status", { status: 418 }, "the status 418 is not declared"],
    ["an undeclared field", { body: { ...link, secret: 1 } }, '"additionalProperty":"secret"'],
    ["an undeclared field further down", { body: { ...link, utm: { utm_x: "1" } } }, '"additionalProperty":"utm_x"'],
    ["a missing field", { body: { ...link, slug: undefined } }, "body must have required property 'slug'"],
    ["a wrong type", { body: { ...link, version: "1" } }, "body.version must be integer"],
    ["an instant without milliseconds", { body: { ...link, created_at: "2026-01-02T03:04:05Z" } }, "body.created_at"],
    ["an instant that doesn't exist", { body: { ...link, created_at: "2026-02-30T03:04:05.000Z" } }, "body.created_at"],
    ["no body", { body: undefined }, "body must be object"],
    ["a body where none is declared", { method: "DELETE", status: 204 }, "a body where 204 has none"],
    ["another media type", withHeaders({ "Content-Type": "text/html" }), "text/html"],
    [
      "no request id",
      { headers: new Headers({ "Content-Type": "application/json", ETag: '"1"' }) },
      "the header X-Request-Id is missing",
    ],
    ["no entity tag", withHeaders({}), "the header ETag is missing"],
    ["a weak entity tag", withHeaders({ ETag: 'W/"1"' }), "the header ETag is"],
    [
      "half of the rate limit",
      withHeaders({ ETag: '"1"', RateLimit: '"default";r=1;t=1' }),
      "there are only RateLimit",
    ],
    ["a code of another status", { status: 404, body: refused("slug_taken", { slug: "a" }) }, "body.error"],
    [
      "details that the code doesn't have",
      { status: 404, body: refused("not_found", {}) },
      '"additionalProperty":"details"',
    ],
    ["missing details", { status: 403, body: refused("plan_limit") }, "required property 'details'"],
    ["no Retry-After", { status: 503, body: refused("unavailable") }, "the header Retry-After is missing"],
    [
      "another request id in the body",
      { status: 404, headers: new Headers({ ...json, "X-Request-Id": "req_2" }), body: refused("not_found") },
      "error.request_id is not the header",
    ],
    [
      "a code of another status without an operation",
      { path: "/x", status: 404, body: refused("bad_request") },
      "body",
    ],
    ["success of an unknown route", { path: "/api/v1/nothing" }, "200: the operation is not declared"],
  ] as const)("%s", (_, change, problem) => {
    expect(problemsOf(change)).toContain(problem);
  });
});
