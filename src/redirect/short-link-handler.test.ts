import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import type { HostTable, RedirectReader } from "#engines/records/redirect-reader.ts";
import { openSqliteRedirectReader } from "#engines/records/sqlite/redirect-reader.ts";
import { HOSTS_KEY } from "#kernel/link-key.ts";
import { type LinkFile, openLinkFile } from "#test/support/link-file.ts";
import { linksOf } from "#test/support/links-of.ts";
import { Answers } from "./answers.ts";
import { newsSince } from "./change-news.ts";
import { type ClickSink, noClicks, type VisitTarget } from "./click-sink.ts";
import { Freshness } from "./freshness.ts";
import { Hosts } from "./hosts.ts";
import { LinkCache } from "./link-cache.ts";
import { MissGuard } from "./miss-guard.ts";
import { ShortLinkHandler } from "./short-link-handler.ts";

interface Click extends VisitTarget {
  readonly method: string;
  readonly client: string;
  readonly link: { readonly no: number; readonly accountNo: number };
}

let file: LinkFile;
let reader: RedirectReader;
let server: Bun.Server<undefined>;
let clicks: Click[];
let shortLinks: ShortLinkHandler;
let now: number;
let isLogAway: boolean;
let failures: string[];

beforeEach(() => {
  file = openLinkFile();
  file.add({ slug: "abc", destination_url: "https://example.com/", utm: { utm_source: "mail" } });
  file.add({ slug: "paused", state: "paused" });
  reader = openSqliteRedirectReader(file.path);
  clicks = [];
  now = Date.now();
  isLogAway = false;
  failures = [];
});

afterEach(async () => {
  await server.stop(true);
  await reader.close();
  file.close();
});

function start(written: () => Promise<void> | undefined, isDemo = false): string {
  const seen: Pick<Click, "method" | "client">[] = [];
  const sink: ClickSink = {
    classify(request, client, accountNo) {
      seen.push({ method: request.method, client });
      return noClicks.classify(request, client, accountNo);
    },
    isBot: () => false,
    record(_, { no, accountNo }, target) {
      clicks.push({ ...(seen.at(-1) ?? { method: "", client: "" }), link: { no, accountNo }, ...target });
      return written();
    },
  };
  const cache = new LinkCache({ reader: linksOf(reader) });
  shortLinks = new ShortLinkHandler({
    cache,
    hosts: new Hosts({ load: async () => (await reader.find(HOSTS_KEY)) as HostTable, own: ["s.example"] }),
    freshness: new Freshness(
      {
        async news(seq, isBehind) {
          if (isLogAway) throw new Error("away");
          return newsSince(reader, seq, isBehind);
        },
      },
      cache,
      { clock: () => now },
    ),
    misses: new MissGuard({ limit: 0, processes: 1, send: () => false }),
    clicks: sink,
    guard: { admit: () => Promise.reject(new Error("control is away")) },
    answers: new Answers({
      isHttps: false,
      shortDomain: "s.example",
      isDemo,
      abuseContact: null,
      requestIdOf: () => "req_test",
    }),
    notFoundRedirect: null,
    showsLinks: isDemo,
    clock: Date.now,
    requestIdOf: () => "req_test",
    clientAddressOf: () => "203.0.113.9",
    onLookupFailure: (error) => failures.push(`look-up: ${error}`),
    onGuardFailure: (error) => failures.push(`guard: ${error}`),
  });
  server = Bun.serve({
    hostname: "127.0.0.1",
    port: 0,
    routes: { "/:slug": { GET: (request) => shortLinks.open(request.params.slug, request) } },
    fetch: () => new Response(null, { status: 405 }),
  });
  return `http://127.0.0.1:${server.port}`;
}

describe("a click", () => {
  test("is recorded for each GET that redirects, and for nothing else", async () => {
    const url = start(() => undefined);
    const open = (path: string, method = "GET"): Promise<Response> => fetch(url + path, { method, redirect: "manual" });
    await open("/abc?x=1");
    expect(clicks).toEqual([
      {
        method: "GET",
        client: "203.0.113.9",
        link: { no: 1, accountNo: 1 },
        location: "https://example.com/?utm_source=mail&x=1",
        domain: "",
        rule: "",
      },
    ]);
    for (const path of ["/abc+", "/paused", "/nosuch"]) await open(path);
    await open("/abc", "HEAD");
    expect(clicks).toHaveLength(1);
    await open("/ABC");
    expect(clicks).toHaveLength(2);
  });

  test("has the name of the link's domain, and of the rule that decided", async () => {
    file.addDomain(1, "go.acme.example");
    const rule = { name: "qr", when: { query: { qr: true } } as const, destination_url: "https://example.com/scanned" };
    file.add({ slug: "1/ruled", destination_url: "https://example.com/", settings: { rules: [rule] } });
    const url = start(() => undefined);
    const open = (path: string, host: string): Promise<Response> =>
      fetch(url + path, { redirect: "manual", headers: { host } });
    await open("/ruled?qr=1", "GO.acme.example:8080");
    await open("/ruled", "go.acme.example");
    await open("/abc", "unknown.example");
    expect(clicks.map(({ location, domain, rule }) => [location.split("?")[0], domain, rule])).toEqual([
      ["https://example.com/scanned", "go.acme.example", "qr"],
      ["https://example.com/", "go.acme.example", ""],
      ["https://example.com/", "", ""],
    ]);
  });

  test("is written before its redirect is sent", async () => {
    const written = Promise.withResolvers<void>();
    const url = start(() => written.promise);
    let isAnswered = false;
    const answer = fetch(`${url}/abc`, { redirect: "manual" }).then((response) => {
      isAnswered = true;
      return response.status;
    });
    while (clicks.length === 0) await new Promise((resolve) => setImmediate(resolve));
    expect(isAnswered).toBe(false);
    written.resolve();
    expect(await answer).toBe(302);
  });

  test("that can't be written doesn't delay the visitor", async () => {
    const url = start(() => Promise.reject(new Error("disk full")));
    expect((await fetch(`${url}/abc`, { redirect: "manual" })).status).toBe(302);
  });
});

describe("on a domain of an account", () => {
  const GO = "go.acme.example";
  const ELSEWHERE = "https://example.com/elsewhere";
  const opener =
    (url: string) =>
    async (path: string, host = GO): Promise<unknown> => {
      const { status, headers } = await fetch(url + path, { redirect: "manual", headers: { host } });
      return [status, headers.get("location")];
    };

  test("its links can't be opened through another host, also once they are cached", async () => {
    file.addDomain(1, GO);
    file.add({ slug: "1/own", destination_url: "https://example.com/own" });
    const open = opener(start(() => undefined));
    expect(await open("/own")).toEqual([302, "https://example.com/own"]);
    for (const path of ["/own", "/1%2Fown", "/1%2fown"]) {
      expect([path, await open(path, "s.example")]).toEqual([path, [404, null]]);
    }
  });

  test("whatever isn't there leads to its address", async () => {
    file.addDomain(1, GO, { notFound: ELSEWHERE });
    const open = opener(start(() => undefined));
    for (const path of ["/nosuch", "/old.html", "/a~b"]) {
      expect([path, await open(path)]).toEqual([path, [302, ELSEWHERE]]);
    }
    expect(await open("/nosuch", "s.example")).toEqual([404, null]);
  });

  test("a preview shows its addresses instead of leading there", async () => {
    file.addDomain(1, GO, { notFound: ELSEWHERE, expired: "https://example.com/over" });
    file.add({ slug: "1/ended", title: "Before", destination_url: "https://example.com/secret", expires_at: 1 });
    file.add({ slug: "1/paused", title: "Before", destination_url: "https://example.com/secret", state: "paused" });
    const url = start(() => undefined);
    for (const [path, address] of [
      ["/ended", "https://example.com/over"],
      ["/paused", ELSEWHERE],
      ["/nosuch", ELSEWHERE],
    ] as const) {
      const { status, headers, text } = await previewOf(url, path);
      expect([path, status, headers.get("location")]).toEqual([path, 200, null]);
      expect(text).toContain(`href="${address}"`);
      expect(text).toContain(`<strong>${GO}${path}</strong>`);
      expect(text).not.toMatch(/secret|Before/);
    }
    // No link can have these names, so there is nothing to show.
    for (const path of ["/old.html", "/a~b", "/"]) {
      const { status, headers } = await previewOf(url, path);
      expect([path, status, headers.get("location")]).toEqual([path, 404, null]);
    }
    expect(shortLinks.counts.ends).toMatchObject({ redirected: 0, previewed: 0, expired: 1, paused: 1, unknown: 4 });
  });

  const previewOf = async (url: string, path: string) => {
    const answer = await fetch(`${url}${path}+`, { redirect: "manual", headers: { host: GO } });
    return { status: answer.status, headers: answer.headers, text: await answer.text() };
  };
});

describe("in a demo", () => {
  test("a link shows its destination instead of redirecting, and still counts as a click", async () => {
    const url = start(() => undefined, true);
    const answer = await fetch(`${url}/abc?x=1`, { redirect: "manual" });
    expect(answer.status).toBe(200);
    expect(answer.headers.get("x-robots-tag")).toBe("noindex, nofollow");
    expect(answer.headers.get("cache-control")).toBe("no-store");
    expect(answer.headers.has("location")).toBe(false);
    const page = await answer.text();
    expect(page).toContain("Demo: no redirect");
    expect(page).toContain("/?utm_source=mail&amp;x=1");
    expect(clicks).toHaveLength(1);
    await fetch(`${url}/abc+`, { redirect: "manual" });
    expect(clicks).toHaveLength(1);
    expect(shortLinks.counts.ends).toMatchObject({ redirected: 0, previewed: 2 });
  });

  test("links that don't redirect elsewhere can't be opened there either", async () => {
    const url = start(() => undefined, true);
    expect((await fetch(`${url}/paused`, { redirect: "manual" })).status).toBe(404);
    expect(clicks).toEqual([]);
  });

  test("where visitors of no link are led is shown, whatever the reason, instead of redirecting", async () => {
    const [host, notFound] = ["go.acme.example", "https://example.com/lost"];
    file.addDomain(1, host, { notFound });
    file.add({ slug: "1/paused", state: "paused" });
    file.add({ slug: "1/later", settings: { starts_at: Date.now() + 86_400_000 } });
    const url = start(() => undefined, true);
    for (const path of ["/paused", "/later", "/nosuch"]) {
      const answer = await fetch(url + path, { redirect: "manual", headers: { host } });
      expect([path, answer.status, answer.headers.get("location")]).toEqual([path, 200, null]);
      expect(await answer.text()).toContain(`href="${notFound}"`);
    }
    const { status } = await fetch(`${url}/old.html`, { redirect: "manual", headers: { host } });
    expect(status).toBe(404);
  });

  test("a link that is over shows where it leads now instead of redirecting", async () => {
    const expired_url = "https://example.com/over";
    file.add({ slug: "ended", destination_url: "https://example.com/", expires_at: 1, settings: { expired_url } });
    const answer = await fetch(`${start(() => undefined, true)}/ended`, { redirect: "manual" });
    expect([answer.status, answer.headers.get("location")]).toEqual([200, null]);
    expect(await answer.text()).toContain(`href="${expired_url}"`);
  });
});

test("a link that was missing is looked up again while nobody knows whether it was created since", async () => {
  const url = start(() => undefined);
  const open = async (path: string): Promise<number> => (await fetch(url + path, { redirect: "manual" })).status;
  // Reads the log before each visit, as no bus announces what changes.
  expect([await open("/later"), await open("/later")]).toEqual([404, 404]);
  expect(shortLinks.counts).toMatchObject({ cacheHits: 1, cacheMisses: 1 });
  isLogAway = true;
  now += 1000;
  file.add({ slug: "later" });
  expect(await open("/later")).toBe(302);
  await reader.close();
  now += 1000;
  expect([await open("/later"), await open("/never")]).toEqual([302, 503]);
});

test("a failure is reported as what it is: of the look-up, or of the decision about a guarded link", async () => {
  file.add({ slug: "locked", guarded: true });
  const url = start(() => undefined);
  const open = async (path: string): Promise<number> => (await fetch(url + path, { redirect: "manual" })).status;
  expect(await open("/locked")).toBe(503);
  expect(failures).toEqual(["guard: Error: control is away"]);
  await reader.close();
  expect(await open("/unread")).toBe(503);
  expect(failures.slice(1)).toEqual([expect.stringMatching(/^look-up: /)]);
  expect(shortLinks.counts.ends).toMatchObject({ failed: 2 });
});

test("every visit is counted once by how it ended, and once as a cache hit or miss", async () => {
  file.add({ slug: "expired", expires_at: Date.now() - 1 });
  file.add({ slug: "archived", state: "archived" });
  file.add({ slug: "blocked", blocked_reason: "phishing" });
  file.add({ slug: "deleted" });
  file.remove("deleted");
  const url = start(() => undefined);
  const open = (path: string): Promise<Response> => fetch(url + path, { redirect: "manual" });
  const slugs = ["abc", "paused", "expired", "archived", "blocked", "deleted", "nosuch"];
  for (const slug of [...slugs, ...slugs, "abc+", "no~slug", `abc?${"x".repeat(9000)}`]) await open(`/${slug}`);
  await reader.close();
  expect((await open("/unread")).status).toBe(503);

  expect(shortLinks.counts).toEqual({
    ends: {
      redirected: 2,
      previewed: 1,
      unknown: 3,
      scheduled: 0,
      paused: 2,
      expired: 2,
      archived: 2,
      blocked: 2,
      deleted: 2,
      refused: 1,
      failed: 1,
    },
    cacheHits: 8,
    cacheMisses: 8,
  });
});
