import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import type { Kurz } from "#sdk/client.ts";
import type { LinksListQuery } from "#sdk/generated.ts";
import { type Api, errorOf, fieldErrorsOf, joinApi, newLink } from "#test/support/api-client.ts";
import { until } from "#test/support/until.ts";

const PATH = "/api/v1/links";

let api: Api;

beforeAll(async () => {
  api = await joinApi();
});
afterAll(() => api.stop());

/** The titles of matching links, in alphabetical order. */
const found = async (kurz: Kurz, query: LinksListQuery): Promise<string[]> =>
  (await kurz.links.list(query)).data.map(({ title }) => title ?? "").toSorted();

const refused = async (query: string): Promise<string[]> => {
  const { token } = await api.newCaller();
  return fieldErrorsOf(errorOf(await api.call({ path: `${PATH}?${query}`, token })));
};

describe("state", () => {
  test("selects any of the named states, or all", async () => {
    const { kurz } = await api.newCaller();
    await newLink(kurz, { title: "active" });
    await kurz.links.pause((await newLink(kurz, { title: "paused" })).id);
    await kurz.links.archive((await newLink(kurz, { title: "archived" })).id);
    expect(await found(kurz, {})).toEqual(["active", "paused"]);
    for (const state of ["active", "paused", "archived"] as const) {
      expect(await found(kurz, { state: [state] })).toEqual([state]);
    }
    expect(await found(kurz, { state: ["archived", "active"] })).toEqual(["active", "archived"]);
    expect(await found(kurz, { state: ["all"] })).toEqual(["active", "archived", "paused"]);
    expect(await found(kurz, { state: ["paused", "all"] })).toEqual(["active", "archived", "paused"]);
  });

  test("accepts no other value", async () => {
    expect(await refused("state=erased")).toEqual(["query state.0 not_in_enum"]);
    expect(await refused("state=deleted&state=active")).toEqual(["query state not_in_enum"]);
    expect(await refused("state=all&state=deleted")).toEqual(["query state not_in_enum"]);
    expect(await refused("state=active,paused")).toEqual(["query state.0 not_in_enum"]);
    expect(await refused("state=active&state=")).toEqual(["query state.1 not_in_enum"]);
  });
});

describe("tag", () => {
  test("selects links with all the given tags, ignoring case and composition", async () => {
    const { kurz } = await api.newCaller();
    await newLink(kurz, { title: "both", tags: ["Spring", "Caf\u00e9"] });
    await newLink(kurz, { title: "one", tags: ["spring"] });
    await newLink(kurz, { title: "longer", tags: ["springtime"] });
    expect(await found(kurz, { tag: ["SPRING"] })).toEqual(["both", "one"]);
    expect(await found(kurz, { tag: ["spring", "cafe\u0301"] })).toEqual(["both"]);
    expect(await found(kurz, { tag: ["spring", "spring"] })).toEqual(["both", "one"]);
    expect(await found(kurz, { tag: ["spr%", "spring"] })).toEqual([]);
  });

  test("finds every tag that a link can have", async () => {
    const { kurz } = await api.newCaller();
    for (const tag of ["🏷".repeat(50), "a,b", "a b", "100%", "a_b", "'", '"', "a&b=c#d+e", "ß", "ΑΣ"]) {
      const { id } = await newLink(kurz, { title: tag, tags: [tag] });
      expect(await found(kurz, { tag: [tag] })).toEqual([tag]);
      await kurz.links.delete(id);
    }
  });

  test("reflects changed tags", async () => {
    const { kurz } = await api.newCaller();
    const { id } = await newLink(kurz, { title: "a", tags: ["old"] });
    await kurz.links.update(id, { tags: ["new"] });
    expect(await found(kurz, { tag: ["old"] })).toEqual([]);
    expect(await found(kurz, { tag: ["new"] })).toEqual(["a"]);
  });

  test("is empty for links without tags, and selects any of several if asked to", async () => {
    const { kurz } = await api.newCaller();
    await newLink(kurz, { title: "both", tags: ["a", "b"] });
    await newLink(kurz, { title: "one", tags: ["b"] });
    await newLink(kurz, { title: "other", tags: ["c"] });
    await newLink(kurz, { title: "none" });
    expect(await found(kurz, { tag: [""] })).toEqual(["none"]);
    expect(await found(kurz, { tag: ["", "a"] })).toEqual([]);
    expect(await found(kurz, { tag: ["", "a"], tag_mode: "any" })).toEqual(["both", "none"]);
    expect(await found(kurz, { tag: ["A", "b", "a"], tag_mode: "any" })).toEqual(["both", "one"]);
    expect(await found(kurz, { tag: ["a", "b"], tag_mode: "all" })).toEqual(["both"]);
    expect(await found(kurz, { tag_mode: "any" })).toEqual(["both", "none", "one", "other"]);
    expect(await kurz.links.count({ tag: ["", "c"], tag_mode: "any" })).toEqual({ count: 2, at_least: false });
    expect(await refused("tag=a&tag_mode=none")).toEqual(["query tag_mode not_in_enum"]);
  });
});

describe("q", () => {
  test("finds any part of the slug, the title or the destination, ignoring case", async () => {
    const { kurz } = await api.newCaller();
    await newLink(kurz, {
      title: "Großer Räumungsverkauf",
      slug: "q-first",
      destination_url: "https://example.com/Sommer?x=1",
    });
    await newLink(kurz, { title: "other", slug: "q-other" });
    for (const q of ["großer", "RÄUMUNG", "ungsver", "q-firs", "Q-FIRST", "sommer?X=1", "Ra\u0308umung"]) {
      expect([q, await found(kurz, { q })]).toEqual([q, ["Großer Räumungsverkauf"]]);
    }
    expect(await found(kurz, { q: "q-" + "o" })).toEqual(["other"]);
    expect(await found(kurz, { q: "nowhere" })).toEqual([]);
  });

  test("finds notes and external ids, also those that are set later", async () => {
    const { kurz } = await api.newCaller();
    await newLink(kurz, { title: "noted", notes: "Ask\nNora" });
    await newLink(kurz, { title: "known", external_id: "Order/4711" });
    const { id } = await newLink(kurz, { title: "late" });
    expect(await found(kurz, { q: "order/47" })).toEqual(["known"]);
    await kurz.links.update(id, { external_id: "ORDER/4712" });
    expect(await found(kurz, { q: "order/47" })).toEqual(["known", "late"]);
    expect(await found(kurz, { q: "nora" })).toEqual(["noted"]);
  });

  test("finds the link that a short URL belongs to, and what mentions it", async () => {
    const { kurz, account } = await api.newCaller();
    const stranger = await api.newCaller();
    const host = "search.acme.example";
    await api.operator.vouchFor(account, host);
    const onInstance = await newLink(kurz, { title: "on the instance", slug: "pasted" });
    const onOwn = await newLink(kurz, { title: "on its own", slug: "pasted", domain: host });
    const { hostname, port } = new URL(onInstance.short_url);
    const searched = async (q: string) => [q, await found(kurz, { q })];
    for (const q of [
      onInstance.short_url,
      onInstance.short_url.toUpperCase(),
      ` ${onInstance.short_url}?qr=1#x`,
      `https://${hostname}/pasted+`,
      `${hostname}:${port}/Pasted/deeper`,
    ]) {
      expect(await searched(q)).toEqual([q, ["on the instance"]]);
    }
    for (const q of [onOwn.short_url, `https://${host}/PASTED`, `${host}/pasted?ref=x`]) {
      expect(await searched(q)).toEqual([q, ["on its own"]]);
    }
    for (const q of [`${host}/paste`, `other.example/pasted`, `https://${onInstance.domain}/`, "/pasted"]) {
      expect(await searched(q)).toEqual([q, []]);
    }
    expect(await found(kurz, { q: onOwn.short_url, domain: onInstance.domain })).toEqual([]);
    expect(await found(kurz, { q: onOwn.short_url, state: ["archived"] })).toEqual([]);
    for (const { short_url } of [onInstance, onOwn]) {
      expect(await found(stranger.kurz, { q: short_url })).toEqual([]);
    }
    await newLink(kurz, { title: "mentions it", notes: `Like ${onOwn.short_url}` });
    expect(await found(kurz, { q: onOwn.short_url })).toEqual(["mentions it", "on its own"]);
  });

  test("treats every character literally", async () => {
    const { kurz } = await api.newCaller();
    const titles = [
      "100% off",
      "100 x off",
      "a_b_c",
      "axbxc",
      "back\\slash",
      'say "hi" now',
      "it's",
      "a*b*c",
      "(x OR y)",
      "x:y-z",
    ];
    for (const title of titles) await newLink(kurz, { title });
    for (const [q, expected] of [
      ["100%", ["100% off"]],
      ["0% o", ["100% off"]],
      ["%%%", []],
      ["a_b", ["a_b_c"]],
      ["___", []],
      ["k\\s", ["back\\slash"]],
      ['"hi"', ['say "hi" now']],
      ["t's", ["it's"]],
      ["a*b", ["a*b*c"]],
      ["x OR y", ["(x OR y)"]],
      ["x:y-z", ["x:y-z"]],
      ["NOT", []],
      ["NEAR(a b)", []],
      ["'; drop table links;--", []],
    ] as const) {
      expect([q, await found(kurz, { q })]).toEqual([q, [...expected]]);
    }
  });

  test("doesn't match across fields", async () => {
    const { kurz } = await api.newCaller();
    await newLink(kurz, { slug: "edge-slug", title: "edge title" });
    expect(await found(kurz, { q: "slug\nedge" })).toEqual([]);
  });

  test("may contain any character without breaking the search", async () => {
    const { token, kurz } = await api.newCaller();
    await newLink(kurz, { title: "x" });
    for (const q of [
      "%00%00%00",
      "a%00b",
      "%F0%9F%94%97%F0%9F%94%97%F0%9F%94%97",
      "%EF%BF%BF%EF%BF%BF%EF%BF%BF",
      "%0A%0D%09",
    ]) {
      const { status } = await api.call({ path: `${PATH}?q=${q}`, token });
      expect([q, [200, 422].includes(status)]).toEqual([q, true]);
    }
  });

  test("reflects a changed title and destination", async () => {
    const { kurz } = await api.newCaller();
    const { id } = await newLink(kurz, { title: "before", destination_url: "https://example.com/before" });
    await kurz.links.update(id, { title: "after", destination_url: "https://example.com/later" });
    expect(await found(kurz, { q: "before" })).toEqual([]);
    expect(await found(kurz, { q: "after" })).toEqual(["after"]);
    expect(await found(kurz, { q: "later" })).toEqual(["after"]);
  });

  test("has 3 to 500 characters, and an emoji counts as one", async () => {
    expect(await refused("q=ab")).toEqual(["query q too_short"]);
    expect(await refused("q=")).toEqual(["query q too_short"]);
    expect(await refused(`q=${"a".repeat(501)}`)).toEqual(["query q too_long"]);
    const { kurz } = await api.newCaller();
    expect(await found(kurz, { q: "🔗".repeat(500) })).toEqual([]);
    expect(await refused(`q=${encodeURIComponent("🔗🔗")}`)).toEqual(["query q too_short"]);
  });
});

describe("slug, domain and origin", () => {
  test("must match as a whole, ignoring case in addresses", async () => {
    const { kurz } = await api.newCaller();
    const link = await newLink(kurz, { title: "a", slug: "Exact-Slug" });
    await newLink(kurz, { title: "b", slug: "exact-slug-2" });
    expect(await found(kurz, { slug: "EXACT-slug" })).toEqual(["a"]);
    expect(await found(kurz, { slug: "exact" })).toEqual([]);
    expect(await found(kurz, { domain: link.domain })).toEqual(["a", "b"]);
    expect(await found(kurz, { domain: link.domain.toUpperCase() })).toEqual(["a", "b"]);
    expect(await found(kurz, { domain: "other.example" })).toEqual([]);
    expect(await found(kurz, { created_via: "api" })).toEqual(["a", "b"]);
    expect(await found(kurz, { created_via: "import" })).toEqual([]);
    expect(await refused("created_via=web")).toEqual(["query created_via not_in_enum"]);
  });
});

describe("expired and blocked", () => {
  test("select links that are, or those that aren't", async () => {
    const { kurz } = await api.newCaller();
    await newLink(kurz, { title: "never" });
    await newLink(kurz, { title: "later", expires_at: "2099-01-01T00:00:00Z" });
    const soon = await newLink(kurz, { title: "soon", expires_at: new Date(Date.now() + 2000).toISOString() });
    const bad = await newLink(kurz, { title: "bad" });
    expect((await api.server.kurz(["links", "block", bad.id, "--reason", "spam"])).code).toBe(0);
    await until("the link expires", async () => (await kurz.links.get(soon.id)).expired);
    expect(await found(kurz, { expired: true })).toEqual(["soon"]);
    expect(await found(kurz, { expired: false })).toEqual(["bad", "later", "never"]);
    expect(await found(kurz, { blocked: true })).toEqual(["bad"]);
    expect(await found(kurz, { blocked: false })).toEqual(["later", "never", "soon"]);
    expect(await found(kurz, { blocked: false, expired: false })).toEqual(["later", "never"]);
  });

  test("must be true or false", async () => {
    for (const value of ["1", "yes", "TRUE", ""]) {
      expect(await refused(`expired=${value}&blocked=${value}`)).toEqual(["query blocked type", "query expired type"]);
    }
  });
});

describe("created_after and created_before", () => {
  test("select from one instant up to, but excluding, another", async () => {
    const { kurz } = await api.newCaller();
    const first = await newLink(kurz, { title: "1" });
    await until("the clock moves on", () => Date.now() > Date.parse(first.created_at) + 2);
    const second = await newLink(kurz, { title: "2" });
    const at = second.created_at;
    expect(await found(kurz, { created_after: at })).toEqual(["2"]);
    expect(await found(kurz, { created_before: at })).toEqual(["1"]);
    expect(await found(kurz, { created_after: first.created_at, created_before: at })).toEqual(["1"]);
    const elsewhere = new Date(Date.parse(at) + 7_200_000).toISOString().replace("Z", "+02:00");
    expect(await found(kurz, { created_after: elsewhere })).toEqual(["2"]);
  });

  test("must be instants with an offset", async () => {
    for (const value of ["2026-01-01", "yesterday", "2026-01-01T00:00:00", "1767225600", ""]) {
      expect(await refused(`created_after=${value}`)).toEqual(["query created_after invalid_format"]);
    }
  });
});

test("filters combine, and apply from page to page", async () => {
  const { kurz } = await api.newCaller();
  for (let index = 0; index < 6; index += 1) {
    await newLink(kurz, { title: `sale ${index}`, tags: index % 2 === 0 ? ["even"] : ["odd"] });
  }
  const seen: string[] = [];
  for await (const { title } of kurz.links.all({ q: "sale", tag: ["even"], limit: 1, sort: "created_at" })) {
    seen.push(title ?? "");
  }
  expect(seen).toEqual(["sale 0", "sale 2", "sale 4"]);
});

test("all invalid parameters are listed in one answer", async () => {
  const query = "limit=0&sort=x&state=y&q=a&created_after=z&expired=2&nonsense=1&slug=a&slug=b";
  expect(await refused(query)).toEqual([
    "query created_after invalid_format",
    "query expired type",
    "query limit out_of_range",
    "query nonsense unknown_field",
    "query q too_short",
    "query slug duplicate_parameter",
    "query sort not_in_enum",
    "query state.0 not_in_enum",
  ]);
});
