import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { getSiteIcon, listSiteIcons, suggestTitle } from "#contract/console/pages.ts";
import type { Link } from "#contract/link-record.ts";
import { createLink, deleteLink } from "#contract/links.ts";
import { type ConsoleClient, type ConsoleServer, outcomeOf, startConsole } from "#test/support/console-client.ts";
import { type RawReceiver, startRawReceiver } from "#test/support/raw-receiver.ts";
import { htmlPage, pageLookups, startTestSite, type TestSite, TINY_PNG } from "#test/support/test-site.ts";
import { until } from "#test/support/until.ts";

let console: ConsoleServer;
let site: TestSite;
/** On an address that look-ups must not reach. */
let canary: RawReceiver;
beforeAll(async () => {
  site = startTestSite({
    "/": htmlPage("<title>Front page</title><link rel=icon href=/icon.png>"),
    "/icon.png": new Response(new Uint8Array(TINY_PNG), { headers: { "content-type": "text/html" } }),
    "/sale": htmlPage("<title>Fish &amp; Chips</title>"),
  });
  canary = await startRawReceiver({ hostname: "127.0.0.2" });
  console = await startConsole(pageLookups);
});
afterAll(async () => {
  await console.stop();
  await site.stop();
  await canary.stop();
});

const titleFor = (client: ConsoleClient, destination_url: string) =>
  client.call(suggestTitle, { body: { destination_url } });

const newLink = (client: ConsoleClient, destination_url: string): Promise<Link> =>
  client.do(createLink, { body: { destination_url } });

const iconsOf = (client: ConsoleClient, id: string) => client.do(listSiteIcons, { query: { id } });

/** Where the icon of the link's site is, once it is known. */
async function iconOf(client: ConsoleClient, id: string): Promise<string | null> {
  await until("the icon is known", async () => !(await iconsOf(client, id)).pending);
  const { data } = await iconsOf(client, id);
  return data[0]?.src ?? null;
}

describe("the title of a page", () => {
  test("is suggested for a new link", async () => {
    const me = await console.newMember("member");
    expect((await me.state()).page_lookups).toBe(true);
    expect((await titleFor(me, site.url("/sale"))).body).toEqual({ title: "Fish & Chips" });
    expect((await titleFor(me, site.url("/missing"))).body).toEqual({ title: null });
  });

  test("isn't read from an address that a link couldn't lead to, or that isn't public", async () => {
    const me = await console.newOwner();
    const asked = site.requests.length;
    expect(outcomeOf(await titleFor(me, "ftp://example.com/"))).toBe("422 validation_failed");
    expect(outcomeOf(await titleFor(me, `${me.url}/console`))).toBe("422 validation_failed");
    expect(outcomeOf(await titleFor(me, "http://169.254.169.254/"))).toBe("422 validation_failed");
    expect(outcomeOf(await titleFor(me, `http://user@127.0.0.1:${site.port}/`))).toBe("422 validation_failed");
    expect((await titleFor(me, `http://127.0.0.2:${canary.port}/`)).body).toEqual({ title: null });
    expect([site.requests.length, canary.connections()]).toEqual([asked, 0]);
  });

  test("is suggested twenty times a minute to one person", async () => {
    const [me, other] = [await console.newOwner(), await console.newOwner()];
    const outcomes = [];
    for (let no = 0; no < 21; no += 1) outcomes.push(outcomeOf(await titleFor(me, site.url(`/none${no}`))));
    expect(outcomes).toEqual([...Array<string>(20).fill("200"), "429 rate_limited"]);
    expect(outcomeOf(await titleFor(other, site.url("/sale")))).toBe("200");
  });
});

describe("the icon of a site", () => {
  test("is looked up once, at the front page, and then served to everyone in the account", async () => {
    const me = await console.newOwner();
    const viewer = await console.newMember("viewer", me);
    const own = startTestSite({
      "/": htmlPage("<link rel=icon href=/icon.png>"),
      "/icon.png": new Response(new Uint8Array(TINY_PNG)),
    });
    try {
      const links = [await newLink(me, own.url("/a?token=secret")), await newLink(me, own.url("/b"))];
      const [first, second] = await Promise.all(links.map(({ id }) => iconOf(viewer, id)));
      expect(first).toBe(second ?? "");
      expect(own.requests).toEqual(["GET /", "GET /icon.png"]);
      const image = await viewer.request("GET", first ?? "");
      expect(Buffer.from(await image.arrayBuffer())).toEqual(TINY_PNG);
      expect(image.headers.toJSON()).toMatchObject({
        "content-type": "image/png",
        "cache-control": "private, max-age=604800",
        "x-content-type-options": "nosniff",
        "content-security-policy": "default-src 'none'; frame-ancestors 'none'",
      });
      const again = await viewer.request("GET", first ?? "", {
        headers: { "if-none-match": image.headers.get("etag") ?? "" },
      });
      expect(again.status).toBe(304);
    } finally {
      await own.stop();
    }
  });

  test("is still there for a link in the trash, and there is none of a site that can't be reached", async () => {
    const me = await console.newOwner();
    const { id } = await newLink(me, site.url("/sale"));
    await me.do(deleteLink, { params: { id } });
    expect(await iconOf(me, id)).toStartWith(`${getSiteIcon.path}?`);
    const hidden = await newLink(me, `http://127.0.0.2:${canary.port}/`);
    expect(await iconOf(me, hidden.id)).toBeNull();
    expect(canary.connections()).toBe(0);
  });

  test("is only for accounts with a link to the site: there is no way to have others asked", async () => {
    const [me, eve] = [await console.newOwner(), await console.newOwner()];
    const { id } = await newLink(me, site.url("/"));
    const src = (await iconOf(me, id)) ?? "";
    expect(await iconsOf(eve, id)).toEqual({ data: [], pending: false });

    const query = Object.fromEntries(new URLSearchParams(src.split("?")[1]));
    const get = (client: ConsoleClient, change: Record<string, string>) =>
      client.call(getSiteIcon, { query: { ...query, ...change }, account: "" }).then(outcomeOf);
    expect(await get(me, {})).toBe("200");
    expect(await get(eve, {})).toBe("404 not_found");
    expect(await get(eve, { account: eve.account })).toBe("404 not_found");
    expect(await get(me, { site: `http://127.0.0.1:${canary.port}` })).toBe("404 not_found");
    expect(await get(me, { key: "x" })).toBe("404 not_found");
    expect(await console.guest().call(getSiteIcon, { query }).then(outcomeOf)).toBe("401 not_signed_in");
  });
});

test("off means off: no page is asked for anything", async () => {
  const quiet = await startConsole({ ...pageLookups, KURZ_PAGE_LOOKUPS: "off" });
  try {
    const { owner: me } = quiet;
    expect((await me.state()).page_lookups).toBe(false);
    const { id } = await newLink(me, site.url("/sale"));
    const asked = site.requests.length;
    expect((await titleFor(me, site.url("/sale"))).body).toEqual({ title: null });
    expect(await iconsOf(me, id)).toEqual({ data: [], pending: false });
    expect(site.requests.length).toBe(asked);
  } finally {
    await quiet.stop();
  }
});
