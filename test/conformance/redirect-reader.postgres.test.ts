import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import type { Link } from "#contract/link-record.ts";
import { pruneChanges } from "#engines/records/changes.ts";
import { openPostgresRedirectReader } from "#engines/records/postgres/redirect-reader.ts";
import { findCopyProblem, inspectPostgres } from "#engines/records/postgres/server-facts.ts";
import { RecordsUnavailable } from "#engines/records/records.ts";
import type { RedirectReader, RedirectRow } from "#engines/records/redirect-reader.ts";
import type { Caller } from "#kernel/caller.ts";
import type { LinkService } from "#links/links.service.ts";
import { freePort } from "#test/support/free-port.ts";
import { ownKey } from "#test/support/own-key.ts";
import { sharedPostgres } from "#test/support/postgres-server.ts";
import { createTestLink, testLinkService } from "#test/support/test-links.ts";
import { newTestDatabase, openTestPostgres, type TestPostgres } from "#test/support/test-postgres.ts";
import { newTestCaller } from "#test/support/test-records.ts";
import { until } from "#test/support/until.ts";

setDefaultTimeout(600_000);

describe("what redirect processes read from PostgreSQL", () => {
  let store: TestPostgres;
  let reader: RedirectReader;
  let links: LinkService;
  let caller: Caller;
  beforeAll(async () => {
    store = await openTestPostgres(1);
    reader = openPostgresRedirectReader({ url: store.url, readUrl: null });
    links = testLinkService(store.nodes[0]);
    caller = await newTestCaller(store.nodes[0]);
  });
  afterAll(async () => {
    await reader.close();
    await store.close();
  });

  const rowOf = async (from: RedirectReader, slug: string, notBefore?: number): Promise<RedirectRow> =>
    (await from.find(ownKey(slug), notBefore)) as RedirectRow;

  test("links, deleted links and free slugs", async () => {
    const link = await createTestLink(links, caller, { slug: "known", utm: { utm_source: "mail" } });
    expect(await reader.find(ownKey("known"))).toMatchObject({
      account_no: caller.accountNo,
      destination_url: link.destination_url,
      utm: { utm_source: "mail" },
      state: "active",
      suspended: false,
      guarded: false,
      settings: null,
      expires_at: null,
    });
    await links.delete(caller, link.id, null);
    expect(await reader.find(ownKey("known"))).toBe("deleted");
    expect(await reader.find(ownKey("unknown"))).toBeNull();
  });

  test("a suspended account shows at once", async () => {
    await createTestLink(links, caller, { slug: "of-suspended" });
    const set = (suspended_at: number | null) =>
      store.nodes[0].write((tx) =>
        tx.updateTable("accounts").set({ suspended_at }).where("no", "=", caller.accountNo).execute(),
      );
    await set(1);
    expect((await rowOf(reader, "of-suspended")).suspended).toBe(true);
    await set(null);
    expect((await rowOf(reader, "of-suspended")).suspended).toBe(false);
  });

  test("changes since a number, in order, until they are pruned", async () => {
    const before = await reader.lastSeq();
    await reader.hasForeignCommit();
    expect(await reader.hasForeignCommit()).toBe(false);
    for (const slug of ["first", "second"]) await createTestLink(links, caller, { slug });
    expect(await reader.hasForeignCommit()).toBe(true);
    expect(await reader.changesSince(before)).toEqual([
      { seq: before + 1, key: ownKey("first") },
      { seq: before + 2, key: ownKey("second") },
    ]);
    expect(await reader.changesSince(before + 2)).toEqual([]);
    expect(await reader.changesSince(before + 3)).toBe("gap");
    await store.nodes[0].write((tx) => pruneChanges(tx, 100, 1));
    expect(await reader.changesSince(before)).toBe("gap");
  });

  test("which changes a link includes", async () => {
    await createTestLink(links, caller, { slug: "numbered" });
    const seq = await reader.lastSeq();
    expect(await reader.findAsOf(ownKey("numbered"))).toMatchObject({ found: { state: "active" }, seq });
    expect(await reader.findAsOf(ownKey("nosuch"))).toEqual({ found: null, seq });
  });

  test("changes that a writer committed without numbering them", async () => {
    const before = await reader.lastSeq();
    const server = await sharedPostgres();
    await server.administer("insert into unnumbered_changes (key, at) values ('left', 0)", store.database);
    // It may include the change, but nobody can tell yet.
    expect(await reader.findAsOf(ownKey("left"))).toMatchObject({ seq: before });
    expect(await reader.changesSince(before)).toEqual([{ seq: before + 1, key: ownKey("left") }]);
  });

  describe("with a copy for look-ups", () => {
    let link: Link;
    let copied: RedirectReader;
    let copiedSeq: number;
    beforeAll(async () => {
      link = await createTestLink(links, caller, { slug: "copied", title: "Old" });
      copiedSeq = await reader.lastSeq();
      const server = await sharedPostgres();
      // A copy can only be made while nobody is connected, which the pools are again afterwards.
      await server.administer(
        `select pg_terminate_backend(pid) from pg_stat_activity where datname = '${store.database}'`,
      );
      const copy = await server.newDatabase(store.database);
      copied = openPostgresRedirectReader({ url: store.url, readUrl: server.urlOf(copy) });
      await retry(() => links.update(caller, link.id, { title: "New" }, null));
    });
    afterAll(() => copied.close());

    test("a copy that has come far enough answers", async () => {
      // On a busy machine it may take longer than visitors wait for a copy, and is left alone for a while.
      let answer = await copied.findAsOf(ownKey("copied"), copiedSeq);
      await until("it answers", async () => {
        answer = await copied.findAsOf(ownKey("copied"), copiedSeq);
        return (answer.found as RedirectRow).title === "Old";
      });
      expect(answer.seq).toBe(copiedSeq);
    });

    test("a copy that lags behind what the cache knows is not used", async () => {
      expect((await rowOf(copied, "copied", copiedSeq + 1)).title).toBe("New");
    });

    test("a database of another installation isn't taken for a copy", async () => {
      const { url } = await newTestDatabase();
      const server = await sharedPostgres();
      await server.administer("update migrations set applied_at = applied_at + 1", new URL(url).pathname.slice(1));
      const place = { url: store.url, readUrl: url };
      await expect(findCopyProblem(place)).rejects.toThrow("DATABASE_READ_URL is a database of another installation");
      expect((await inspectPostgres(place, 2)).copy).toMatchObject({ isSameInstallation: false });
    });

    test("a copy that can't be used is reported, without its password", async () => {
      const readUrl = store.url.replace(/:[^:@]+@/, ":a-wrong-one@");
      const problem = await findCopyProblem({ url: store.url, readUrl });
      expect(problem).toMatch(/^DATABASE_READ_URL: .*password authentication failed/);
      expect(problem).not.toContain("a-wrong-one");
      expect(await findCopyProblem({ url: store.url, readUrl: store.url })).toBeNull();
    });

    test("without the copy, look-ups go to the server itself", async () => {
      const server = await sharedPostgres();
      const readUrl = server.urlOf("gone").replace(String(server.port), String(freePort()));
      const alone = openPostgresRedirectReader({ url: store.url, readUrl });
      expect((await rowOf(alone, "copied")).title).toBe("New");
      await alone.close();
    });
  });

  test("an unreachable server is unavailable, and no link is missing", async () => {
    const away = openPostgresRedirectReader({ url: `postgres://kurz@127.0.0.1:${freePort()}/kurz`, readUrl: null });
    await expect(away.find(ownKey("known"))).rejects.toBeInstanceOf(RecordsUnavailable);
    await expect(away.changesSince(0)).rejects.toBeInstanceOf(RecordsUnavailable);
    await away.close();
  });
});

/** The first use after connections were ended fails. */
async function retry<T>(work: () => Promise<T>): Promise<T> {
  for (let attempt = 0; attempt < 20; attempt += 1) {
    try {
      return await work();
    } catch (error) {
      if (!(error instanceof RecordsUnavailable)) throw error;
    }
  }
  return work();
}
