import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { type Api, joinApi, newLink, outcomeOf, startApi } from "#test/support/api-client.ts";

const ALLOWED = "https://app.example";
const ALSO_ALLOWED = "http://localhost:5173";
const STRANGERS = ["https://evil.example", "https://app.example.evil.example", "http://app.example", "null", ""];

const corsHeadersOf = (headers: Headers): string[] =>
  [...headers.keys()].filter((name) => name.startsWith("access-control"));
const preflight = (api: Api, path: string, origin: string) =>
  fetch(api.server.url + path, {
    method: "OPTIONS",
    headers: {
      Origin: origin,
      "Access-Control-Request-Method": "POST",
      "Access-Control-Request-Headers": "authorization,content-type,idempotency-key",
    },
  });

describe("by default", () => {
  let api: Api;
  beforeAll(async () => {
    api = await joinApi();
  });
  afterAll(() => api.stop());

  test("no other origin may read anything, and OPTIONS is just another method", async () => {
    const { token } = await api.newCaller();
    const answer = await api.call({ path: "/api/v1/me", token, headers: { Origin: ALLOWED } });
    expect([answer.status, corsHeadersOf(answer.headers)]).toEqual([200, []]);
    const asked = await preflight(api, "/api/v1/links", ALLOWED);
    expect([asked.status, corsHeadersOf(asked.headers)]).toEqual([405, []]);
  });
});

describe("with a list of origins", () => {
  let api: Api;
  beforeAll(async () => {
    api = await startApi({ KURZ_CORS_ALLOWED_ORIGINS: `${ALLOWED},${ALSO_ALLOWED}` });
  });
  afterAll(() => api.stop());

  test("exactly those may read every answer, errors too, but never with credentials", async () => {
    const { token, kurz } = await api.newCaller();
    const { id } = await newLink(kurz);
    for (const origin of [ALLOWED, ALSO_ALLOWED]) {
      for (const request of [
        { path: "/api/v1/me", token },
        { path: "/api/v1/me" },
        { path: "/api/v1/nothing" },
        { path: `/api/v1/links/${id}`, token, method: "DELETE", headers: { "If-Match": '"9"' } },
      ]) {
        const { headers } = await api.call({ ...request, headers: { ...request.headers, Origin: origin } });
        expect(headers.get("Access-Control-Allow-Origin")).toBe(origin);
        expect(headers.get("Vary")).toContain("Origin");
        expect(headers.get("Access-Control-Expose-Headers")?.split(", ").toSorted()).toEqual([
          "Content-Disposition",
          "ETag",
          "Idempotent-Replayed",
          "Link",
          "Location",
          "RateLimit",
          "RateLimit-Policy",
          "Retry-After",
          "X-RateLimit-Limit",
          "X-RateLimit-Remaining",
          "X-RateLimit-Reset",
          "X-Request-Id",
        ]);
        expect(headers.has("Access-Control-Allow-Credentials")).toBe(false);
      }
    }
  });

  test("others may not, and Vary says that the answer depends on the origin", async () => {
    const { token } = await api.newCaller();
    for (const origin of STRANGERS) {
      const answer = await api.call({ path: "/api/v1/me", token, headers: { Origin: origin } });
      expect([origin, answer.status, corsHeadersOf(answer.headers)]).toEqual([origin, 200, []]);
      expect(answer.headers.get("Vary")).toContain("Origin");
    }
    const { headers } = await api.call({ path: "/api/v1/me", token });
    expect([corsHeadersOf(headers), headers.get("Vary")]).toEqual([[], "Origin"]);
  });

  test("a preflight request lists what may be sent, without a token", async () => {
    for (const path of ["/api/v1/links", "/api/v1/links/lnk_any", "/api/v1/links/lnk_any/pause"]) {
      const { status, headers } = await preflight(api, path, ALLOWED);
      expect(status).toBe(204);
      expect(headers.get("Access-Control-Allow-Origin")).toBe(ALLOWED);
      const methods = headers.get("Access-Control-Allow-Methods")?.split(", ") ?? [];
      expect(methods).toEqual(expect.arrayContaining(["GET", "POST", "PATCH", "DELETE"]));
      const names = headers.get("Access-Control-Allow-Headers")?.toLowerCase().split(", ") ?? [];
      expect(names.toSorted()).toEqual([
        "authorization",
        "content-type",
        "idempotency-key",
        "if-match",
        "if-none-match",
        "mcp-method",
        "mcp-name",
        "mcp-protocol-version",
        "mcp-session-id",
      ]);
      expect(headers.has("Access-Control-Allow-Credentials")).toBe(false);
      expect(headers.get("X-Request-Id")).toMatch(/^req_/);
    }
  });

  test("a preflight request from another origin is refused like any OPTIONS", async () => {
    for (const origin of STRANGERS) {
      const { status, headers } = await preflight(api, "/api/v1/links", origin);
      expect([origin, status, corsHeadersOf(headers)]).toEqual([origin, 405, []]);
    }
    const plain = await api.call({ method: "OPTIONS", path: "/api/v1/links", headers: { Origin: ALLOWED } });
    expect(outcomeOf(plain)).toBe("405 method_not_allowed");
  });

  test("the API description stays open to all", async () => {
    for (const origin of [ALLOWED, "https://evil.example"]) {
      const { headers } = await fetch(`${api.server.url}/api/v1/openapi.json`, { headers: { Origin: origin } });
      expect(headers.get("Access-Control-Allow-Origin")).toBe("*");
    }
  });

  test("short links carry no CORS headers", async () => {
    const { kurz } = await api.newCaller();
    const { slug } = await newLink(kurz);
    const { headers } = await fetch(`${api.server.url}/${slug}`, { redirect: "manual", headers: { Origin: ALLOWED } });
    expect(corsHeadersOf(headers)).toEqual([]);
  });
});
