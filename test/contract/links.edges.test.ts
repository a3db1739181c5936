import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import type { Kurz } from "#sdk/client.ts";
import type { LinkCreate } from "#sdk/generated.ts";
import { type Api, errorFrom, errorOf, fieldErrorsOf, joinApi, newLink, outcomeOf } from "#test/support/api-client.ts";

const PATH = "/api/v1/links";

let api: Api;

beforeAll(async () => {
  api = await joinApi();
});
afterAll(() => api.stop());

const refused = async (query: string): Promise<string[]> => {
  const { token } = await api.newCaller();
  return fieldErrorsOf(errorOf(await api.call({ path: `${PATH}?${query}`, token })));
};

describe("a look-up", () => {
  test("by slug or external id finds links in every state but the trash, unless a state is named", async () => {
    const { kurz } = await api.newCaller();
    const { id, slug } = await newLink(kurz, { external_id: "looked-up" });
    const found = async (query: object) => (await kurz.links.list(query)).data.map((link) => link.id);
    for (const change of ["pause", "archive"] as const) {
      await kurz.links[change](id);
      for (const query of [{ slug }, { external_id: "looked-up" }, { slug, external_id: "looked-up" }]) {
        expect([change, await found(query)]).toEqual([change, [id]]);
        expect(await kurz.links.count(query)).toEqual({ count: 1, at_least: false });
      }
    }
    expect(await found({ slug, state: ["active"] })).toEqual([]);
    expect(await found({})).toEqual([]);
    await kurz.links.delete(id);
    expect(await found({ slug })).toEqual([]);
    expect(await found({ slug, state: ["deleted"] })).toEqual([id]);
  });

  test("by destination finds every spelling of it, and nothing that only begins like it", async () => {
    const { kurz } = await api.newCaller();
    const made = await newLink(kurz, { destination_url: "https://Exact.example" });
    await newLink(kurz, { destination_url: "https://exact.example/a" });
    const long = `https://exact.example/${"x".repeat(7000)}`;
    const longer = await newLink(kurz, { destination_url: `${long}y` });
    await newLink(kurz, { destination_url: `${long}z` });
    for (const [destination_url, ids] of [
      ["https://exact.example/", [made.id]],
      ["HTTPS://EXACT.example", [made.id]],
      [`${long}y`, [longer.id]],
      ["https://exact.example/A", []],
      ["not a url", []],
    ] as const) {
      expect((await kurz.links.list({ destination_url })).data.map(({ id }) => id)).toEqual([...ids]);
      expect((await kurz.links.count({ destination_url })).count).toBe(ids.length);
    }
    const other = await api.newCaller();
    expect((await other.kurz.links.list({ destination_url: made.destination_url })).data).toEqual([]);
    expect(await refused("destination_url=")).toEqual(["query destination_url too_short"]);
  });

  test("by text takes up to 500 characters", async () => {
    const { kurz } = await api.newCaller();
    const text = "n".repeat(500);
    const { id } = await newLink(kurz, { notes: `${text}!` });
    expect((await kurz.links.list({ q: text })).data.map((link) => link.id)).toEqual([id]);
    expect(await refused(`q=${text}n`)).toEqual(["query q too_long"]);
  });
});

describe("a page", () => {
  test("can be followed to the one before, by cursor and by the Link header", async () => {
    const { kurz, token } = await api.newCaller();
    const slugs: string[] = [];
    for (let count = 0; count < 7; count += 1) slugs.unshift((await newLink(kurz)).slug);
    const first = await api.call({ path: `${PATH}?limit=3`, token });
    expect(first.headers.get("Link")).toMatch(/^<[^>]*>; rel="next"$/);
    const cursor = (first.json as { next_cursor: string }).next_cursor;
    const second = await api.call({ path: `${PATH}?limit=3&cursor=${cursor}`, token });
    const previous = /<(\/api\/v1\/links\?[^>]*)>; rel="prev"/.exec(second.headers.get("Link") ?? "")?.[1] ?? "";
    expect(previous).not.toContain("cursor=");
    const back = await api.call({ path: previous, token });
    expect((back.json as { data: unknown }).data).toEqual((first.json as { data: unknown }).data);
    expect(back.json).toMatchObject({ has_more: true, previous_cursor: null });
    const { previous_cursor } = await kurz.links.list({ limit: 2, cursor });
    const before = await kurz.links.list({ limit: 2, before: previous_cursor ?? "" });
    expect(before.data.map(({ slug }) => slug)).toEqual(slugs.slice(1, 3));
    expect(before.previous_cursor).not.toBe(null);
    expect(await refused("before=x")).toEqual(["query before invalid_cursor"]);
    const both = await api.call({ path: `${PATH}?limit=2&cursor=${cursor}&before=${previous_cursor}`, token });
    expect(fieldErrorsOf(errorOf(both))).toEqual(["query before invalid_cursor"]);
    const otherSort = await api.call({ path: `${PATH}?limit=2&before=${previous_cursor}&sort=title`, token });
    expect(fieldErrorsOf(errorOf(otherSort))).toEqual(["query before invalid_cursor"]);
  });

  test("sorts by title and by clicks in both directions", async () => {
    const { kurz } = await api.newCaller();
    for (const title of ["banana", "Apple", null, "cherry"]) await newLink(kurz, { title });
    const titles = async (sort: "title" | "-title" | "click_count") =>
      (await kurz.links.list({ sort })).data.map(({ title }) => title);
    expect(await titles("title")).toEqual([null, "Apple", "banana", "cherry"]);
    expect(await titles("-title")).toEqual(["cherry", "banana", "Apple", null]);
    expect(await titles("click_count")).toEqual(["banana", "Apple", null, "cherry"]);
  });

  test("has only the fields that are asked for", async () => {
    const { kurz, token } = await api.newCaller();
    const { id, slug, title } = await newLink(kurz, { title: "Only this" });
    await newLink(kurz);
    const page = await kurz.links.list({ fields: ["title", "id"], sort: "created_at", limit: 1 });
    expect(page.data).toEqual([{ id, title }]);
    // What is shown may change along the way.
    const next = await kurz.links.list({ fields: ["slug"], sort: "created_at", cursor: page.next_cursor ?? "" });
    expect(Object.keys(next.data[0] ?? {})).toEqual(["slug"]);
    const slugs: string[] = [];
    for await (const link of kurz.links.all({ fields: ["slug"], limit: 1 })) slugs.push(link.slug);
    expect(slugs).toContain(slug);
    const answer = await api.call({ path: `${PATH}?fields=slug&fields=destinationUrl`, token });
    expect(fieldErrorsOf(errorOf(answer))).toEqual(["query fields.1 not_in_enum"]);
  });
});

describe("find_existing", () => {
  const body: LinkCreate = {
    destination_url: "https://found.example/page",
    utm: { utm_source: "mail" },
    rules: [{ name: "de", when: { country: ["DE"] }, destination_url: "https://found.example/de" }],
  };
  const create = async (token: string, changed: object) =>
    api.call({ method: "POST", path: PATH, token, json: { ...body, find_existing: true, ...changed } });

  test("returns the newest active link that does the same, and creates one otherwise", async () => {
    const { token, kurz } = await api.newCaller();
    const first = await create(token, { title: "first" });
    expect(first.status).toBe(201);
    const again = await create(token, { title: "another title", tags: ["x"], notes: "n", metadata: { a: "1" } });
    expect([again.status, again.json]).toEqual([200, first.json]);
    const { id, version } = first.json as { id: string; version: number };
    expect(again.headers.get("ETag")).toBe(`"${version}"`);
    expect(again.headers.get("Location")).toBe(`${PATH}/${id}`);

    const newer = await kurz.links.create(body);
    expect((await create(token, {})).json).toEqual(newer);
    await kurz.links.pause(newer.id);
    expect((await create(token, {})).json).toEqual(first.json);
    await kurz.links.delete(newer.id);
    for (const other of [
      { destination_url: "https://found.example/other" },
      { utm: { utm_source: "chat" } },
      { utm: null },
      { rules: [] },
      { redirect_status: 307 },
      { forward_path: true },
      { max_clicks: 5 },
      { expires_at: "2099-01-01T00:00:00Z" },
      { password: "secret" },
      { slug: "found-other" },
      { external_id: "found-other" },
    ]) {
      expect([other, (await create(token, other)).status]).toEqual([other, 201]);
    }
    expect((await create(token, { password: "secret" })).status).toBe(201);
    expect((await create(token, { slug: "found-other" })).status).toBe(200);
    expect((await create(token, { external_id: "found-other" })).status).toBe(200);
    expect(outcomeOf(await create(token, { slug: "found-other", utm: null }))).toBe("409 slug_taken");
    const stranger = await api.newCaller();
    expect((await create(stranger.token, {})).status).toBe(201);
  });

  test("keeps to the domain", async () => {
    const { token, account } = await api.newCaller();
    await api.operator.vouchFor(account, "found.acme.example");
    const own = await create(token, {});
    const there = await create(token, { domain: "found.acme.example" });
    expect([own.status, there.status]).toEqual([201, 201]);
    expect((await create(token, { domain: "found.acme.example" })).json).toEqual(there.json);
  });

  test("finds one however its settings were made, but none that is blocked or used up", async () => {
    const { token, kurz } = await api.newCaller();
    const made = await newLink(kurz, { destination_url: "https://found.example/set", forward_path: true });
    await kurz.links.update(made.id, { redirect_status: 307, forward_query: false });
    const wanted = {
      destination_url: "https://found.example/set",
      utm: null,
      rules: null,
      redirect_status: 307,
      forward_query: false,
      forward_path: true,
    };
    expect((await create(token, wanted)).json).toMatchObject({ id: made.id });
    await api.operator.block(made.id);
    expect((await create(token, wanted)).status).toBe(201);
  });

  test("is exact when many ask at once, and a retry with the same key gets the same answer", async () => {
    const { token } = await api.newCaller();
    const answers = await Promise.all(Array.from({ length: 20 }, () => create(token, {})));
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(1);
    expect(new Set(answers.map(({ json }) => (json as { id: string }).id)).size).toBe(1);
    const send = () =>
      api.call({
        method: "POST",
        path: PATH,
        token,
        json: { ...body, find_existing: true },
        headers: { "Idempotency-Key": "found" },
      });
    const [one, two] = [await send(), await send()];
    expect([one.status, two.status, two.text]).toEqual([200, 200, one.text]);
    expect(two.headers.get("Idempotent-Replayed")).toBe("true");
  });

  test("finds the one among hundreds with the same destination", async () => {
    const { token, kurz } = await api.newCaller();
    const first = await create(token, {});
    const { destination_url } = body;
    for (let count = 0; count < 450; count += 50) {
      await Promise.all(Array.from({ length: 50 }, () => newLink(kurz, { destination_url })));
    }
    expect((await create(token, {})).json).toEqual(first.json);
    expect((await create(token, { utm: { utm_source: "none" } })).status).toBe(201);
  });
});

describe("metadata", () => {
  const patched = async (kurz: Kurz, id: string, metadata: Record<string, string | null> | null) =>
    (await kurz.links.update(id, { metadata })).metadata;

  test("is merged by key, shown in every answer, and kept in the trash", async () => {
    const { kurz } = await api.newCaller();
    expect((await newLink(kurz)).metadata).toEqual({});
    const { id } = await newLink(kurz, { metadata: { campaign: "42", Größe: " groß\nund klein " } });
    expect((await kurz.links.get(id)).metadata).toEqual({ campaign: "42", Größe: "groß\nund klein" });
    expect(await patched(kurz, id, { campaign: "43", owner: "ada" })).toEqual({
      Größe: "groß\nund klein",
      campaign: "43",
      owner: "ada",
    });
    expect(await patched(kurz, id, { Größe: null, missing: null })).toEqual({ campaign: "43", owner: "ada" });
    const { version } = await kurz.links.update(id, { metadata: { owner: "ada" } });
    expect(version).toBe(3);
    expect((await kurz.links.list()).data.find((link) => link.id === id)?.metadata).toEqual({
      campaign: "43",
      owner: "ada",
    });
    await kurz.links.delete(id);
    expect((await kurz.links.restore(id)).metadata).toEqual({ campaign: "43", owner: "ada" });
    expect(await patched(kurz, id, null)).toEqual({});
  });

  test("has up to 20 pairs, with keys of 40 and values of 500 characters", async () => {
    const { kurz } = await api.newCaller();
    const pairs = (count: number, from = 0) =>
      Object.fromEntries(Array.from({ length: count }, (_, at) => [`k${at + from}`, "v"]));
    const { id } = await newLink(kurz, { metadata: { ...pairs(19), [`é${"k".repeat(39)}`]: "🌷".repeat(500) } });
    const problems = async (metadata: unknown) =>
      fieldErrorsOf(await errorFrom(kurz.links.update(id, { metadata } as never), "validation_failed"));
    expect(await problems({ one: "more" })).toEqual(["body metadata too_long"]);
    expect(await problems(pairs(21))).toEqual(["body metadata too_long"]);
    expect(await patched(kurz, id, { k0: null, one: "more" })).toHaveProperty("one", "more");
    expect(await problems({ k1: "v".repeat(501) })).toEqual(["body metadata.k1 too_long"]);
    expect(await problems({ k1: "" })).toEqual(["body metadata.k1 too_short"]);
    expect(await problems({ k1: 7 })).toEqual(["body metadata.k1 type"]);
    expect(await problems({ k1: { deep: "v" } })).toEqual(["body metadata.k1 type"]);
    expect(await problems([])).toEqual(["body metadata type"]);
    for (const key of ["k".repeat(41), "", "a\u0000b"]) {
      expect((await problems({ [key]: "v" })).length).toBe(1);
    }
  });
});
