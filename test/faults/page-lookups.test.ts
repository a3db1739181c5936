import { afterEach, describe, expect, test } from "bun:test";
import { gzipSync } from "node:zlib";
import { classifyUserAgent } from "#clicks/classify/user-agent.ts";
import { guardedClient } from "#engines/outbound/guarded-client.ts";
import type { PageAccess } from "#pages/fetch-page.ts";
import { findPageTitle } from "#pages/find-page-title.ts";
import { findSiteIcon } from "#pages/find-site-icon.ts";
import { type RawReceiver, type RawReceiverOptions, startRawReceiver } from "#test/support/raw-receiver.ts";
import { htmlPage, startTestSite, type TestSite, TINY_PNG } from "#test/support/test-site.ts";
import { until } from "#test/support/until.ts";

const started: { stop(): Promise<void> }[] = [];
afterEach(async () => {
  for (const { stop } of started.splice(0)) await stop();
});

function site(pages: Parameters<typeof startTestSite>[0]): TestSite {
  const running = startTestSite(pages);
  started.push(running);
  return running;
}

async function receiver(options: RawReceiverOptions): Promise<RawReceiver> {
  const running = await startRawReceiver(options);
  started.push(running);
  return running;
}

/** Names lead to this machine; only its first address may be reached. */
const access: PageAccess = {
  client: guardedClient({
    allowCidrs: ["127.0.0.1/32"],
    allowInsecure: true,
    resolve: () => Promise.resolve(["127.0.0.1"]),
  }),
  isAllowed: (url) => !url.includes("/forbidden"),
  // Long enough for a busy machine.
  timeoutMs: 60_000,
};
const never = new AbortController().signal;
const titleAt = (url: string) => findPageTitle(access, url, never);
const iconOf = async (url: string) => (await findSiteIcon(access, new URL(url).origin, never))?.type ?? null;

const redirect =
  (location: string, status = 302) =>
  () =>
    new Response(null, { status, headers: { location } });
const png = (bytes: Uint8Array<ArrayBuffer> = new Uint8Array(TINY_PNG)) =>
  new Response(bytes, { headers: { "content-type": "image/png" } });

describe("a title", () => {
  test("is read from the page itself, by a request that says what asks and has no cookies", async () => {
    const { url, requests, headers } = site({ "/a": htmlPage("<title>A page</title>") });
    expect(await titleAt(url("/a?b=c"))).toBe("A page");
    expect(requests).toEqual(["GET /a?b=c"]);
    expect(Object.fromEntries(headers[0] ?? [])).toEqual({
      host: new URL(url()).host,
      "user-agent": "Mozilla/5.0 (compatible; KurzBot/1.0)",
      accept: "text/html,application/xhtml+xml",
      "accept-encoding": "identity",
      connection: expect.any(String),
    });
    // If the page is a short link of another Kurz, that is no visit.
    expect(classifyUserAgent(headers[0]?.get("user-agent") ?? "").isBot).toBe(true);
  });

  test("is read behind a few redirects", async () => {
    const { url, requests } = site({
      "/1": redirect("/2", 301),
      "/2": redirect("3?x#y", 308),
      "/3": redirect("/4", 303),
      "/4": htmlPage("<title>At last</title>"),
      "/0": redirect("/1"),
    });
    expect(await titleAt(url("/1"))).toBe("At last");
    expect(requests).toEqual(["GET /1", "GET /2", "GET /3?x", "GET /4"]);
    expect(await titleAt(url("/0"))).toBeNull();
  });

  test("isn't read where a redirect leads to an address that is blocked, a forbidden one or nowhere", async () => {
    const canary = await receiver({ hostname: "127.0.0.2" });
    const { url, requests } = site({
      "/private": redirect(`http://127.0.0.2:${canary.port}/`),
      "/metadata": redirect("http://169.254.169.254/latest/meta-data/"),
      "/file": redirect("file:///etc/passwd"),
      "/forbids": redirect("/forbidden"),
      "/forbidden": htmlPage("<title>No</title>"),
      "/broken": redirect("http://"),
      "/nowhere": () => new Response(null, { status: 302 }),
      "/loop": redirect("/loop"),
    });
    const paths = ["/private", "/metadata", "/file", "/forbids", "/forbidden", "/broken", "/nowhere"];
    for (const path of paths) expect([path, await titleAt(url(path))]).toEqual([path, null]);
    expect(requests).not.toContain("GET /forbidden");
    expect(canary.connections()).toBe(0);
    expect(await titleAt(url("/loop"))).toBeNull();
    expect(requests.filter((line) => line === "GET /loop").length).toBe(4);
  });

  test("isn't read from what is no page, an error, or compressed although that wasn't asked for", async () => {
    const title = "<title>No</title>";
    const html = { "content-type": "text/html" };
    const { url } = site({
      "/json": new Response(title, { headers: { "content-type": "application/json" } }),
      "/error": new Response(title, { status: 403, headers: html }),
      "/packed": new Response(gzipSync(title), { headers: { ...html, "content-encoding": "gzip" } }),
      "/untitled": htmlPage("<p>Hello</p>"),
    });
    for (const path of ["/json", "/error", "/packed", "/untitled", "/missing"])
      expect([path, await titleAt(url(path))]).toEqual([path, null]);
    expect(await titleAt("http://127.0.0.1:1/")).toBeNull();
  });

  test("is read from the start of a page that never ends, and what comes too late isn't waited for", async () => {
    const head = "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n";
    const endless = await receiver({
      onRequest(socket) {
        const more = (): void => {
          while (!socket.destroyed && socket.write("x".repeat(65_536))) {}
        };
        socket.on("drain", more);
        socket.write(`${head}<title>Early</title>`);
        more();
      },
    });
    expect(await titleAt(`http://127.0.0.1:${endless.port}/`)).toBe("Early");
    await until("it has hung up", () => endless.openConnections() === 0);
    const late = await receiver({
      onRequest: (socket) => void socket.write(`${head}${" ".repeat(300_000)}<title>Late</title>`),
    });
    expect(await titleAt(`http://127.0.0.1:${late.port}/`)).toBeNull();
    const silent = await receiver({ onRequest: () => {} });
    expect(await findPageTitle({ ...access, timeoutMs: 300 }, `http://127.0.0.1:${silent.port}/`, never)).toBeNull();
    await until("it has hung up", () => silent.openConnections() === 0);
  });

  test("ends when the time is up, with what has arrived, also of a page that drips", async () => {
    const dripping = await receiver({
      onRequest(socket) {
        socket.write("HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n<title>Drips</title>");
        const timer = setInterval(() => socket.write(" "), 20);
        socket.on("close", () => clearInterval(timer));
      },
    });
    const url = `http://127.0.0.1:${dripping.port}/`;
    await until("it is read", async () => (await findPageTitle({ ...access, timeoutMs: 500 }, url, never)) === "Drips");
    await until("it has hung up", () => dripping.openConnections() === 0);
  });

  test("ends with the signal", async () => {
    const silent = await receiver({ onRequest: () => {} });
    const stopping = new AbortController();
    const finding = findPageTitle(access, `http://127.0.0.1:${silent.port}/`, stopping.signal);
    await until("it is asked", () => silent.connections() === 1);
    stopping.abort(new Error("stopping"));
    await expect(finding).rejects.toThrow("stopping");
  });
});

describe("an icon", () => {
  test("is the best one that the first page names, relative to its base", async () => {
    const links = `<base href="/b/"><link rel=icon sizes=16x16 href=16.png><link rel=apple-touch-icon href=touch.png>
      <link rel=icon sizes=192x192 href=192.png><link rel=icon sizes=48x48 href=48.png>`;
    const { url, requests } = site({ "/": htmlPage(links), "/b/48.png": png() });
    expect(await iconOf(url("/deep/page?token=secret"))).toBe("image/png");
    expect(requests).toEqual(["GET /", "GET /b/48.png"]);
  });

  test("is the one at the usual place if the page names none, or those it names are none", async () => {
    const ico = Buffer.concat([
      Buffer.from([0, 0, 1, 0, 1, 0, 1, 1, 0, 0, 1, 0, 32, 0, 70, 0, 0, 0, 22, 0, 0, 0]),
      TINY_PNG,
    ]);
    const { url, requests } = site({
      "/": htmlPage("<link rel=icon href=/a.png><link rel=icon href=/b.png><link rel=icon href=/c.png>"),
      "/a.png": htmlPage("<svg xmlns='http://www.w3.org/2000/svg'/>"),
      "/c.png": png(),
      "/favicon.ico": new Response(ico),
    });
    expect(await iconOf(url())).toBe("image/x-icon");
    expect(requests).toEqual(["GET /", "GET /a.png", "GET /b.png", "GET /favicon.ico"]);
    const bare = site({ "/favicon.ico": redirect("/elsewhere"), "/elsewhere": png() });
    expect(await iconOf(bare.url())).toBe("image/png");
  });

  test("of another host is fetched through the guard, too", async () => {
    const canary = await receiver({ hostname: "127.0.0.2" });
    const other = site({ "/i.png": png() });
    const { url } = site({
      "/": htmlPage(
        `<link rel=icon sizes=32x32 href="http://127.0.0.2:${canary.port}/"><link rel=icon sizes=64x64 href="${other.url("/i.png", "cdn.example")}">`,
      ),
    });
    expect(await iconOf(url())).toBe("image/png");
    expect(canary.connections()).toBe(0);
  });

  test("that is large, cut off or no image isn't one", async () => {
    const large = new Uint8Array(64 * 1024 + 1);
    large.set(TINY_PNG);
    expect(await iconOf(site({ "/favicon.ico": png(large) }).url())).toBeNull();
    expect(await iconOf(site({ "/favicon.ico": png(large.subarray(1)) }).url())).toBeNull();
    expect(await iconOf(site({ "/favicon.ico": png(large.slice(0, -1)) }).url())).toBe("image/png");
    expect(await iconOf(site({}).url())).toBeNull();
    const half = await receiver({
      onRequest: (socket) => {
        socket.write("HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n\r\n");
        socket.end(TINY_PNG);
      },
    });
    expect(await iconOf(`http://127.0.0.1:${half.port}/`)).toBeNull();
  });
});
