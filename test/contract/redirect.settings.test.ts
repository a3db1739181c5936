import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { type Api, errorOf, fieldErrorsOf, newLink, startApi } from "#test/support/api-client.ts";
import { askOnce } from "#test/support/raw-connection.ts";
import { until } from "#test/support/until.ts";
import { visit } from "#test/support/visit.ts";

const ROOT = "https://www.example.com/start?x=1";
const LOST = "https://www.example.com/lost";

describe("with redirects for the root path and for unknown links", () => {
  let api: Api;
  beforeAll(async () => {
    api = await startApi({ KURZ_ROOT_REDIRECT: ROOT, KURZ_NOT_FOUND_REDIRECT: LOST });
  });
  afterAll(() => api.stop());

  test("the root path leads where the operator says", async () => {
    const { status, location, headers } = await visit(api.server, "/?a=1");
    expect([status, location, headers.get("Cache-Control")]).toEqual([302, ROOT, "private, no-store"]);
  });

  test("unknown and paused links lead there, archived ones don't", async () => {
    const { kurz } = await api.newCaller();
    const [paused, archived, active] = [await newLink(kurz), await newLink(kurz), await newLink(kurz)];
    await kurz.links.pause(paused.id);
    await kurz.links.archive(archived.id);
    for (const path of ["/unknown", "/unknown?url=//evil.example", `/${paused.slug}`]) {
      const { status, location } = await visit(api.server, path);
      expect([path, status, location]).toEqual([path, 302, LOST]);
    }
    expect((await visit(api.server, `/${archived.slug}`)).status).toBe(410);
    expect((await visit(api.server, `/${active.slug}`)).location).toBe("https://example.com/");
    expect((await visit(api.server, "/unknown", { method: "POST" })).status).toBe(405);
  });
});

describe("with a page before every destination", () => {
  const BROWSER = { "User-Agent": "Mozilla/5.0 (X11; Linux x86_64; rv:128.0) Gecko/20100101 Firefox/128.0" };
  let api: Api;
  beforeAll(async () => {
    api = await startApi({ KURZ_INTERSTITIAL: "always" });
  });
  afterAll(() => api.stop());

  test("visitors see where a link leads, with its parameters, and nobody is redirected", async () => {
    const { kurz } = await api.newCaller();
    const link = await newLink(kurz, { title: "Spring", utm: { utm_source: "mail" } });
    for (const method of ["GET", "HEAD", "GET"]) {
      const { status, location, text } = await visit(api.server, `/${link.slug}?a=1&qr=1`, { method });
      expect([method, status, location]).toEqual([method, 200, null]);
      if (method === "HEAD") expect(text).toBe("");
      else expect(text).toContain('href="https://example.com/?utm_source=mail&amp;a=1"');
    }
  });

  test("a visit is a click, but HEAD and the preview aren't", async () => {
    const { kurz } = await api.newCaller();
    const { id, slug } = await newLink(kurz);
    await visit(api.server, `/${slug}`, { method: "HEAD", headers: BROWSER });
    await visit(api.server, `/${slug}+`, { headers: BROWSER });
    for (let i = 0; i < 3; i += 1) await visit(api.server, `/${slug}`, { headers: BROWSER });
    await until("the clicks are counted", async () => (await kurz.links.get(id)).click_count >= 3);
    expect((await kurz.links.get(id)).click_count).toBe(3);
  });

  test("a paused or archived link shows nothing from the next visit on", async () => {
    const { kurz } = await api.newCaller();
    const { id, slug } = await newLink(kurz);
    expect((await visit(api.server, `/${slug}`)).status).toBe(200);
    await kurz.links.pause(id);
    expect((await visit(api.server, `/${slug}`)).status).toBe(404);
    await kurz.links.archive(id);
    expect((await visit(api.server, `/${slug}`)).status).toBe(410);
  });
});

describe("with a short domain of its own", () => {
  const SHORT = "s.example";
  const BASE = "http://app.example:8080";
  let api: Api;
  beforeAll(async () => {
    api = await startApi({ KURZ_BASE_URL: BASE, KURZ_SHORT_DOMAIN: SHORT });
  });
  afterAll(() => api.stop());

  const open = (host: string, target: string) => askOnce(api.server.port, { target, headers: [["Host", host]] });

  test("links use it, and may lead neither there nor to the base address", async () => {
    const { kurz, token } = await api.newCaller();
    const link = await newLink(kurz);
    expect(link).toMatchObject({ domain: SHORT, short_url: `http://${SHORT}/${link.slug}` });
    const places = [SHORT, `${SHORT}:8080`, `${SHORT}:80`, "app.example", "app.example:443", "app.example:8080"];
    // Where Kurz itself listens, behind whatever else.
    places.push(`${SHORT}:${api.server.port}`, `app.example:${api.server.port}`);
    for (const destination_url of places.flatMap((host) => [`https://${host}/x`, `http://${host}/x`])) {
      const answer = await api.call({ method: "POST", path: "/api/v1/links", token, json: { destination_url } });
      expect([destination_url, answer.text.includes("self_reference")]).toEqual([destination_url, true]);
    }
    expect((await kurz.links.list({ domain: SHORT })).data).toHaveLength(1);
  });

  test("neither it nor the host of the base address can be an account's domain", async () => {
    const { token } = await api.newCaller();
    for (const name of [SHORT, "S.Example.", "app.example"]) {
      const answer = await api.call({ method: "POST", path: "/api/v1/domains", token, json: { name } });
      expect(fieldErrorsOf(errorOf(answer))).toEqual(["body name self_reference"]);
    }
    const below = { name: `go.${SHORT}` };
    expect((await api.call({ method: "POST", path: "/api/v1/domains", token, json: below })).status).toBe(201);
  });

  test("a slug works under every Host", async () => {
    const { kurz } = await api.newCaller();
    const { slug } = await newLink(kurz);
    for (const host of [SHORT, "S.EXAMPLE", "app.example:8080", "evil.example", "127.0.0.1"]) {
      expect([host, (await open(host, `/${slug}`)).headers.get("Location")]).toEqual([host, "https://example.com/"]);
    }
  });

  test("it serves health paths and robots, and its root path leads to the base address", async () => {
    for (const path of ["/healthz", "/readyz", "/robots.txt"]) expect((await open(SHORT, path)).status).toBe(200);
    for (const host of [SHORT, "S.Example", `${SHORT}:80`]) {
      const { status, headers } = await open(host, "/");
      expect([host, status, headers.get("Location")]).toEqual([host, 302, `${BASE}/`]);
    }
    expect((await open("app.example:8080", "/")).headers.get("Location")).toBe("/console");
  });

  test("the API and the documentation stay on the base address", async () => {
    for (const path of ["/api/v1/me", "/api/v1/openapi.json", "/docs"]) {
      expect([path, (await open(SHORT, path)).status]).toEqual([path, 404]);
    }
    expect((await open("app.example:8080", "/api/v1/openapi.json")).status).toBe(200);
  });

  test("the preview shows it", async () => {
    const { kurz } = await api.newCaller();
    const { slug } = await newLink(kurz);
    const { text } = await open("evil.example", `/${slug}+`);
    expect(text).toContain(`${SHORT}/${slug}`);
    expect(text).not.toContain("evil.example");
  });
});
