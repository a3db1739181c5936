import { beforeAll, expect, test } from "bun:test";
import fc from "fast-check";
import { addCounts } from "#clicks/ingestion/ingestion.store.ts";
import type { Link } from "#contract/link-record.ts";
import { type LinkQuery, type LinkSort, linkSorts } from "#contract/links.ts";
import type { Records } from "#engines/records/records.ts";
import type { Caller } from "#kernel/caller.ts";
import type { LinkService } from "#links/links.service.ts";
import { createTestLink, linkQuery, testLinkService } from "#test/support/test-links.ts";
import { newTestCaller } from "#test/support/test-records.ts";

const TITLES = [null, "beta", "Alpha", "alpha", "Ärger", "zulu", "ALPHA", "100%", null, "🌷 spring", "Zulu"];
const TAGS = ["news", "Spring", "b2b"];
const LONG = `https://example.com/${"a".repeat(6000)}`;
const DESTINATIONS = ["https://example.com/one", "https://example.com/two", LONG, `${LONG}b`];

/** Lists in both directions, by every sort and filter that has an index of its own. */
export function listConformance(recordsOf: () => Records): void {
  let links: LinkService;
  let caller: Caller;
  let all: Link[];

  beforeAll(async () => {
    const records = recordsOf();
    let now = Date.UTC(2026, 0, 1);
    links = testLinkService(records, () => now);
    caller = await newTestCaller(records);
    const stranger = await newTestCaller(records);
    for (let count = 0; count < 66; count += 1) {
      now += count % 3 === 0 ? 0 : 1000;
      const body = {
        destination_url: DESTINATIONS[count % DESTINATIONS.length] ?? "",
        title: TITLES[count % TITLES.length] ?? null,
        tags: TAGS.filter((_, index) => (count >> index) % 2 === 0),
      };
      const { id } = await createTestLink(links, caller, body);
      const query = records.read.selectFrom("links").select("no").where("id", "=", id);
      const { no } = await query.executeTakeFirstOrThrow();
      await records.write((tx) =>
        addCounts(tx, [{ no, clicks: (count * 7) % 5, lastAt: now + ((count * 11) % 13) * 1000 }]),
      );
      if (count % 4 === 1) await links.act(caller, id, "pause", null);
      if (count % 4 === 2) await links.act(caller, id, "archive", null);
      if (count % 10 === 9) await links.delete(caller, id, null);
      await createTestLink(links, stranger, body);
    }
    all = [];
    for (const state of ["all", "deleted"] as const) {
      all.push(...(await links.list(caller, linkQuery({ state: [state], sort: "created_at", limit: 100 }))).data);
    }
    expect(all).toHaveLength(66);
  });

  const keyOf = (link: Link, sort: LinkSort): string | number => {
    const column = sort.replace("-", "") as "created_at" | "updated_at" | "click_count" | "last_clicked_at" | "title";
    const value = link[column] ?? "";
    // By bytes of UTF-8, without the case of ASCII letters.
    if (column === "title") return Buffer.from(String(value).replace(/[A-Z]/g, (a) => a.toLowerCase())).toString("hex");
    return value;
  };

  const hasTags = ({ tags }: Link, { tag: wanted, tag_mode }: LinkQuery): boolean => {
    if (wanted.length === 0) return true;
    const own = tags.map((tag) => tag.toLowerCase());
    const has = (tag: string) => (tag === "" ? own.length === 0 : own.includes(tag.toLowerCase()));
    return tag_mode === "all" ? wanted.every(has) : wanted.some(has);
  };

  const expected = (query: LinkQuery): string[] => {
    const wanted = query.state ?? ["active", "paused"];
    const matching = all.filter(
      (link) =>
        (wanted.includes(link.state) || (wanted.includes("all") && link.state !== "deleted")) &&
        hasTags(link, query) &&
        (query.destination_url === undefined || link.destination_url === query.destination_url),
    );
    // Ids are drawn in the order of creation.
    const ids = matching
      .toSorted((a, b) => {
        const [left, right] = [keyOf(a, query.sort), keyOf(b, query.sort)];
        if (left !== right) return left < right ? -1 : 1;
        return a.id < b.id ? -1 : 1;
      })
      .map(({ id }) => id);
    return query.sort.startsWith("-") ? ids.toReversed() : ids;
  };

  /** Pages to the end, and back to the start. */
  const pageThrough = async (query: LinkQuery) => {
    const there: string[][] = [];
    const back: string[][] = [];
    let page = await links.list(caller, query);
    expect(page.previous_cursor).toBe(null);
    for (;;) {
      there.push(page.data.map(({ id }) => id));
      expect(page.has_more).toBe(page.next_cursor !== null);
      if (page.next_cursor === null) break;
      page = await links.list(caller, { ...query, cursor: page.next_cursor });
    }
    while (page.previous_cursor !== null) {
      page = await links.list(caller, { ...query, before: page.previous_cursor });
      expect(page.next_cursor).not.toBe(null);
      back.unshift(page.data.map(({ id }) => id));
    }
    return { there, back };
  };

  test("every list can be paged to its end and back, by each sort and filter, and so many links are counted", async () => {
    const queries = fc.record({
      limit: fc.integer({ min: 1, max: 30 }),
      sort: fc.constantFrom(...linkSorts),
      state: fc.constantFrom(["active", "paused"], ["all"], ["archived"], ["deleted"], undefined),
      tag: fc.subarray(["news", "SPRING", "none", ""], { maxLength: 3 }),
      tag_mode: fc.constantFrom("all", "any"),
      destination_url: fc.option(fc.constantFrom(...DESTINATIONS, "https://example.com/none"), { nil: undefined }),
    });
    await fc.assert(
      fc.asyncProperty(queries, async (partial) => {
        const query = linkQuery(JSON.parse(JSON.stringify(partial)) as Partial<LinkQuery>);
        const ids = expected(query);
        const { there, back } = await pageThrough(query);
        expect(there.flat()).toEqual(ids);
        expect(back).toEqual(there.slice(0, -1));
        expect(await links.count(caller, query)).toEqual({ count: ids.length, at_least: false });
      }),
      { numRuns: Number(process.env.RUNS ?? 60) },
    );
  });
}
