import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import {
  createToken,
  deleteAccount,
  getAccount,
  listAudit,
  listTokens,
  revokeToken,
  updateAccount,
} from "#contract/console/account.ts";
import { checkSlug, exportLinks, listLinkNames, listTags, resolveNewLink } from "#contract/console/links.ts";
import type { Link } from "#contract/link-record.ts";
import { createLink, listLinks, pauseLink } from "#contract/links.ts";
import { readRecords } from "#test/support/change-records.ts";
import {
  type ConsoleClient,
  type ConsoleServer,
  makeToken,
  outcomeOf,
  startConsole,
} from "#test/support/console-client.ts";
import { until } from "#test/support/until.ts";

const BROWSER = "Mozilla/5.0 (X11; Linux x86_64; rv:128.0) Gecko/20100101 Firefox/128.0";

let console: ConsoleServer;
beforeAll(async () => {
  console = await startConsole();
});
afterAll(() => console.stop());

let keys = 0;
const newLink = async (client: ConsoleClient, body: object = {}): Promise<Link> => {
  const headers = { "idempotency-key": `key ${++keys}`.replace(" ", "-") };
  return (await client.do(createLink, { body: { destination_url: "https://example.com/", ...body }, headers })) as Link;
};
/** An account's links are created one after another. All at once, the last might wait too long on a busy machine. */
const newLinks = async (client: ConsoleClient, count: number): Promise<Link[]> => {
  const links: Link[] = [];
  while (links.length < count) {
    const batch = Array.from({ length: Math.min(10, count - links.length) }, () => newLink(client));
    links.push(...(await Promise.all(batch)));
  }
  return links;
};
const open = (slug: string) =>
  fetch(`${console.url}/${slug}`, { redirect: "manual", headers: { "user-agent": BROWSER, "accept-language": "de" } });

describe("an account", () => {
  test("shows its plan and usage, and can be renamed", async () => {
    const owner = await console.newOwner();
    await newLink(owner);
    await makeToken(owner);
    expect(await owner.do(getAccount)).toMatchObject({
      id: owner.account,
      name: "Other",
      role: "owner",
      plan: {
        id: "unlimited",
        features: { active_links: { limit: null, used: 1 }, api_tokens: { limit: 50, used: 1 } },
      },
      rate_limit: { limit: 120, window_seconds: 60 },
    });
    expect(await owner.do(updateAccount, { body: { name: "Renamed" } })).toMatchObject({ name: "Renamed" });
    expect((await owner.state()).session?.accounts).toMatchObject([{ name: "Renamed" }]);
  });

  test("doesn't need API access for its console", async () => {
    const free = await startConsole({ KURZ_DEFAULT_PLAN: "free" });
    try {
      const link = await newLink(free.owner);
      expect(link.created_via).toBe("dashboard");
    } finally {
      await free.stop();
    }
  });
});

describe("a token", () => {
  test("is shown once, works at the API, and is refused from the moment it is revoked", async () => {
    const owner = await console.newOwner();
    const { id, token } = await owner.do(createToken, {
      body: { name: "CI\tjob".replace("\t", " "), scopes: ["links:read", "links:read"], expires_in_days: 90 },
    });
    const me = () => fetch(`${console.url}/api/v1/me`, { headers: { authorization: `Bearer ${token}` } });
    expect((await me()).status).toBe(200);
    const list = await owner.call(listTokens);
    expect(list.body.data).toMatchObject([{ id, name: "CI job", scopes: ["links:read"], revoked_at: null }]);
    const audit = await owner.call(listAudit);
    for (const { text } of [list, audit]) expect(text).not.toContain(token.slice(18));
    await owner.do(revokeToken, { params: { id } });
    expect((await me()).status).toBe(401);
    expect(outcomeOf(await owner.call(revokeToken, { params: { id } }))).toBe("404 not_found");
  });
});

describe("the audit log", () => {
  test("shows who did what, newest first, page by page", async () => {
    const owner = await console.newOwner();
    for (let name = 0; name < 5; name += 1) await owner.do(updateAccount, { body: { name: `Name ${name}` } });
    const first = await owner.do(listAudit, { query: { limit: "3" } });
    expect(first.data.map(({ details }) => details.name)).toEqual(["Name 4", "Name 3", "Name 2"]);
    const [actor_name] = owner.email.split("@");
    expect(first.data[0]).toMatchObject({ action: "account.renamed", actor_name, subject: owner.account });
    const rest = await owner.do(listAudit, { query: { limit: "3", before: String(first.next_before) } });
    expect(rest.data.map(({ action }) => action)).toEqual(["account.renamed", "account.renamed", "account.created"]);
    expect(rest.next_before).toBeNull();
  });

  test("has link changes among the others, filtered by who, what and which link", async () => {
    const owner = await console.newOwner();
    const member = await console.newMember("member", owner);
    const userId = (await member.state()).session?.user.id;
    const [one, two] = [await newLink(owner, { slug: "audit-one" }), await newLink(member, { slug: "audit-two" })];
    await member.do(pauseLink, { params: { id: one.id } });
    await owner.do(updateAccount, { body: { name: "Later" } });
    const list = async (query: Record<string, string> = {}) =>
      (await owner.do(listAudit, { query })).data.map(({ action, subject_name }) => `${action} ${subject_name}`);
    expect((await list()).slice(0, 4)).toEqual([
      "account.renamed null",
      "link.paused audit-one",
      "link.created audit-two",
      "link.created audit-one",
    ]);
    expect(await list({ link: two.id })).toEqual(["link.created audit-two"]);
    expect(await list({ action: "link.paused" })).toEqual(["link.paused audit-one"]);
    expect(await list({ action: "link" })).toHaveLength(3);
    expect(await list({ action: "link", actor: `user:${userId}` })).toEqual([
      "link.paused audit-one",
      "link.created audit-two",
    ]);
    expect(await list({ action: "lin" })).toEqual([]);
    const entries = await owner.do(listAudit, { query: { link: one.id, limit: "1" } });
    expect(entries.data[0]).toMatchObject({ actor: `user:${userId}`, actor_name: "member", from: "console" });
    const older = await owner.do(listAudit, { query: { link: one.id, before: entries.next_before ?? "" } });
    expect(older.data.map(({ action }) => action)).toEqual(["link.created"]);
    const stranger = await console.newOwner();
    expect((await stranger.do(listAudit, { query: { link: one.id } })).data).toEqual([]);
    for (const query of [{ before: "1" }, { action: "LINK" }, { action: "link.%" }]) {
      expect(outcomeOf(await owner.call(listAudit, { query }))).toBe("422 validation_failed");
    }
  });
});

describe("links", () => {
  test("tags in use are counted, and found by any part of them, even % and _", async () => {
    const owner = await console.newOwner();
    for (const tags of [["Sale", "50%"], ["sale"], ["summer_sale"]]) await newLink(owner, { tags });
    expect((await owner.do(listTags)).data).toEqual([
      { tag: "sale", links: 2 },
      { tag: "50%", links: 1 },
      { tag: "summer_sale", links: 1 },
    ]);
    const find = async (q: string) => (await owner.do(listTags, { query: { q } })).data.map(({ tag }) => tag);
    expect([await find("%"), await find("_"), await find("SALE")]).toEqual([
      ["50%"],
      ["summer_sale"],
      ["sale", "summer_sale"],
    ]);
  });

  test("link names are shown to their own account only", async () => {
    const [owner, stranger] = [await console.newOwner(), await console.newOwner()];
    const { id, slug } = await newLink(owner, { title: "Spring" });
    const ask = async (client: ConsoleClient) => (await client.do(listLinkNames, { query: { id } })).data;
    expect(await ask(owner)).toEqual([{ id, domain: null, slug, title: "Spring" }]);
    expect(await ask(stranger)).toEqual([]);
    expect(outcomeOf(await owner.call(listLinkNames))).toBe("422 validation_failed");
  });

  test("a slug can be checked before it is used", async () => {
    const owner = await console.newOwner();
    const { slug } = await newLink(owner, { slug: "taken-one" });
    const available = async (text: string) => (await owner.do(checkSlug, { params: { slug: text } })).available;
    const slugs = ["free-one", slug, slug.toUpperCase(), "api", "-x", "robots.txt", "ü"];
    expect(await Promise.all(slugs.map(available))).toEqual([true, false, false, false, false, false, false]);
  });

  test("a visit can be tried before the link is created, with the checks of its creation", async () => {
    const owner = await console.newOwner();
    const rules = [
      { name: "swiss", when: { country: ["CH"] }, destination_url: "https://example.com/ch" },
      {
        when: { device: ["mobile"] },
        split: [1, 3].map((weight) => ({ weight, destination_url: `https://${weight}.example/` })),
      },
    ];
    const link = { destination_url: "https://example.com/", utm: { utm_source: "mail" }, rules };
    const resolve = (body: object) => owner.do(resolveNewLink, { body: { ...link, ...body } });
    expect(await resolve({ country: "CH", query: "a=1" })).toMatchObject({
      status: 302,
      location: "https://example.com/ch?utm_source=mail&a=1",
      obstacles: [],
      rule: "swiss",
    });
    expect(await resolve({ country: "CH", query: "a=1", forward_query: false })).toMatchObject({
      location: "https://example.com/ch?utm_source=mail",
    });
    expect(await resolve({ device: "mobile" })).toMatchObject({
      rule: "rule-1",
      way: { name: "way-2", chance: 0.75 },
      rules: [
        { name: "swiss", decides: false, failed: ["country"] },
        { name: "rule-1", decides: true, failed: [] },
      ],
    });
    const refused = async (body: object) => outcomeOf(await owner.call(resolveNewLink, { body: { ...link, ...body } }));
    expect(await refused({ destination_url: "http://127.0.0.1/" })).toBe("422 validation_failed");
    expect(await refused({ rules: [{ ...rules[0], when: { country: ["XX"] } }] })).toBe("422 validation_failed");
    expect(await refused({ os: "iSO" })).toBe("422 validation_failed");
    expect(await refused({ domain: "go.acme.example" })).toBe("422 domain_not_verified");
    const viewer = await console.newMember("viewer", owner);
    expect(outcomeOf(await viewer.call(resolveNewLink, { body: link }))).toBe("403 role_insufficient");
    expect((await owner.do(listLinks)).data).toEqual([]);
  });

  test("all of them can be exported to a file without spreadsheet formulas", async () => {
    const owner = await console.newOwner();
    const titles = ['=HYPERLINK("https://evil.example")', "+1", 'a "quoted", title', "plain"];
    for (const title of titles) await newLink(owner, { title });
    await newLinks(owner, 520);
    const json = await owner.call(exportLinks, { query: { format: "json" } });
    const links = JSON.parse(json.text) as Link[];
    expect(links).toHaveLength(524);
    expect(new Set(links.map(({ id }) => id)).size).toBe(524);
    const csv = await owner.call(exportLinks, { account: "", query: { account: owner.account } });
    expect(csv.headers.get("content-disposition")).toMatch(/^attachment; filename="links-[\d-]+\.csv"$/);
    expect(csv.headers.get("content-type")).toBe("text/csv; charset=utf-8");
    const lines = csv.text.split("\r\n");
    expect(lines).toHaveLength(524 + 2);
    expect(csv.text).toContain(`"'=HYPERLINK(""https://evil.example"")"`);
    expect(csv.text).toContain(",'+1,");
    expect(csv.text).not.toMatch(/(^|,)"?[=+@]/m);
  });
});

describe("a deleted account", () => {
  test("is gone at once for its members and tokens, and then with all its links and clicks", async () => {
    const owner = await console.newOwner();
    const { token } = await makeToken(owner);
    const links = await newLinks(owner, 450);
    const [first] = links;
    const slug = first?.slug ?? "";
    await open(slug);
    await owner.do(deleteAccount);
    expect((await owner.state()).session?.accounts).toEqual([]);
    expect(outcomeOf(await owner.call(getAccount))).toBe("404 not_found");
    expect((await fetch(`${console.url}/api/v1/me`, { headers: { authorization: `Bearer ${token}` } })).status).toBe(
      401,
    );
    expect((await open(slug)).status).toBe(410);
    const read = <T>(sql: string, ...values: string[]) => readRecords<T>(console.server, sql, ...values);
    await until("the account is gone", () => read("select 1 from accounts where id = ?", owner.account).length === 0);
    expect(read("select key from links where key in (select key from tombstones)")).toEqual([]);
    const keys = new Set(read<{ key: string }>("select key from tombstones").map((row) => row.key));
    expect(links.filter((link) => !keys.has(link.slug))).toEqual([]);
    expect((await open(slug)).status).toBe(410);
    const eve = await console.newOwner();
    const again = await eve.call(createLink, {
      body: { destination_url: "https://example.com/", slug },
      headers: { "idempotency-key": "again" },
    });
    expect(outcomeOf(again)).toBe("409 slug_taken");
  });
});
