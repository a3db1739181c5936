import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import fc from "fast-check";
import { apply as applyMergePatch } from "json-merge-patch";
import { sql } from "kysely";
import { utmKeys } from "#contract/limits.ts";
import { type Link, LinkPatch } from "#contract/link-record.ts";
import { linkActions } from "#contract/links.ts";
import { Replayed } from "#http/route.ts";
import { ApiError } from "#kernel/api-error.ts";
import type { Caller } from "#kernel/caller.ts";
import { createTestLink, linkQuery, testLinkService } from "#test/support/test-links.ts";
import { newTestCaller, openTestRecords, type TestRecords } from "#test/support/test-records.ts";
import type { LinkService } from "./links.service.ts";

let store: TestRecords;
let links: LinkService;
let now = Date.UTC(2026, 0, 2, 3, 4, 5, 678);

beforeAll(() => {
  store = openTestRecords();
  links = testLinkService(store.records, () => now);
});
afterAll(() => store.close());

const codeOf = async (work: Promise<unknown>): Promise<string> =>
  work.then(
    () => "no error",
    (error: unknown) => (error instanceof ApiError ? error.code : String(error)),
  );

const activeLinks = async ({ accountNo }: Caller): Promise<number> => {
  const query = store.records.read.selectFrom("accounts").select("active_links").where("no", "=", accountNo);
  return (await query.executeTakeFirstOrThrow()).active_links;
};

describe("creating", () => {
  test("a new link has all fields", async () => {
    const caller = await newTestCaller(store.records);
    const link = await createTestLink(links, caller, {
      destination_url: "https://EXAMPLE.com",
      slug: "Spring-Sale",
      title: "Spring sale",
      tags: ["Spring", "email", "spring"],
      utm: { utm_medium: "email", utm_source: "newsletter", utm_term: null },
    });
    expect(link).toEqual({
      id: link.id,
      short_url: "https://s.example/spring-sale",
      domain: "s.example",
      slug: "spring-sale",
      destination_url: "https://example.com/",
      title: "Spring sale",
      tags: ["Spring", "email"],
      utm: { utm_source: "newsletter", utm_medium: "email" },
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
      created_at: "2026-01-02T03:04:05.678Z",
      updated_at: "2026-01-02T03:04:05.678Z",
      paused_at: null,
      archived_at: null,
      deleted_at: null,
      erases_at: null,
    });
  });

  test("a slug can be used once, whatever its case, and never again after deletion", async () => {
    const caller = await newTestCaller(store.records);
    const link = await createTestLink(links, caller, { slug: "taken-once" });
    expect(await codeOf(createTestLink(links, caller, { slug: "TAKEN-once" }))).toBe("slug_taken");
    await links.delete(caller, link.id, null);
    expect(await codeOf(createTestLink(links, caller, { slug: "taken-once" }))).toBe("slug_taken");
    expect(await activeLinks(caller)).toBe(0);
  });

  test("a generated slug gets a ninth character when five of eight are taken in a row", async () => {
    const crowded = openTestRecords();
    const caller = await newTestCaller(crowded.records);
    const service = testLinkService(crowded.records);
    expect((await createTestLink(service, caller)).slug).toHaveLength(8);
    await crowded.records.write((tx) =>
      sql`create trigger taken before insert on links when length(new.key) = 8 begin select raise(ignore); end`.execute(
        tx,
      ),
    );
    expect((await createTestLink(service, caller)).slug).toHaveLength(9);
    await crowded.close();
  });

  test("one below the limit, twenty concurrent creates produce one link", async () => {
    const caller = await newTestCaller(store.records, { active_links: 1 });
    const codes = await Promise.all(Array.from({ length: 20 }, () => codeOf(createTestLink(links, caller))));
    expect(codes.filter((code) => code === "no error")).toHaveLength(1);
    expect(codes.filter((code) => code === "plan_limit")).toHaveLength(19);
    expect(await activeLinks(caller)).toBe(1);
  });

  test("a key creates one link, rejects another body and can be reused after a day", async () => {
    const caller = await newTestCaller(store.records);
    const body = { destination_url: "https://example.com/" };
    const key = { operation: "links.create", key: "k", fingerprint: "one" };
    const results = await Promise.all(Array.from({ length: 50 }, () => links.create(caller, body, key)));
    const values = results.map((result) =>
      result instanceof Replayed ? (JSON.parse(result.json) as Link) : (result as Link),
    );
    expect(new Set(values.map(({ id }) => id)).size).toBe(1);
    expect(results.filter((result) => !(result instanceof Replayed))).toHaveLength(1);
    expect(await codeOf(links.create(caller, body, { ...key, fingerprint: "two" }))).toBe("idempotency_key_reused");
    now += 24 * 3_600_000 + 1000;
    expect(await links.create(caller, body, key)).not.toBeInstanceOf(Replayed);
    expect(await activeLinks(caller)).toBe(2);
  });

  test("a failed create releases its key", async () => {
    const caller = await newTestCaller(store.records, { active_links: 0 });
    const key = { operation: "links.create", key: "retry", fingerprint: "one" };
    expect(await codeOf(links.create(caller, { destination_url: "https://example.com/" }, key))).toBe("plan_limit");
    const richer = { ...caller, plan: { ...caller.plan, active_links: 1 } };
    expect(await links.create(richer, { destination_url: "https://example.com/" }, key)).toMatchObject({ version: 1 });
  });
});

describe("changing", () => {
  test("a patch matches the RFC 7396 merge patch on the writable fields", async () => {
    const caller = await newTestCaller(store.records);
    const word = fc.stringMatching(/^[a-z]{1,8}$/);
    const nullable = <T>(value: fc.Arbitrary<T>) => fc.option(value, { nil: null });
    const utm = fc.record(Object.fromEntries(utmKeys.map((key) => [key, nullable(word)])), { requiredKeys: [] });
    const patches = fc.array(
      fc.record(
        {
          destination_url: word.map((path) => `https://example.com/${path}`),
          title: nullable(word),
          tags: nullable(fc.uniqueArray(word, { maxLength: 4 })),
          utm: nullable(utm),
          expires_at: nullable(fc.constant("2100-01-01T00:00:00.000Z")),
        },
        { requiredKeys: [] },
      ),
      { maxLength: 6 },
    );
    await fc.assert(
      fc.asyncProperty(patches, async (steps) => {
        let link = await createTestLink(links, caller);
        for (const patch of steps) {
          const before = writable(link);
          const expected = { ...applyMergePatch(structuredClone(before), structuredClone(patch)) };
          // Our record always has all fields: what a merge patch removes is empty here.
          const shown = {
            ...expected,
            title: expected.title ?? null,
            tags: expected.tags ?? [],
            utm: expected.utm ?? {},
          };
          const after = await links.update(caller, link.id, LinkPatch.parse(patch), null);
          expect(writable(after) as unknown).toEqual({ ...shown, expires_at: expected.expires_at ?? null });
          const changed = JSON.stringify(sorted(writable(after))) !== JSON.stringify(sorted(before));
          expect(after.version).toBe(link.version + (changed ? 1 : 0));
          link = after;
        }
      }),
      { numRuns: 60 },
    );
  });

  test("random actions keep the record, the plan's count and the stored states consistent", async () => {
    const caller = await newTestCaller(store.records);
    await fc.assert(
      fc.asyncProperty(fc.array(fc.constantFrom(...linkActions), { maxLength: 12 }), async (actions) => {
        let link = await createTestLink(links, caller);
        for (const action of actions) {
          const archived = link.state === "archived";
          const code = await codeOf(links.act(caller, link.id, action, null));
          const refused = archived && (action === "pause" || action === "resume");
          expect(code).toBe(refused ? "invalid_state" : "no error");
          const after = await links.get(caller, link.id);
          const goal = { pause: "paused", resume: "active", archive: "archived", unarchive: null }[action];
          if (!refused && goal) expect(after.state).toBe(goal as Link["state"]);
          if (action === "unarchive") expect(after.state).not.toBe("archived");
          if (!archived)
            expect(after.paused_at !== null).toBe(
              after.state === "paused" || (link.state === "paused" && after.state === "archived"),
            );
          expect(after.archived_at !== null).toBe(after.state === "archived");
          expect(after.version).toBe(link.version + (after.state === link.state ? 0 : 1));
          link = after;
        }
        await links.delete(caller, link.id, null);
      }),
      { numRuns: 60 },
    );
    expect(await activeLinks(caller)).toBe(0);
  });

  test("a link paused before it was archived is paused again when unarchived", async () => {
    const caller = await newTestCaller(store.records);
    const { id } = await createTestLink(links, caller);
    await links.act(caller, id, "pause", null);
    const archived = await links.act(caller, id, "archive", null);
    expect(archived.paused_at).not.toBeNull();
    expect(await links.act(caller, id, "unarchive", null)).toMatchObject({ state: "paused", archived_at: null });
  });

  test("a stale version is rejected, the current one and * are accepted, weak tags never match", async () => {
    const caller = await newTestCaller(store.records);
    const { id } = await createTestLink(links, caller);
    await links.update(caller, id, { title: "two" }, ["1"]);
    expect(await codeOf(links.update(caller, id, { title: "three" }, ["1"]))).toBe("precondition_failed");
    expect(await codeOf(links.act(caller, id, "pause", []))).toBe("precondition_failed");
    expect((await links.update(caller, id, { title: "three" }, "*")).version).toBe(3);
  });

  test("another account's link looks like one that never existed", async () => {
    const [owner, other] = [await newTestCaller(store.records), await newTestCaller(store.records)];
    const { id } = await createTestLink(links, owner);
    for (const work of [
      links.get(other, id),
      links.update(other, id, { title: "mine" }, null),
      links.act(other, id, "pause", null),
      links.delete(other, id, null),
    ]) {
      expect(await codeOf(work)).toBe("not_found");
    }
    expect(await links.get(owner, id)).toMatchObject({ version: 1, state: "active" });
    expect((await links.list(other, linkQuery())).data).toEqual([]);
  });
});

const writable = ({ destination_url, title, tags, utm, expires_at }: Link) => ({
  destination_url,
  title,
  tags,
  utm,
  expires_at,
});

const sorted = <T extends object>(value: T) => Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1));
