import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { sql } from "kysely";
import { addCounts } from "#clicks/ingestion/ingestion.store.ts";
import type { Link } from "#contract/link-record.ts";
import { afterCommit } from "#engines/records/after-commit.ts";
import { appendChange, pruneChanges } from "#engines/records/changes.ts";
import { type JsonPath, jsonText } from "#engines/records/json-text.ts";
import type { Records } from "#engines/records/records.ts";
import type { Caller } from "#kernel/caller.ts";
import { newId } from "#kernel/ids.ts";
import { ownKey } from "#test/support/own-key.ts";
import { createTestLink, linkQuery, testLinkService } from "#test/support/test-links.ts";
import { newTestCaller } from "#test/support/test-records.ts";
import { listConformance } from "./records.lists.ts";

interface Opened {
  readonly records: Records;
  close(): Promise<void>;
}

type Open = (onActionError: (error: unknown) => void) => Promise<Opened>;

/** What every records engine guarantees. */
export function recordsConformance(name: string, open: Open): void {
  describe(`records on ${name}`, () => {
    const followUpErrors: unknown[] = [];
    let opened: Opened;
    let records: Records;
    let caller: Caller;

    beforeAll(async () => {
      opened = await open((error) => followUpErrors.push(error));
      records = opened.records;
      caller = await newTestCaller(records);
    });
    afterAll(() => opened.close());

    const countChanges = async (slug: string): Promise<number> =>
      (await records.read.selectFrom("changes").select("seq").where("key", "=", ownKey(slug)).execute()).length;

    listConformance(() => records);

    test("a failed transaction leaves nothing behind", async () => {
      const failed = records.write(async (tx) => {
        await appendChange(tx, ownKey("rolled-back"), 1);
        throw new Error("no");
      });
      await expect(failed).rejects.toThrow("no");
      expect(await countChanges("rolled-back")).toBe(0);
    });

    test("a commit is visible to every handle at once", async () => {
      for (let round = 0; round < 50; round += 1) {
        const slug = `round-${round}`;
        await records.write((tx) => appendChange(tx, ownKey(slug), round));
        expect(await countChanges(slug)).toBe(1);
        const scanned = await records.scan
          .selectFrom("changes")
          .select("seq")
          .where("key", "=", ownKey(slug))
          .execute();
        expect(scanned).toHaveLength(1);
      }
    });

    test("concurrent transactions neither see nor overwrite each other", async () => {
      const before = await newTestCaller(records);
      const add = () =>
        records.write(async (tx) => {
          const account = tx.selectFrom("accounts").select("active_links").where("no", "=", before.accountNo);
          const { active_links } = await account.executeTakeFirstOrThrow();
          await Bun.sleep(0);
          const next = { active_links: active_links + 1 };
          await tx.updateTable("accounts").set(next).where("no", "=", before.accountNo).execute();
        });
      await Promise.all(Array.from({ length: 40 }, add));
      const after = records.read.selectFrom("accounts").select("active_links").where("no", "=", before.accountNo);
      expect((await after.executeTakeFirstOrThrow()).active_links).toBe(40);
    });

    test("a text is found within JSON, and JSON that no engine should have fails no query", async () => {
      const textIn = async (data: unknown, ...path: JsonPath): Promise<string | null> => {
        const body = JSON.stringify({ data });
        const event = { id: newId("evt"), account_no: caller.accountNo, type: "link.clicked", created_at: 1, body };
        await records.write((tx) => tx.insertInto("webhook_events").values(event).execute());
        const text = jsonText(records.scan, "webhook_events.body", path).as("text");
        const found = records.scan.selectFrom("webhook_events").select(text).where("id", "=", event.id);
        return (await found.executeTakeFirstOrThrow()).text;
      };
      const place = ["data", "clicks", 0, "link", "url"] as const;
      const url = "https://é.example/";
      expect(await textIn({ title: "🌷 \\ud", clicks: [{ link: { url } }] }, ...place)).toBe(url);
      expect(await textIn({ clicks: [] }, ...place)).toBeNull();
      expect(await textIn({ link: { url } }, ...place)).toBeNull();
      for (const odd of ["\u0000", "\ud800"]) {
        expect([url, null]).toContain(await textIn({ odd, clicks: [{ link: { url } }] }, ...place));
      }
    });

    test("the change log numbers commits in order", async () => {
      const keys = Array.from({ length: 30 }, (_, index) => ownKey(`ordered-${index}`));
      for (const key of keys) await records.write((tx) => appendChange(tx, key, 0));
      const rows = await records.read
        .selectFrom("changes")
        .select("key")
        .where("key", "like", ownKey("ordered-%"))
        .orderBy("seq")
        .execute();
      expect(rows.map(({ key }) => key)).toEqual(keys);
    });

    test("pruning keeps the newest changes", async () => {
      while ((await records.write((tx) => pruneChanges(tx, 7, 10))) > 0);
      expect(await countChanges("ordered-29")).toBe(1);
      expect(await countChanges("ordered-20")).toBe(1);
      expect(await countChanges("ordered-19")).toBe(0);
    });

    test("the text index finds a link by any part of it, only in its own account", async () => {
      const links = testLinkService(records);
      const stranger = await newTestCaller(records);
      const mine = await createTestLink(links, caller, { title: "Ångström & Söhne", slug: "needle-1" });
      await createTestLink(links, stranger, { title: "Ångström & Söhne", slug: "needle-2" });
      for (const q of ["ÅNGSTR", "söhne", "m & s", "needle", "example.com"]) {
        const { data } = await links.list(caller, linkQuery({ q }));
        expect(data.map(({ id }) => id)).toEqual([mine.id]);
      }
      await links.update(caller, mine.id, { title: "Renamed" }, null);
      expect((await links.list(caller, linkQuery({ q: "söhne" }))).data).toEqual([]);
      await links.delete(caller, mine.id, null);
      expect((await links.list(caller, linkQuery({ q: "renamed" }))).data).toEqual([]);
    });

    test("a deleted link comes back as it was, found by text and tag, with the clicks it got meanwhile", async () => {
      const links = testLinkService(records);
      const owner = await newTestCaller(records);
      const made = await createTestLink(links, owner, {
        title: "Reunion of Ångström",
        slug: "comes-back",
        tags: ["Café", 'a "quoted" one'],
        max_clicks: 9,
        password: "secret",
        notes: "Ask Ada",
        external_id: "crm-7",
        rules: [{ name: "ios", when: { os: ["iOS"] }, destination_url: "https://example.com/ios" }],
        utm: { utm_source: "mail" },
        expires_at: "2050-01-01T00:00:00.000Z",
      });
      // The text index takes links in batches: this one is to be in it.
      for (let count = 0; count < 40; count += 1) await createTestLink(links, owner);
      const { no } = await records.read
        .selectFrom("links")
        .select("no")
        .where("id", "=", made.id)
        .executeTakeFirstOrThrow();
      await records.write((tx) => addCounts(tx, [{ no, clicks: 3, lastAt: 1000 }]));
      await links.delete(owner, made.id, null);
      // A click on its way when the link was deleted.
      await records.write((tx) => addCounts(tx, [{ no, clicks: 2, lastAt: 2000 }]));

      const trash = (query: object) => links.list(owner, linkQuery({ state: ["deleted"], ...query }));
      for (const query of [
        {},
        { q: "ÅNGSTR" },
        { tag: ["CAFÉ"] },
        { tag: ['A "QUOTED" one'] },
        { slug: "Comes-Back" },
      ]) {
        expect([query, (await trash(query)).data.map(({ id }) => id)]).toEqual([query, [made.id]]);
      }
      for (const query of [
        { q: "nothing" },
        { tag: ["quoted"] },
        { tag: ["%"] },
        { slug: "other" },
        { expired: true },
      ]) {
        expect((await trash(query)).data).toEqual([]);
      }
      expect((await links.list(owner, linkQuery({ q: "reunion", state: ["all"] }))).data).toEqual([]);

      const restored = await links.restore(owner, made.id, null);
      expect(restored).toEqual({
        ...made,
        version: 3,
        updated_at: restored.updated_at,
        click_count: 5,
        last_clicked_at: "1970-01-01T00:00:02.000Z",
      });
      expect(await links.get(owner, made.id)).toEqual(restored);
      for (const query of [{ q: "ångstr" }, { tag: ["CAFÉ"] }, { tag: ['a "quoted" one'] }, { external_id: "crm-7" }]) {
        const { data } = await links.list(owner, linkQuery(query));
        expect([query, data.map(({ id }) => id)]).toEqual([query, [made.id]]);
      }
      expect((await trash({})).data).toEqual([]);
    });

    test("the trash is listed in every order, page by page", async () => {
      let now = Date.UTC(2026, 0, 1);
      const links = testLinkService(records, () => ++now);
      const owner = await newTestCaller(records);
      const made: Link[] = [];
      for (let count = 0; count < 7; count += 1) made.push(await createTestLink(links, owner));
      const { rows } = await sql<{
        no: number;
        id: string;
      }>`select no, id from links where account_no = ${owner.accountNo}`.execute(records.read);
      const order = [3, 0, 6, 2, 5, 1, 4].map((at) => made[at]?.id ?? "");
      for (const [at, id] of order.entries()) {
        const no = rows.find((row) => row.id === id)?.no ?? 0;
        await records.write((tx) => addCounts(tx, [{ no, clicks: at + 1, lastAt: 100 - at }]));
        await links.delete(owner, id, null);
      }
      const created = made.map(({ id }) => id);
      for (const [sort, expected] of [
        ["-created_at", created.toReversed()],
        ["created_at", created],
        ["-updated_at", order.toReversed()],
        ["updated_at", order],
        ["-click_count", order.toReversed()],
        ["-last_clicked_at", order],
      ] as const) {
        const found: string[] = [];
        for (let cursor: string | undefined; ; ) {
          const query = linkQuery({ state: ["deleted"], sort, limit: 2, ...(cursor && { cursor }) });
          const page = await links.list(owner, query);
          found.push(...page.data.map(({ id }) => id));
          if (page.next_cursor === null) break;
          cursor = page.next_cursor;
        }
        expect([sort, found]).toEqual([sort, [...expected]]);
      }
    });

    test("a search finds exactly the links with the text, once it knows which parts of texts are rare, too", async () => {
      const links = testLinkService(records);
      const owner = await newTestCaller(records);
      const codes = Array.from({ length: 120 }, (_, turn) => String(100_000 + turn * 7919).slice(-6));
      for (const code of codes) {
        await createTestLink(links, owner, { destination_url: `https://www.shop-${code}.example/100%25_off/${code}` });
      }
      const found = async (q: string) => (await links.list(owner, linkQuery({ q, limit: 100 }))).data;
      const wanted = codes.slice(0, 30);
      // The same twice: how common which parts are is found out while the first searches run.
      for (const code of [...wanted, ...wanted]) {
        const [link, ...others] = await found(`www.shop-${code}.example`);
        expect([link?.destination_url, others]).toEqual([expect.stringContaining(code), []]);
        expect(await found(`shop-${code}.example/100%25_off/9`)).toEqual([]);
        // Its parts are there, but not next to each other.
        expect(await found(`${code}.shop`)).toEqual([]);
      }
    });

    test("a NUL character counts as the replacement character, stored or looked for", async () => {
      for (const slug of ["nul-\u0000-in", "nul-in-\u0000"])
        await records.write((tx) => appendChange(tx, ownKey(slug), 0));
      const stored = records.read
        .selectFrom("changes")
        .select("key")
        .where("key", "like", ownKey("nul-%"))
        .orderBy("seq");
      expect(await stored.execute()).toEqual([{ key: ownKey("nul-\ufffd-in") }, { key: ownKey("nul-in-\ufffd") }]);
      for (const sql of [records.read, records.scan]) {
        const found = (slugs: string[]) =>
          sql.selectFrom("changes").select("seq").where("key", "in", slugs.map(ownKey)).execute();
        expect(await found(["nul-\u0000-in", "nul-\u0000"])).toHaveLength(1);
        expect(await found(["ordered-29\u0000"])).toHaveLength(0);
      }
    });

    test("whatever follows a commit and fails, neither its writer nor others notice", async () => {
      const failing = (slug: string) =>
        records.write(async (tx) => {
          await appendChange(tx, ownKey(slug), 0);
          afterCommit(tx, () => {
            throw new Error("no");
          });
        });
      await failing("followed-1");
      await Promise.all([failing("followed-2"), records.write((tx) => appendChange(tx, ownKey("followed-3"), 0))]);
      await records.write((tx) => appendChange(tx, ownKey("followed-4"), 0));
      for (const number of [1, 2, 3, 4]) expect(await countChanges(`followed-${number}`)).toBe(1);
      expect(followUpErrors.map(String)).toEqual(["Error: no", "Error: no"]);
    });

    test("a long read doesn't block the event loop", async () => {
      let iterations = 0;
      const timer = setInterval(() => {
        iterations += 1;
      }, 1);
      const counted = await sql<{ count: number }>`
        with recursive numbers (n) as (select 1 union all select n + 1 from numbers where n < 1000000)
        select count(*) as count from numbers
      `.execute(records.scan);
      clearInterval(timer);
      expect(Number(counted.rows[0]?.count)).toBe(1_000_000);
      expect(iterations).toBeGreaterThan(5);
    });
  });
}
