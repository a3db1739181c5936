import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { type Api, errorOf, newLink, outcomeOf, startApi } from "#test/support/api-client.ts";

const BASE_URL = "https://links.example";

describe("an https deployment behind a proxy", () => {
  let api: Api;
  beforeAll(async () => {
    api = await startApi({ KURZ_BASE_URL: BASE_URL, KURZ_TRUST_PROXY: "1" });
  });
  afterAll(() => api.stop());

  test("refuses API requests over plain http, before it checks the token", async () => {
    const { token } = await api.newCaller();
    for (const proto of ["http", "HTTP", "https, http"]) {
      for (const request of [{ path: "/api/v1/me", token }, { path: "/api/v1/me" }, { path: "/api/v1/nothing" }]) {
        const answer = await api.call({ ...request, headers: { "X-Forwarded-Proto": proto } });
        expect([proto, outcomeOf(answer)]).toEqual([proto, "400 bad_request"]);
        expect(errorOf(answer).message).toContain("HTTPS");
        expect(answer.headers.has("Location")).toBe(false);
      }
    }
  });

  test("answers requests over https, with Strict-Transport-Security", async () => {
    const { token } = await api.newCaller();
    for (const proto of ["https", "http, https"]) {
      const answer = await api.call({ path: "/api/v1/me", token, headers: { "X-Forwarded-Proto": proto } });
      expect([proto, answer.status]).toEqual([proto, 200]);
      expect(answer.headers.get("Strict-Transport-Security")).toMatch(/^max-age=\d{7,}/);
    }
    const refused = await api.call({ path: "/api/v1/me", headers: { "X-Forwarded-Proto": "https" } });
    expect(refused.headers.has("Strict-Transport-Security")).toBe(true);
  });

  test("uses its own address in links, without a port, and refuses it as a destination", async () => {
    const { token, kurz } = await api.newCaller();
    const link = await newLink(kurz);
    expect(link).toMatchObject({ domain: "links.example", short_url: `${BASE_URL}/${link.slug}` });
    for (const host of ["links.example", "LINKS.example:443", "links.example."]) {
      const json = { destination_url: `https://${host}/x` };
      const answer = await api.call({ method: "POST", path: "/api/v1/links", token, json });
      expect([host, outcomeOf(answer)]).toEqual([host, "422 validation_failed"]);
      expect(JSON.stringify(errorOf(answer).details)).toContain("self_reference");
    }
  });

  test("sends Strict-Transport-Security with short links too, from the first visit on", async () => {
    const { kurz } = await api.newCaller();
    const { slug } = await newLink(kurz);
    for (const path of [`/${slug}`, `/${slug}`, `/${slug}/`, `/${slug}+`, "/", "/nothing"]) {
      const { headers } = await fetch(api.server.url + path, { redirect: "manual" });
      expect([path, headers.get("Strict-Transport-Security")]).toEqual([path, "max-age=31536000"]);
    }
  });

  test("redirects short links over plain http too", async () => {
    const { kurz } = await api.newCaller();
    const { slug } = await newLink(kurz);
    const headers = { "X-Forwarded-Proto": "http" };
    expect((await fetch(`${api.server.url}/${slug}`, { redirect: "manual", headers })).status).toBe(302);
  });

  test("takes the client address from the proxy, and ignores entries left of it", async () => {
    const { token } = await api.newCaller({ rateLimit: 1 });
    await api.call({ path: "/api/v1/me", token, headers: { "X-Forwarded-For": "203.0.113.1" } });
    const again = await api.call({ path: "/api/v1/me", token, headers: { "X-Forwarded-For": "1.2.3.4, 203.0.113.2" } });
    expect(outcomeOf(again)).toBe("429 rate_limited");
  });
});

describe("an https deployment without a trusted proxy", () => {
  let api: Api;
  beforeAll(async () => {
    api = await startApi({ KURZ_BASE_URL: BASE_URL });
  });
  afterAll(() => api.stop());

  test("ignores X-Forwarded-Proto", async () => {
    const { token } = await api.newCaller();
    const answer = await api.call({ path: "/api/v1/me", token, headers: { "X-Forwarded-Proto": "http" } });
    expect(answer.status).toBe(200);
  });
});

describe("a proxy that sets request ids", () => {
  const ID = "edge-0123456789_abc";
  let api: Api;
  beforeAll(async () => {
    api = await startApi({ KURZ_TRUST_PROXY: "1", KURZ_TRUST_PROXY_REQUEST_ID: "1" });
  });
  afterAll(() => api.stop());

  test("is trusted if its ids are harmless", async () => {
    const { kurz, token } = await api.newCaller();
    const { slug } = await newLink(kurz);
    const given = { headers: { "X-Request-Id": ID } };
    const answer = await api.call({ path: "/api/v1/nothing", token, ...given });
    expect([answer.headers.get("X-Request-Id"), errorOf(answer).request_id]).toEqual([ID, ID]);
    const redirect = await fetch(`${api.server.url}/${slug}`, { redirect: "manual", ...given });
    expect(redirect.headers.get("X-Request-Id")).toBe(ID);
    for (const bad of ["short", "a".repeat(65), "has space", "semi;colon", "<script>"]) {
      const own = await api.call({ path: "/api/v1/nothing", headers: { "X-Request-Id": bad } });
      expect(own.headers.get("X-Request-Id")).toMatch(/^req_[0-9a-z]{26}$/);
    }
  });
});
