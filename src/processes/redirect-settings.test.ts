import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { loadConfig } from "#config/load-config.ts";
import type { ClickSink } from "#redirect/click-sink.ts";
import { noClicks } from "#redirect/click-sink.ts";
import { type LinkFile, openLinkFile } from "#test/support/link-file.ts";
import { linksWithSettings } from "./fixtures/links-with-settings.ts";
import { type OpenRedirect, openRedirect } from "./redirect.ts";

const DESTINATION = "https://example.com/";
const PHONE =
  "Mozilla/5.0 (Linux; Android 14) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/138.0 Mobile Safari/537.36";

describe.each([
  ["the fast lane", true],
  ["the HTTP server", false],
])("links with settings behind %s", (_, fastLane) => {
  let file: LinkFile;
  let server: OpenRedirect;
  let recorded: string[];

  beforeAll(() => {
    file = openLinkFile();
    for (const link of linksWithSettings) file.add(link);
    file.add({ slug: "gone", state: "archived", settings: { expired_url: "https://example.com/over" } });
    const sink: ClickSink = {
      ...noClicks,
      record(visit, link, target) {
        recorded.push(target.location);
        return noClicks.record(visit, link, target);
      },
    };
    recorded = [];
    const config = { ...loadConfig({ KURZ_DATA_DIR: file.dataDir }), port: 0, rateLimitPerMinute: 0 };
    server = openRedirect({ ...config, fastLane }, sink);
  });
  afterAll(async () => {
    await server.stop();
    file.close();
  });

  /** Twice, because the first visit isn't answered from the cache. */
  const open = async (path: string, userAgent = PHONE): Promise<Response> => {
    const visit = (): Promise<Response> =>
      fetch(`http://127.0.0.1:${server.port}${path}`, { redirect: "manual", headers: { "user-agent": userAgent } });
    const [first, second] = [await visit(), await visit()];
    expect([second.status, second.headers.get("location")]).toEqual([first.status, first.headers.get("location")]);
    return second;
  };
  const leads = async (path: string): Promise<unknown> => {
    const { status, headers } = await open(path);
    return [status, headers.get("location")];
  };

  test("answer with their status, and a permanent one is kept for 90 seconds", async () => {
    for (const [slug, status, cacheControl] of [
      ["moved", 301, "private, max-age=90"],
      ["temporary", 307, "private, no-store"],
      ["permanent", 308, "private, max-age=90"],
      ["started", 302, "private, no-store"],
    ] as const) {
      const answer = await open(`/${slug}`);
      expect(answer.status).toBe(status);
      expect(answer.headers.get("cache-control")).toBe(cacheControl);
      expect(answer.headers.get("location")).toBe(DESTINATION);
    }
  });

  test("forward the query unless they don't want to", async () => {
    expect(await leads("/moved?x=1")).toEqual([301, `${DESTINATION}?x=1`]);
    expect(await leads("/no-query?x=1")).toEqual([302, DESTINATION]);
  });

  test("forward the path only if they want to, by its text and never out of the destination's", async () => {
    expect(await leads("/deep")).toEqual([302, "https://example.com/base/?a=1#top"]);
    expect(await leads("/deep/")).toEqual([302, "https://example.com/base/?a=1#top"]);
    expect(await leads("/deep/b/c%20d?x=1")).toEqual([302, "https://example.com/base/b/c%20d?a=1&x=1#top"]);
    expect(await leads("/DEEP/b")).toEqual([302, "https://example.com/base/b?a=1#top"]);
    for (const path of ["/deep/..%2fb", "/deep/b%5c..%5cc", "/deep+/b", "/moved/b", "/nosuch/b"]) {
      expect([path, (await open(path)).status]).toEqual([path, 404]);
    }
    expect(await leads(`/deep/${"b".repeat(7995)}`)).toEqual([302, "https://example.com/base/?a=1#top"]);
    expect((await open(`/deep/${"b".repeat(8200)}`)).status).toBe(414);
    expect(recorded).toContain("https://example.com/base/b?a=1#top");
  });

  test("aren't there before they start, not even their preview", async () => {
    const [scheduled, unknown] = [await open("/scheduled"), await open("/nosuch")];
    expect([scheduled.status, await scheduled.text()]).toEqual([404, await unknown.text()]);
    expect((await open("/scheduled+")).status).toBe(404);
    expect(await leads("/started")).toEqual([302, DESTINATION]);
  });

  test("lead elsewhere once they have expired, but not once they are archived", async () => {
    expect(await leads("/over")).toEqual([302, "https://example.com/over"]);
    expect((await open("/gone")).status).toBe(410);
  });

  test("are alone on their domain, and its address ends with the account's suspension", async () => {
    const other = (path: string): Promise<unknown> =>
      fetch(`http://127.0.0.1:${server.port}${path}`, {
        redirect: "manual",
        headers: { host: "go.acme.example" },
      }).then(({ status, headers }) => [status, headers.get("location")]);
    file.addDomain(1, "go.acme.example", { notFound: "https://example.com/elsewhere" });
    expect(await other("/moved")).toEqual([302, "https://example.com/elsewhere"]);
    expect(await other("/api/v1/me")).toEqual([302, "https://example.com/elsewhere"]);
    file.setSuspended(true);
    expect(await other("/moved")).toEqual([404, null]);
    file.setSuspended(false);
    expect(await other("/moved")).toEqual([302, "https://example.com/elsewhere"]);
  });

  test("show programs that preview links a card without the destination, and redirect people", async () => {
    const card = await open("/card", "Twitterbot/1.0");
    expect(card.status).toBe(200);
    const page = await card.text();
    expect(page).toContain('<meta property="og:title" content="A card">');
    expect(page).toContain(`/card">`);
    expect(page).not.toContain("example.com/");
    expect(await leads("/card")).toEqual([302, DESTINATION]);
    expect((await open("/card", "Mozilla/5.0 (compatible; Googlebot/2.1)")).status).toBe(302);
  });
});
