import { afterAll, beforeAll, expect, test } from "bun:test";
import fc from "fast-check";
import { type Link, type LinkState, liveStates } from "#contract/link-record.ts";
import { type LinkQuery, linkSorts } from "#contract/links.ts";
import type { Caller } from "#kernel/caller.ts";
import { createTestLink, linkQuery, testLinkService } from "#test/support/test-links.ts";
import { newTestCaller, openTestRecords, type TestRecords } from "#test/support/test-records.ts";
import type { LinkService } from "./links.service.ts";

let store: TestRecords;
let links: LinkService;
let caller: Caller;
let all: Link[];
let now = Date.UTC(2026, 0, 1);

const words = ["sale", "Größe", "100%_off", "report", "ПРИВЕТ", 'quo"te'];
const tags = ["news", "Spring", "b2b"];

beforeAll(async () => {
  store = openTestRecords();
  links = testLinkService(store.records, () => now);
  caller = await newTestCaller(store.records);
  const stranger = await newTestCaller(store.records);
  for (let count = 0; count < 120; count += 1) {
    now += count % 3 === 0 ? 0 : 1000;
    const body = {
      destination_url: `https://example.com/${count % 7}/path`,
      title: `${words[count % words.length]} ${count}`,
      tags: tags.filter((_, index) => (count >> index) % 2 === 0),
      ...(count % 5 === 0 && { expires_at: new Date(now + 30_000).toISOString() }),
    };
    const { id } = await createTestLink(links, caller, body);
    if (count % 3 !== 0) await setClicks(id, (count * 7) % 5, now + ((count * 11) % 13) * 1000);
    if (count % 4 === 1) await links.act(caller, id, "pause", null);
    if (count % 4 === 2) await links.act(caller, id, "archive", null);
    await createTestLink(links, stranger, body);
  }
  all = (await collect(linkQuery({ state: ["all"], limit: 100 }))).toReversed();
});
afterAll(() => store.close());

const setClicks = (id: string, click_count: number, last_clicked_at: number) =>
  store.records.write((tx) =>
    tx
      .updateTable("link_counts")
      .set({ click_count, last_clicked_at })
      .where("link_no", "=", (eb) => eb.selectFrom("links").select("no").where("id", "=", id))
      .execute(),
  );

async function collect(query: LinkQuery): Promise<Link[]> {
  const found: Link[] = [];
  for (let cursor: string | undefined; ; ) {
    const page = await links.list(caller, cursor === undefined ? query : { ...query, cursor });
    found.push(...page.data);
    expect(page.data.length).toBeLessThanOrEqual(query.limit);
    if (page.next_cursor === null) return found;
    cursor = page.next_cursor;
  }
}

const foldAscii = (value: string | number) =>
  typeof value === "string" ? value.replace(/[A-Z]/g, (letter) => letter.toLowerCase()) : value;
const fold = (text: string) => text.normalize("NFC").toLowerCase();

function expected(query: LinkQuery): string[] {
  const states: readonly LinkState[] = (query.state ?? []).includes("all")
    ? liveStates
    : liveStates.filter((state) => (query.state ?? []).includes(state));
  const matching = all.filter(
    (link) =>
      states.includes(link.state) &&
      query.tag.every((tag) => link.tags.map(fold).includes(fold(tag))) &&
      (query.q === undefined ||
        [link.slug, link.title ?? "", link.destination_url].some((text) => fold(text).includes(fold(query.q ?? "")))) &&
      (query.expired === undefined || link.expired === query.expired) &&
      (query.created_after === undefined || link.created_at >= query.created_after) &&
      (query.created_before === undefined || link.created_at < query.created_before),
  );
  const key = query.sort.replace("-", "") as "created_at" | "updated_at" | "click_count" | "last_clicked_at" | "title";
  const order = (a: Link, b: Link) => {
    const [left, right] = [a, b].map((link) => foldAscii(link[key] ?? "")) as [string | number, string | number];
    if (left !== right) return left < right ? -1 : 1;
    return all.indexOf(a) - all.indexOf(b);
  };
  const ids = matching.toSorted(order).map(({ id }) => id);
  return query.sort.startsWith("-") ? ids.toReversed() : ids;
}

test("any sort, filter and page size returns exactly the matching links, in order, each once, and so many are counted", async () => {
  const optional = <T>(value: fc.Arbitrary<T>) => fc.option(value, { nil: undefined });
  const queries = fc.record({
    limit: fc.integer({ min: 1, max: 40 }),
    sort: fc.constantFrom(...linkSorts),
    state: fc.constantFrom(["active", "paused"] as const, ["all"] as const, ["archived"] as const, ["active"] as const),
    tag: fc.subarray(["news", "SPRING", "b2b", "none"], { maxLength: 2 }),
    q: optional(fc.constantFrom("sale", "größe", "GRÖSSE", "0%_", "%off", "привет", 'o"t', "example.com/3", "nothing")),
    expired: optional(fc.boolean()),
    created_after: optional(fc.constantFrom("2026-01-01T00:00:20.000Z")),
    created_before: optional(fc.constantFrom("2026-01-01T00:01:00.000Z")),
  });
  await fc.assert(
    fc.asyncProperty(queries, async (partial) => {
      const query = linkQuery(JSON.parse(JSON.stringify(partial)) as Partial<LinkQuery>);
      const ids = expected(query);
      expect((await collect(query)).map(({ id }) => id)).toEqual(ids);
      expect(await links.count(caller, query)).toEqual({ count: ids.length, at_least: false });
    }),
    { numRuns: 150 },
  );
});

test("links added while a client pages neither repeat nor hide an older one", async () => {
  const before = new Set(all.filter(({ state }) => state !== "archived").map(({ id }) => id));
  const query = linkQuery({ limit: 7 });
  const seen: string[] = [];
  for (let cursor: string | undefined; ; ) {
    const page = await links.list(caller, cursor === undefined ? query : { ...query, cursor });
    seen.push(...page.data.map(({ id }) => id));
    await createTestLink(links, caller);
    if (page.next_cursor === null) break;
    cursor = page.next_cursor;
  }
  expect(new Set(seen).size).toBe(seen.length);
  expect(before.difference(new Set(seen)).size).toBe(0);
});

test("a cursor only works with its own list, and a tampered one with none", async () => {
  const query = linkQuery({ limit: 5 });
  const { next_cursor } = await links.list(caller, query);
  const cursor = next_cursor ?? "";
  const refused = (changed: LinkQuery) =>
    expect(links.list(caller, changed)).rejects.toMatchObject({ code: "validation_failed" });
  await refused({ ...query, cursor, sort: "created_at" });
  await refused({ ...query, cursor, tag: ["news"] });
  for (const more of ["=", "!", " ", "."]) await refused({ ...query, cursor: cursor + more });
  await fc.assert(
    fc.asyncProperty(
      fc.nat({ max: cursor.length - 1 }),
      fc.constantFrom(..."ABCabc019-_+/=! "),
      async (place, character) => {
        const changed = cursor.slice(0, place) + character + cursor.slice(place + 1);
        fc.pre(changed !== cursor);
        await refused({ ...query, cursor: changed });
      },
    ),
  );
  await fc.assert(
    fc.asyncProperty(fc.string({ maxLength: 80 }), async (text) => {
      await refused({ ...query, cursor: text });
    }),
  );
  expect((await links.list(caller, { ...query, limit: 9, cursor })).data).toHaveLength(9);
});
