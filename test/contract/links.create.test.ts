import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { SLUG_ALPHABET } from "#links/slug.ts";
import type { Link } from "#sdk/generated.ts";
import { type Api, errorFrom, errorOf, joinApi, newLink } from "#test/support/api-client.ts";

const PATH = "/api/v1/links";
const DESTINATION = "https://example.com/sale";

let api: Api;

beforeAll(async () => {
  api = await joinApi();
});
afterAll(() => api.stop());

describe("201", () => {
  test("returns the whole record, its location and its version", async () => {
    const { token, kurz } = await api.newCaller();
    const before = Date.now();
    const { status, headers, data } = await kurz.request("links.create", { body: { destination_url: DESTINATION } });
    expect(status).toBe(201);
    expect(headers.get("Location")).toBe(`/api/v1/links/${data.id}`);
    expect(headers.get("ETag")).toBe('"1"');
    expect(headers.has("Idempotent-Replayed")).toBe(false);
    const host = `localhost:${api.server.port}`;
    expect(data).toEqual({
      id: expect.stringMatching(/^lnk_[0-9a-hjkmnp-tv-z]{26}$/),
      short_url: `http://${host}/${data.slug}`,
      domain: host,
      slug: expect.stringMatching(new RegExp(`^[${SLUG_ALPHABET}]{8}$`)),
      destination_url: DESTINATION,
      title: null,
      tags: [],
      utm: {},
      state: "active",
      expires_at: null,
      expired: false,
      blocked: null,
      password_protected: false,
      max_clicks: null,
      exhausted: false,
      starts_at: null,
      scheduled: false,
      expired_url: null,
      rules: [],
      redirect_status: 302,
      forward_query: true,
      forward_path: false,
      preview: null,
      notes: null,
      external_id: null,
      metadata: {},
      click_count: 0,
      last_clicked_at: null,
      created_via: "api",
      version: 1,
      created_at: data.created_at,
      updated_at: data.created_at,
      paused_at: null,
      archived_at: null,
      deleted_at: null,
      erases_at: null,
    });
    expect(Date.parse(data.created_at)).toBeWithin(before, Date.now() + 1);
    const there = await api.call({ path: headers.get("Location") ?? "", token });
    expect(there.json).toEqual(data);
  });

  test("stores every field", async () => {
    const { kurz } = await api.newCaller();
    const expires_at = new Date(Date.now() + 86_400_000).toISOString();
    const utm = { utm_source: "a", utm_medium: "b", utm_campaign: "c", utm_term: "d", utm_content: "e" };
    const body = {
      destination_url: DESTINATION,
      slug: "My_Own-Slug",
      title: "Sale",
      tags: ["x", "y"],
      utm,
      expires_at,
    };
    const created = await kurz.links.create(body);
    expect(created).toMatchObject({ ...body, slug: "my_own-slug" });
    expect(await kurz.links.get(created.id)).toEqual(created);
  });

  test("accepts null for missing fields", async () => {
    const { token } = await api.newCaller();
    const json = { destination_url: DESTINATION, slug: null, title: null, tags: null, utm: null, expires_at: null };
    const all = await api.call({ method: "POST", path: PATH, token, json });
    expect(all.json).toMatchObject({ title: null, tags: [], utm: {}, expires_at: null });
    const utm = { utm_source: null, utm_medium: "email" };
    const one = await api.call({ method: "POST", path: PATH, token, json: { ...json, utm } });
    expect(one.json).toMatchObject({ utm: { utm_medium: "email" } });
  });

  test("stores the destination as browsers normalize it", async () => {
    const { kurz } = await api.newCaller();
    for (const [given, kept] of [
      ["https://example.com", "https://example.com/"],
      ["HTTP://EXAMPLE.com:80/a/../b?q=a b#c", "http://example.com/b?q=a%20b#c"],
      ["https://bücher.example/ü", "https://xn--bcher-kva.example/%C3%BC"],
      ["https://example.com./x", "https://example.com/x"],
      ["https://example.com:8443/?a=1&a=2&b=%2F+", "https://example.com:8443/?a=1&a=2&b=%2F+"],
    ] as const) {
      expect((await newLink(kurz, { destination_url: given })).destination_url).toBe(kept);
    }
  });

  test("trims and composes texts, and counts their length in characters", async () => {
    const { kurz } = await api.newCaller();
    const link = await newLink(kurz, {
      title: "  Cafe\u0301 \u00a0",
      tags: [" Spring ", "e\u0301", "SPRING", "\u00e9", "last"],
      utm: { utm_source: "  news  " },
    });
    expect(link).toMatchObject({ title: "Caf\u00e9", tags: ["Spring", "\u00e9", "last"], utm: { utm_source: "news" } });
    const longest = await newLink(kurz, {
      title: "🔗".repeat(255),
      tags: Array.from({ length: 20 }, (_, index) => "🏷".repeat(30) + "x".repeat(index + 1)),
      utm: { utm_term: "é".repeat(255) },
    });
    expect(longest.title).toBe("🔗".repeat(255));
    expect(longest.tags).toHaveLength(20);
    expect(await kurz.links.get(longest.id)).toEqual(longest);
  });

  test("returns texts unchanged, whatever they might mean elsewhere", async () => {
    const { kurz } = await api.newCaller();
    for (const title of [
      "<script>alert(1)</script>",
      "'; drop table links; --",
      "{{7*7}}",
      "=1+1",
      "\u202etxt",
      "\\n",
      "0",
    ]) {
      expect((await newLink(kurz, { title })).title).toBe(title);
    }
  });

  test("stores instants of any offset and precision as UTC with milliseconds", async () => {
    const { kurz } = await api.newCaller();
    const link = await newLink(kurz, { expires_at: "2099-12-31T23:59:59.123456+02:00" });
    expect(link).toMatchObject({ expires_at: "2099-12-31T21:59:59.123Z", expired: false });
  });

  test("uses the address of the deployment, whatever Host the request has", async () => {
    const { token } = await api.newCaller();
    const answer = await api.raw({
      method: "POST",
      target: PATH,
      token,
      headers: [
        ["Host", "evil.example"],
        ["X-Forwarded-Host", "evil.example"],
        ["Content-Type", "application/json"],
      ],
      body: JSON.stringify({ destination_url: DESTINATION }),
    });
    expect(answer.json).toMatchObject({ domain: `localhost:${api.server.port}` });
    expect(answer.text + answer.headers.get("Location")).not.toContain("evil");
  });

  test("accepts an expiry up to the last instant that can be written, in every time zone", async () => {
    const { token, kurz } = await api.newCaller();
    for (const expires_at of ["9999-12-31T23:59:59.999Z", "9999-12-31T23:59:59-01:00", "9999-12-31T23:59:59+01:00"]) {
      const json = { destination_url: DESTINATION, expires_at };
      const { status } = await api.call({ method: "POST", path: PATH, token, json });
      expect([expires_at, [201, 422].includes(status)]).toEqual([expires_at, true]);
    }
    expect((await kurz.links.list()).data.length).toBeGreaterThan(0);
  });

  test("never changes a text silently: a lone surrogate is refused or kept", async () => {
    const { token } = await api.newCaller();
    const half = "a\ud800b";
    const json = { destination_url: DESTINATION, title: half, tags: [half], utm: { utm_source: half } };
    const answer = await api.call({ method: "POST", path: PATH, token, json });
    if (answer.status === 201) expect(answer.json).toMatchObject({ title: half, tags: [half], utm: json.utm });
    else expect([400, 422]).toContain(answer.status);
  });

  test("accepts the shortest and the longest slug, and generates a new one for each link", async () => {
    const { kurz } = await api.newCaller();
    for (const slug of ["x", "9", "a-b", "a_b", "A".repeat(64)]) {
      expect((await newLink(kurz, { slug })).slug).toBe(slug.toLowerCase());
    }
    const generated = await Promise.all(Array.from({ length: 50 }, () => newLink(kurz)));
    expect(new Set(generated.map(({ slug }) => slug)).size).toBe(50);
  });
});

describe("403", () => {
  test("of 20 parallel requests with room for one link, exactly one succeeds", async () => {
    const { token, kurz } = await api.newCaller({ plan: "trio" });
    await newLink(kurz);
    await newLink(kurz);
    const answers = await Promise.all(
      Array.from({ length: 20 }, () =>
        api.call({ method: "POST", path: PATH, token, json: { destination_url: DESTINATION } }),
      ),
    );
    const refused = answers.filter(({ status }) => status === 403);
    expect([answers.filter(({ status }) => status === 201).length, refused.length]).toEqual([1, 19]);
    for (const answer of refused) {
      expect(errorOf(answer)).toMatchObject({ code: "plan_limit", details: { feature: "active_links", limit: 3 } });
    }
    expect((await kurz.links.list()).data).toHaveLength(3);
    expect((await kurz.me.get()).plan.features.active_links).toEqual({ limit: 3, used: 3 });
  });

  test("there is room again once a link is paused, archived or deleted, but not after a refusal", async () => {
    const { kurz } = await api.newCaller({ plan: "single" });
    for (const leave of ["pause", "archive", "delete"] as const) {
      const { id } = await newLink(kurz);
      await errorFrom(newLink(kurz), "plan_limit");
      await kurz.links[leave](id);
    }
    await newLink(kurz);
    await errorFrom(newLink(kurz), "plan_limit");
  });

  test("a smaller plan stops no existing link, only new ones", async () => {
    const { account, kurz } = await api.newCaller();
    const links: Link[] = [await newLink(kurz), await newLink(kurz)];
    await api.operator.setPlan(account, "single");
    await errorFrom(newLink(kurz), "plan_limit");
    for (const { slug } of links) {
      const { status } = await fetch(`${api.server.url}/${slug}`, { redirect: "manual" });
      expect(status).toBe(302);
    }
  });
});

describe("409", () => {
  test("a slug belongs to one link, whatever its case or account", async () => {
    const { kurz } = await api.newCaller();
    const other = await api.newCaller();
    await newLink(kurz, { slug: "Taken-1" });
    for (const [caller, slug] of [
      [kurz, "taken-1"],
      [other.kurz, "TAKEN-1"],
    ] as const) {
      const { details } = await errorFrom(newLink(caller, { slug }), "slug_taken");
      expect(details).toEqual({ slug: "taken-1" });
    }
  });

  test("of 20 parallel requests for one slug, exactly one succeeds", async () => {
    const { kurz } = await api.newCaller();
    const results = await Promise.allSettled(Array.from({ length: 20 }, () => newLink(kurz, { slug: "wanted" })));
    expect(results.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
  });
});
