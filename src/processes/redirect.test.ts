import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import CachePolicy from "http-cache-semantics";
import { loadConfig } from "#config/load-config.ts";
import type { Config } from "#config/settings.ts";
import { type LinkFile, openLinkFile } from "#test/support/link-file.ts";
import { askOnce, sendOnce } from "#test/support/raw-connection.ts";
import { until } from "#test/support/until.ts";
import { openRedirect } from "./redirect.ts";

let file: LinkFile;
let url: string;
let port: number;
const stops: (() => Promise<void>)[] = [];

function start(change: Partial<Config> = {}): number {
  const config = loadConfig({ KURZ_DATA_DIR: file.dataDir });
  const server = openRedirect({ ...config, port: 0, ...change });
  stops.push(server.stop);
  return server.port;
}

const get = (path: string, init: RequestInit = {}): Promise<Response> =>
  fetch(`${url}${path}`, { redirect: "manual", ...init });

beforeAll(() => {
  file = openLinkFile();
  file.add({
    slug: "abc",
    destination_url: "https://example.com/sale?a=1#top",
    utm: { utm_source: "mail" },
    title: "Sale",
  });
  file.add({ slug: "paused", state: "paused" });
  file.add({ slug: "archived", state: "archived" });
  file.add({ slug: "expired", expires_at: Date.now() - 1 });
  file.add({ slug: "soon", expires_at: Date.now() + 3_600_000 });
  file.add({ slug: "blocked", blocked_reason: "phishing", destination_url: "https://evil.example/" });
  file.add({ slug: "deleted" });
  file.remove("deleted");
  port = start({ shortDomain: "s.example", baseUrl: "https://s.example", abuseContact: "abuse@s.example" });
  url = `http://127.0.0.1:${port}`;
});

afterAll(async () => {
  await Promise.all(stops.map((stop) => stop()));
  file.close();
});

describe("an active link", () => {
  test("redirects with the headers of the specification and no body", async () => {
    const response = await get("/abc");
    expect(response.status).toBe(302);
    expect(response.headers.get("location")).toBe("https://example.com/sale?a=1&utm_source=mail#top");
    expect(response.headers.get("cache-control")).toBe("private, no-store");
    expect(response.headers.get("x-robots-tag")).toBe("noindex");
    expect(response.headers.get("x-request-id")).toMatch(/^req_[0-9a-hjkmnp-tv-z]{26}$/);
    expect(response.headers.get("set-cookie")).toBeNull();
    expect(await response.text()).toBe("");
  });

  test("is found whatever the case, with a slash behind it, percent-encoded and by HEAD", async () => {
    for (const path of ["/ABC", "/abc/", "/ABC/", "/%61bc", "/a%62c/", "/abc?", "/abc/?"]) {
      const response = await get(path);
      expect([path, response.status, response.headers.get("location")]).toEqual([
        path,
        302,
        "https://example.com/sale?a=1&utm_source=mail#top",
      ]);
    }
    expect((await get("/abc", { method: "HEAD" })).status).toBe(302);
    expect((await get("/soon")).status).toBe(302);
  });

  test("takes along what the visitor added, which cannot choose scheme, host or path", async () => {
    const response = await get("/abc/?b=2&a=9&qr=1&utm_source=x&redir_url=https://evil.example");
    expect(response.headers.get("location")).toBe(
      "https://example.com/sale?a=1&utm_source=mail&b=2&redir_url=https://evil.example#top",
    );
  });

  test("each of many concurrent answers has its own location and id", async () => {
    const answers = await Promise.all(Array.from({ length: 200 }, (_, n) => get(`/abc?n=${n}`)));
    const ids = new Set(answers.map(({ headers }) => headers.get("x-request-id")));
    expect(ids.size).toBe(200);
    for (const [n, { headers }] of answers.entries()) expect(headers.get("location")).toContain(`&n=${n}#top`);
  });
});

describe("a link that does not redirect", () => {
  test.each([
    ["nosuch", 404, "does not exist"],
    ["paused", 404, "does not exist"],
    ["archived", 410, "no longer available"],
    ["expired", 410, "no longer available"],
    ["deleted", 410, "no longer available"],
    ["blocked", 410, "phishing"],
  ])("%s answers %d with a page that says so, also in the preview and to HEAD", async (slug, status, text) => {
    for (const path of [`/${slug}`, `/${slug}+`, `/${slug}/`, `/${slug.toUpperCase()}`]) {
      const response = await get(path);
      expect(response.status).toBe(status);
      expect(await response.text()).toContain(text);
    }
    const head = await get(`/${slug}`, { method: "HEAD" });
    expect([head.status, await head.text()]).toEqual([status, ""]);
  });

  test("paused cannot be told from unknown", async () => {
    expect(await (await get("/paused")).text()).toBe(await (await get("/nosuch")).text());
  });

  test("blocked shows no way to the destination, but whom to ask", async () => {
    const page = await (await get("/blocked")).text();
    expect(page).not.toContain("evil.example");
    expect(page).toContain("mailto:abuse@s.example");
  });

  test("of a suspended account is blocked until it is resumed", async () => {
    file.setSuspended(true);
    expect([(await get("/abc")).status, (await get("/deleted")).status]).toEqual([410, 410]);
    expect(await (await get("/abc")).text()).toContain("suspended");
    file.setSuspended(false);
    expect((await get("/abc")).status).toBe(302);
  });

  test("stops at its expiry without anybody telling", async () => {
    file.add({ slug: "ending", expires_at: Date.now() + 1500 });
    expect((await get("/ending")).status).toBe(302);
    await until("it is over", async () => (await get("/ending")).status === 410);
  });
});

describe("every visitor page", () => {
  const paths = ["/nosuch", "/archived", "/blocked", "/abc+", "/favicon.ico", "/a/b", "/docs"];

  test.each(paths)("%s is safe to show and is never stored", async (path) => {
    const { headers } = await get(path);
    expect(headers.get("content-type")).toBe("text/html; charset=utf-8");
    expect(headers.get("cache-control")).toBe("no-store");
    expect(headers.get("x-content-type-options")).toBe("nosniff");
    expect(headers.get("x-robots-tag")).toBe("noindex");
    expect(headers.get("x-request-id")).toStartWith("req_");
    expect(headers.get("strict-transport-security")).toBe("max-age=31536000");
    expect(headers.get("content-security-policy")).toMatch(
      /^default-src 'none'; style-src 'sha256-[^']+'; form-action 'none'; base-uri 'none'; frame-ancestors 'none'$/,
    );
  });

  test("and every redirect is refused by caches", async () => {
    for (const path of ["/abc", "/nosuch", "/paused", "/archived", "/deleted", "/blocked", "/", "/abc+"]) {
      const { status, headers } = await get(path);
      const policy = new CachePolicy(
        { url: path, method: "GET", headers: {} },
        { status, headers: Object.fromEntries(headers) },
        { shared: false },
      );
      expect([path, policy.storable()]).toEqual([path, false]);
    }
  });
});

describe("paths", () => {
  test("any other method on a short link is 405 and says what is allowed", async () => {
    for (const method of ["POST", "PUT", "PATCH", "DELETE", "OPTIONS"]) {
      for (const path of ["/abc", "/abc/", "/nosuch", "/", "/healthz"]) {
        const response = await get(path, { method });
        expect([method, path, response.status, response.headers.get("allow")]).toEqual([
          method,
          path,
          405,
          "GET, HEAD",
        ]);
      }
    }
    expect((await askOnce(port, { method: "TRACE", target: "/abc" })).status).toBe(405);
    expect([400, 404, 405]).toContain((await askOnce(port, { method: "CONNECT", target: "a:1" })).status);
  });

  test("what cannot be a slug is 404 without a look-up", async () => {
    for (const path of ["/a/b", "/abc//", "/favicon.ico", "/.well-known", "/a%2Fb", "/%00", "/%zz", "/abc++"]) {
      expect([path, (await get(path)).status]).toEqual([path, 404]);
    }
    expect((await get(`/${"a".repeat(65)}`)).status).toBe(404);
    for (const path of ["//abc", "//", "/../abc/x", "/abc#f"]) {
      expect([path, (await askOnce(port, { target: path })).status]).toEqual([path, 404]);
    }
  });

  test("health, readiness and robots are answered here", async () => {
    expect(await (await get("/healthz")).text()).toBe("ok\n");
    expect([(await get("/readyz")).status, (await get("/readyz", { method: "HEAD" })).status]).toEqual([200, 200]);
    const robots = await get("/robots.txt");
    expect([robots.headers.get("content-type"), await robots.text()]).toEqual([
      "text/plain; charset=utf-8",
      "User-agent: *\nDisallow:\n",
    ]);
  });

  test("a target beyond 8 KiB is 414, one below is not", async () => {
    for (const path of ["/abc", "/abc/", "/nosuch/", "/a/b"]) {
      expect((await get(`${path}?x=${"y".repeat(8200)}`)).status).toBe(414);
    }
    expect((await get(`/abc?x=${"y".repeat(8192 - "/abc?x=".length)}`)).status).toBe(302);
  });

  test("HTTP/1.0 and hosts that no URL can have are answered, not failed", async () => {
    const close = "Connection: close\r\n\r\n";
    for (const head of [`HTTP/1.0\r\n${close}`, `HTTP/1.1\r\nHost: [::1\r\n${close}`]) {
      const visit = (target: string) => sendOnce(port, `GET ${target} ${head}`);
      const { status, headers } = await visit("/abc?b=2");
      expect([status, headers.get("location")]).toEqual([302, expect.stringContaining("utm_source=mail&b=2#top")]);
      expect((await visit("/nosuch/")).status).toBe(404);
      expect((await visit("/")).status).toBe(302);
      expect((await visit("/api/v1/me")).status).toBe(503);
      expect((await visit("/api/../abc")).status).toBe(404);
    }
  });
});

describe("hosts", () => {
  const open = (at: number, path: string, host: string): Promise<Response> =>
    fetch(`http://127.0.0.1:${at}${path}`, { redirect: "manual", headers: { host } });

  test("a short domain of its own serves links but no console, and leads home", async () => {
    const at = start({ shortDomain: "go.example", baseUrl: "https://app.example" });
    expect((await open(at, "/abc", "go.example")).status).toBe(302);
    expect((await open(at, "/abc", "app.example")).status).toBe(302);
    for (const path of ["/api", "/api/v1/me", "/docs", "/docs/x", "/console", "/console/x"]) {
      expect([path, (await open(at, path, "GO.example:443")).status]).toEqual([path, 404]);
      expect([path, (await open(at, path, "app.example")).status]).toEqual([path, 503]);
    }
    expect((await open(at, "/", "go.example")).headers.get("location")).toBe("https://app.example/");
    expect((await open(at, "/", "app.example")).headers.get("location")).toBe("/console");
    expect((await open(at, "/healthz", "go.example")).status).toBe(200);
  });

  test("root and unknown links lead where the operator says", async () => {
    const at = start({ rootRedirect: "https://www.example/", notFoundRedirect: "https://www.example/lost" });
    expect((await open(at, "/", "evil.example")).headers.get("location")).toBe("https://www.example/");
    for (const path of ["/nosuch", "/paused"]) {
      const { status, headers } = await open(at, path, "x");
      expect([path, status, headers.get("location")]).toEqual([path, 302, "https://www.example/lost"]);
      const preview = await open(at, `${path}+`, "x");
      expect([path, preview.status, preview.headers.get("location")]).toEqual([path, 200, null]);
      expect(await preview.text()).toContain('href="https://www.example/lost"');
    }
    expect((await open(at, "/archived", "x")).status).toBe(410);
    expect((await open(at, "/favicon.ico", "x")).status).toBe(404);
  });
});

test("an orderly stop asks clients to leave and answers what is under way", async () => {
  const server = openRedirect({ ...loadConfig({ KURZ_DATA_DIR: file.dataDir }), port: 0 });
  const open = (): Promise<Response> => fetch(`http://127.0.0.1:${server.port}/abc`, { redirect: "manual" });
  expect((await open()).headers.get("connection")).not.toBe("close");
  const stopped = server.stop();
  const last = await open();
  expect([last.status, last.headers.get("connection")]).toEqual([302, "close"]);
  await stopped;
  await expect(open()).rejects.toThrow();
});
