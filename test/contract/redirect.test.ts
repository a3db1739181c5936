import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import fc from "fast-check";
import type { Kurz } from "#sdk/client.ts";
import type { LinkCreate } from "#sdk/generated.ts";
import { type Api, newLink, startApi } from "#test/support/api-client.ts";
import { askOnce, RawConnection, sendOnce } from "#test/support/raw-connection.ts";
import { visit } from "#test/support/visit.ts";

describe.each(["on", "off"])("with the fast lane %s,", (fastLane) => {
  let api: Api;
  let kurz: Kurz;

  beforeAll(async () => {
    api = await startApi({ KURZ_FAST_LANE: fastLane });
    ({ kurz } = await api.newCaller());
  });
  afterAll(() => api.stop());

  /** Where a new link leads if visited with this query. */
  async function locationOf(link: Partial<LinkCreate>, query = ""): Promise<string | null> {
    const { slug } = await newLink(kurz, link);
    return (await visit(api.server, `/${slug}${query}`)).location;
  }

  describe("an active link", () => {
    test("answers 302 with exactly these headers and no body", async () => {
      const { slug, destination_url } = await newLink(kurz);
      const answer = await askOnce(api.server.port, {
        target: `/${slug}`,
        headers: [
          ["Cookie", "a=b"],
          ["Accept", "text/html"],
          ["X-Request-Id", "req_forged"],
        ],
      });
      expect([answer.status, answer.text]).toEqual([302, ""]);
      const {
        date: _,
        connection: __,
        "content-length": length = "0",
        ...headers
      } = Object.fromEntries(answer.headers);
      expect(length).toBe("0");
      expect(headers).toEqual({
        location: destination_url,
        "cache-control": "private, no-store",
        "x-robots-tag": "noindex",
        "x-request-id": expect.stringMatching(/^req_[0-9a-hjkmnp-tv-z]{26}$/),
      });
      expect(new Set(answer.headerNames).size).toBe(answer.headerNames.length);
    });

    test("answers HEAD like GET", async () => {
      const { slug } = await newLink(kurz, { utm: { utm_source: "x" } });
      const [get, head] = await Promise.all(
        ["GET", "HEAD"].map((method) => visit(api.server, `/${slug}?a=1`, { method })),
      );
      const lasting = (headers: Headers | undefined) =>
        Object.fromEntries([...(headers ?? [])].filter(([name]) => !/^(date|x-request-id|content-length)$/.test(name)));
      expect([head?.status, head?.text]).toEqual([302, ""]);
      expect(lasting(head?.headers)).toEqual(lasting(get?.headers));
    });

    test("is found in any case, and with a trailing slash", async () => {
      const { destination_url } = await newLink(kurz, { slug: "Mixed-Case_1" });
      for (const path of ["/mixed-case_1", "/MIXED-CASE_1", "/Mixed-Case_1/", "/mixed%2Dcase_1", "/%6Dixed-case_1"]) {
        expect([path, (await visit(api.server, path)).location]).toEqual([path, destination_url]);
      }
      for (const path of [
        "/mixed-case_1/more",
        "/mixed-case_1//",
        "/x/mixed-case_1",
        "/mixed-case_1%2F",
        "/mixed-case_1%20",
      ]) {
        expect([path, (await visit(api.server, path)).status]).toEqual([path, 404]);
      }
    });

    test("supports only GET and HEAD", async () => {
      const { slug } = await newLink(kurz);
      for (const path of [`/${slug}`, `/${slug}/`, `/${slug}+`, "/unknown"]) {
        for (const method of ["POST", "PUT", "PATCH", "DELETE", "OPTIONS", "TRACE"]) {
          const { status, headers } = await askOnce(api.server.port, { method, target: path });
          expect([path, method, status, headers.get("Allow")]).toEqual([path, method, 405, "GET, HEAD"]);
        }
      }
    });

    test("leads to the same place whatever Host, scheme or address the request claims", async () => {
      const { slug, destination_url } = await newLink(kurz);
      for (const headers of [
        [["Host", "evil.example"]],
        [["Host", "evil.example:8080"]],
        [["X-Forwarded-Host", "evil.example"]],
        [["Forwarded", "host=evil.example"]],
        [["X-Original-URL", "/other"]],
      ] as const) {
        const answer = await askOnce(api.server.port, { target: `/${slug}`, headers });
        expect([answer.status, answer.headers.get("Location")]).toEqual([302, destination_url]);
        const preview = await askOnce(api.server.port, { target: `/${slug}+`, headers });
        expect([preview.status, preview.text.includes("evil")]).toEqual([200, false]);
      }
    });
  });

  describe("UTM parameters", () => {
    const utm = { utm_content: "5", utm_term: "4", utm_campaign: "3", utm_medium: "2", utm_source: "1" };

    test("are added in their order, and replace those of the destination", async () => {
      const added = "utm_source=1&utm_medium=2&utm_campaign=3&utm_term=4&utm_content=5";
      expect(await locationOf({ utm })).toBe(`https://example.com/?${added}`);
      expect(await locationOf({ destination_url: "https://example.com/p?a=1#top", utm })).toBe(
        `https://example.com/p?a=1&${added}#top`,
      );
      const destination_url = "https://example.com/?utm_source=old&a=1&utm_source=old2&UTM_SOURCE=x";
      expect(await locationOf({ destination_url, utm: { utm_source: "new" } })).toBe(
        "https://example.com/?a=1&UTM_SOURCE=x&utm_source=new",
      );
    });

    test("leave every other byte of the destination as it is", async () => {
      const destination_url = "https://example.com/a%2Fb?sig=%7e+%20&&x&y=#f?g";
      expect(await locationOf({ destination_url })).toBe(destination_url);
      expect(await locationOf({ destination_url, utm: { utm_term: "a b&c=d#e+f%é" } })).toBe(
        "https://example.com/a%2Fb?sig=%7e+%20&&x&y=&utm_term=a%20b%26c%3Dd%23e%2Bf%25%C3%A9#f?g",
      );
    });
  });

  describe("a visitor's query", () => {
    test("is passed on unless the destination has the same parameter", async () => {
      const link = { destination_url: "https://example.com/?a=1", utm: { utm_source: "mine" } };
      expect(await locationOf(link, "?b=2&a=9&utm_source=theirs&c")).toBe(
        "https://example.com/?a=1&utm_source=mine&b=2&c",
      );
      expect(await locationOf({ destination_url: "https://example.com/#top" }, "?b=2")).toBe(
        "https://example.com/?b=2#top",
      );
      expect(await locationOf({}, "?")).toBe("https://example.com/");
      expect(await locationOf({}, "?b=1&b=2")).toBe("https://example.com/?b=1&b=2");
    });

    test("can't replace a parameter by encoding its name differently", async () => {
      const link = { utm: { utm_source: "mine" } };
      for (const query of [
        "?utm%5Fsource=theirs",
        "?%75tm_source=theirs",
        "?utm_source",
        "?utm_source=a&utm_source=b",
      ]) {
        expect(await locationOf(link, query)).toBe("https://example.com/?utm_source=mine");
      }
    });

    test("loses the marker of a QR scan", async () => {
      expect(await locationOf({}, "?qr=1")).toBe("https://example.com/");
      expect(await locationOf({}, "?a=1&qr=1&b=2")).toBe("https://example.com/?a=1&b=2");
      expect(await locationOf({}, "?qr")).toBe("https://example.com/");
      expect(await locationOf({ destination_url: "https://example.com/?qr=own" }, "?qr=1")).toBe(
        "https://example.com/?qr=own",
      );
    });

    test("is dropped if the whole would exceed 8000 bytes", async () => {
      const destination_url = `https://example.com/${"a".repeat(7900)}`;
      expect(await locationOf({ destination_url }, "?b=1")).toBe(`${destination_url}?b=1`);
      expect(await locationOf({ destination_url }, `?b=${"1".repeat(100)}`)).toBe(destination_url);
    });

    test("is refused beyond 8 KiB, whatever the path", async () => {
      const { slug } = await newLink(kurz);
      for (const path of [`/${slug}`, `/${slug}/`, `/${slug}+`, "/never-was", "/no/link"]) {
        const { status, headers } = await askOnce(api.server.port, { target: `${path}?${"a".repeat(9000)}` });
        expect([path, status, headers.get("Cache-Control")]).toEqual([path, 414, "no-store"]);
      }
      expect((await askOnce(api.server.port, { target: `/${"a".repeat(9000)}` })).status).toBe(414);
    });

    test("never decides where the link leads", async () => {
      const stored = "https://stored.example/path";
      const { slug } = await newLink(kurz, { destination_url: `${stored}?a=1` });
      for (const query of [
        "redir_url=https://evil.example",
        "url=//evil.example",
        "next=javascript:alert(1)",
        "bot=1",
      ]) {
        expect((await visit(api.server, `/${slug}?${query}`)).location).toStartWith(`${stored}?a=1&`);
      }
      const characters = fc.constantFrom(
        ..."abc012=&?#/\\:@%.+;,'\"<>[]{}|^`~!$()*-_".split(""),
        "%0d%0a",
        "%00",
        "%2e",
        "é",
      );
      const queries = fc.string({ unit: characters, maxLength: 60 });
      await fc.assert(
        fc.asyncProperty(queries, async (query) => {
          const target = `/${slug}?${Buffer.from(query).toString("latin1")}`;
          const { status, headers, headerNames } = await askOnce(api.server.port, { target });
          expect(status).toBe(302);
          const location = headers.get("Location") ?? "";
          expect(location).toStartWith(`${stored}?a=1`);
          expect(location).toMatch(/^[\x21-\x7e]+$/);
          expect(new URL(location).origin + new URL(location).pathname).toBe(stored);
          expect(new URL(location).hash).toBe("");
          expect(headerNames.toSorted()).toEqual(
            expect.arrayContaining(["cache-control", "location", "x-request-id", "x-robots-tag"]),
          );
          expect(headers.has("set-cookie")).toBe(false);
        }),
        { numRuns: 150 },
      );
    });
  });

  describe("the other paths of the service", () => {
    test("health, readiness and robots are plain texts for GET and HEAD", async () => {
      for (const [path, text] of [
        ["/healthz", "ok\n"],
        ["/readyz", "ok\n"],
        ["/robots.txt", "User-agent: *\nDisallow:\n"],
      ] as const) {
        const answer = await visit(api.server, path);
        expect([path, answer.status, answer.text]).toEqual([path, 200, text]);
        expect(answer.headers.get("Content-Type")).toBe("text/plain; charset=utf-8");
        expect(answer.headers.get("Cache-Control")).toBe("no-store");
        expect(answer.headers.get("X-Request-Id")).toMatch(/^req_/);
        expect((await visit(api.server, path, { method: "HEAD" })).status).toBe(200);
        expect((await visit(api.server, path, { method: "POST" })).status).toBe(405);
      }
    });

    test("the root path leads to the console", async () => {
      const { status, location } = await visit(api.server, "/");
      expect([status, location]).toEqual([302, "/console"]);
      expect((await visit(api.server, "/docs")).status).toBe(200);
      expect((await visit(api.server, "/", { method: "POST" })).status).toBe(405);
    });

    test("there is nothing else: no files, no foreign paths, no way up", async () => {
      const paths = [
        "/favicon.ico",
        "/.env",
        "/.git/config",
        "/wp-login.php",
        "/a/b",
        "//evil.example",
        "/%2e%2e/etc",
        "/metrics",
        "/%zz",
        "/%00",
        "/a%0d%0ab",
      ];
      for (const target of paths) {
        const answer = await askOnce(api.server.port, { target });
        expect([target, answer.status]).toEqual([target, 404]);
        expect(answer.headers.get("Content-Type")).toBe("text/html; charset=utf-8");
      }
    });

    const ways = [
      ["/api/..", "/console/api/state"],
      ["/api/%2e%2e", "/console/api/state"],
      ["/api/.%2E", "/console/api/state"],
      ["/api/v1/../..", "/console/api/state"],
      ["/api//../..", "/console/api/state"],
      ["/api\\..", "\\console\\api\\state"],
      ["/api/..\\console", "/api/state"],
      ["/console\\api", "/state"],
      ["/console/api\\state", ""],
      ["/console/./api", "/state"],
      ["/console/x/..", "/api/state"],
      ["/console//../api", "/state"],
      ["/docs/..%2f..", "/console/api/state"],
      ["http://localhost/api/..", "/console/api/state"],
      ["/x/../console/api", "/state"],
    ] as const;

    test("no path is an alias of another, which would bypass the path rules of a proxy", async () => {
      expect((await visit(api.server, "/console/api/state")).status).toBe(200);
      const { slug } = await newLink(kurz);
      const targets = [
        ...ways.map((way) => way.join("")),
        `/x/../${slug}`,
        `/api/..\\${slug}`,
        `/./${slug}`,
        `/${slug}/.`,
      ];
      for (const version of ["HTTP/1.1", "HTTP/1.0"]) {
        for (const target of targets) {
          const { status, text } = await sendOnce(
            api.server.port,
            `GET ${target} ${version}\r\nHost: localhost\r\nConnection: close\r\n\r\n`,
          );
          expect([version, target, status, text.includes("csrf")]).toEqual([version, target, 404, false]);
        }
      }
      const { headers } = await askOnce(api.server.port, { target: "/api/x/../v1/links" });
      expect(headers.get("Content-Type")).toStartWith("application/json");
      expect((await visit(api.server, "/api/v1/links/a%5Cb")).status).toBe(401);
    });

    test("every answer says how long its connection stays open, or that it closes", async () => {
      const { slug } = await newLink(kurz);
      const connection = await RawConnection.open(api.server.port);
      for (const target of [`/${slug}`, `/${slug}`, "/nothing", "/healthz", "/api/v1/me", "/console/api/state"]) {
        const { headers } = await connection.request({ target });
        expect([target, headers.get("Keep-Alive"), headers.get("Connection")]).toEqual([
          target,
          "timeout=75",
          "keep-alive",
        ]);
      }
      connection.close();
      for (const target of [`/${slug}`, "/healthz", "/api/v1/me"]) {
        const { headers } = await askOnce(api.server.port, { target });
        expect([target, headers.get("Keep-Alive"), headers.get("Connection")]).toEqual([target, null, "close"]);
      }
    });

    test("a request with two hosts or an invalid one is malformed", async () => {
      const { slug } = await newLink(kurz);
      for (const target of [`/${slug}`, `/${slug}+`, "/healthz", "/api/v1/me", "/console", "/no/link"]) {
        for (const hosts of [["a.example", "b.example"], ["a.example", "a.example"], ["a b"], ["a.example/x"]]) {
          const lines = hosts.map((host) => `Host: ${host}\r\n`).join("");
          const bytes = `GET ${target} HTTP/1.1\r\n${lines}Connection: close\r\n\r\n`;
          expect([target, hosts, (await sendOnce(api.server.port, bytes)).status]).toEqual([target, hosts, 400]);
        }
      }
    });
  });
});
