import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import fc from "fast-check";
import { type RecordedFields, recordedFields } from "#contract/link-history.ts";
import type { Link } from "#contract/link-record.ts";
import type { Records } from "#engines/records/records.ts";
import { ApiError } from "#kernel/api-error.ts";
import type { Caller } from "#kernel/caller.ts";
import { deleteAccountLinks } from "#links/delete-account-links.ts";
import { eraseOldTrash } from "#links/erase-trash.ts";
import { linkBlocking } from "#links/link-blocking.service.ts";
import type { LinkService } from "#links/links.service.ts";
import { openOutbox } from "#outbox/outbox.service.ts";
import { type LinkStep, someLink, someStep } from "#test/support/random-link-changes.ts";
import { createTestLink, testLinkService } from "#test/support/test-links.ts";
import { newTestCaller } from "#test/support/test-records.ts";

interface Opened {
  readonly records: Records;
  close(): Promise<void>;
}

const AT_ONCE = 50;
const MONTH_MS = 31 * 86_400_000;

/** What every records engine guarantees of histories. */
export function linkHistoryConformance(name: string, histories: number, open: () => Promise<Opened>): void {
  describe(`the history of links on ${name}`, () => {
    let opened: Opened;
    let records: Records;
    let links: LinkService;
    let caller: Caller;

    beforeAll(async () => {
      opened = await open();
      records = opened.records;
      links = testLinkService(records);
      caller = await newTestCaller(records);
    });
    afterAll(() => opened.close());

    const step = async (id: string, what: LinkStep): Promise<void> => {
      try {
        if (what.do === "update") await links.update(caller, id, what.patch, null);
        else if (what.do === "delete") await links.delete(caller, id, null);
        else if (what.do === "restore") await links.restore(caller, id, null);
        else await links.act(caller, id, what.do, null);
      } catch (error) {
        // Not in this state; nothing happens then.
        if (!(error instanceof ApiError && error.code === "invalid_state")) throw error;
      }
    };

    const versionsOf = async (id: string, limit = 100) => {
      const versions = [];
      for (let cursor: string | undefined; ; ) {
        const page = await links.history(caller, id, { limit, ...(cursor !== undefined && { cursor }) });
        versions.push(...page.data);
        expect(page.has_more).toBe(page.next_cursor !== null);
        if (page.next_cursor === null) return versions;
        cursor = page.next_cursor;
      }
    };

    const countRows = async (): Promise<number> =>
      (await records.read.selectFrom("link_versions").select("version").execute()).length;

    /** Random changes, and the link after each. */
    const newHistory = async (first: Parameters<typeof createTestLink>[2], steps: readonly LinkStep[]) => {
      const link = await createTestLink(links, caller, first ?? {});
      const known = new Map([[1, link]]);
      for (const what of steps) {
        await step(link.id, what);
        const now = await links.get(caller, link.id);
        known.set(now.version, now);
      }
      return { id: link.id, known };
    };

    test(`each version of ${histories} random histories says what changed, and can be reverted to`, async () => {
      const someHistory = fc.tuple(someLink, fc.array(someStep, { minLength: 1, maxLength: 12 }));
      const seed = Number(process.env.SEED ?? Date.now());
      const all = fc.sample(someHistory, { numRuns: histories, seed });
      const check = async ([first, steps]: (typeof all)[number]): Promise<void> => {
        const { id, known } = await newHistory(first, steps);
        const versions = await versionsOf(id, 3);
        expect(versions.map(({ version }) => version)).toEqual([...known.keys()].toReversed());
        for (const { version, action, before, after } of versions) {
          const [earlier, later] = [known.get(version - 1), known.get(version)];
          if (!later) throw new Error(`version ${version} was never seen`);
          expect([version, pick(later, Object.keys(after))]).toEqual([version, after]);
          if (!earlier) expect(action).toBe("created");
          else expect(changesOf(earlier, later)).toEqual({ before, after });
        }
        await step(id, { do: "restore" });
        for (const [version, then] of known) {
          const now = await links.get(caller, id);
          const reverted = await links.revert(caller, id, version, null);
          expect([version, writableOf(reverted)]).toEqual([version, writableOf(then)]);
          expect(reverted.state).toBe(now.state);
        }
      };
      try {
        for (let at = 0; at < all.length; at += AT_ONCE) await Promise.all(all.slice(at, at + AT_ONCE).map(check));
      } catch (error) {
        throw new Error(`with SEED=${seed}`, { cause: error });
      }
    });

    test("a version among hundreds is found, also before and after one that is kept whole", async () => {
      const { id } = await createTestLink(links, caller, { title: "v1", notes: "first" });
      for (let version = 2; version <= 120; version += 1) {
        await links.update(caller, id, { title: `v${version}`, ...(version === 60 && { notes: "later" }) }, null);
      }
      for (const version of [1, 2, 48, 49, 50, 51, 59, 60, 99, 100, 119]) {
        const { title, notes } = await links.revert(caller, id, version, null);
        expect([title, notes]).toEqual([`v${version}`, version < 60 ? "first" : "later"]);
      }
    });

    test("blocks are part of it, with who decided", async () => {
      const { id } = await createTestLink(links, caller);
      const deps = { clock: Date.now, outbox: openOutbox(), origin: { scheme: "https:", domain: "s.example" } };
      const blocking = linkBlocking({ records, ownHosts: ["s.example"], ...deps });
      await blocking.block(id, "phishing");
      await blocking.unblock(id);
      const [unblocked, blocked] = await versionsOf(id);
      expect(blocked).toMatchObject({ version: 2, action: "blocked", by: { type: "operator" }, via: "command" });
      expect(blocked).toMatchObject({ before: { blocked: null }, after: { blocked: { reason: "phishing" } } });
      expect(unblocked).toMatchObject({ version: 3, action: "unblocked", after: { blocked: null } });
    });

    test("a link that is blocked as it leaves the trash has a version for either", async () => {
      const { id } = await createTestLink(links, caller, { title: "one" });
      await links.delete(caller, id, null);
      const strict = testLinkService(records, Date.now, { blockReasonOf: () => "spam" });
      const { version } = await strict.restore(caller, id, null);
      expect(version).toBe(4);
      const versions = await versionsOf(id);
      expect(versions.map(({ action, after }) => [action, Object.keys(after)])).toEqual([
        ["restored", ["state"]],
        ["blocked", ["blocked"]],
        ["deleted", ["state"]],
        ["created", ["destination_url", "title"]],
      ]);
    });

    test("passwords are never in it, and stay when a link is reverted", async () => {
      const { id } = await createTestLink(links, caller, { title: "one", password: "first secret" });
      await links.update(caller, id, { password: "second secret", title: "two" }, null);
      await links.update(caller, id, { password: null }, null);
      await links.update(caller, id, { password: "third secret" }, null);
      const versions = await versionsOf(id);
      expect(versions.map(({ before, after }) => [before.password_protected, after.password_protected])).toEqual([
        [false, true],
        [true, false],
        [true, true],
        // Before it was created, it had no fields.
        [undefined, true],
      ]);
      const rows = await records.read.selectFrom("link_versions").select(["before", "after"]).execute();
      expect(JSON.stringify([rows, versions])).not.toMatch(/secret|argon2/);
      const hash = () => records.read.selectFrom("links").select("password_hash").where("id", "=", id).execute();
      const before = await hash();
      for (const version of [1, 2, 3]) {
        expect((await links.revert(caller, id, version, null)).password_protected).toBe(true);
        expect(await hash()).toEqual(before);
      }
    });

    test("a link that is older than histories begins with what it was before its first change", async () => {
      const { id } = await createTestLink(links, caller, { title: "then" });
      await links.update(caller, id, { title: "now" }, null);
      await records.write(async (tx) => {
        await tx.deleteFrom("link_versions").execute();
        await tx.updateTable("links").set({ created_by: null }).where("id", "=", id).execute();
      });
      expect(await versionsOf(id)).toMatchObject([{ version: 2, action: "unknown", at: null, by: null, via: null }]);
      await links.update(caller, id, { title: "next" }, null);
      const [changed, base, ...rest] = await versionsOf(id);
      expect(changed).toMatchObject({ version: 3, before: { title: "now" }, after: { title: "next" } });
      expect([base?.version, base?.action, rest]).toEqual([2, "unknown", []]);
      expect((await links.revert(caller, id, 2, null)).title).toBe("now");
      await expect(links.revert(caller, id, 1, null)).rejects.toThrow("Version 1 isn't in the history");
      // The audit log knows who created those that never changed.
      const old = await createTestLink(links, caller);
      await records.write((tx) => tx.updateTable("links").set({ created_by: null }).where("id", "=", old.id).execute());
      expect((await versionsOf(old.id))[0]?.by).toEqual({ type: "token", id: "test", name: null });
    });

    test("it goes with the link: erased at once, from the trash, after 30 days, and with the account", async () => {
      const before = await countRows();
      const newChanged = async () => {
        const { id } = await createTestLink(links, caller);
        await links.update(caller, id, { title: "x" }, null);
        return id;
      };
      const ids = [await newChanged(), await newChanged(), await newChanged()] as const;
      const kept = await newChanged();
      await links.delete(caller, ids[0], null, { permanent: true });
      await links.delete(caller, ids[1], null);
      await links.delete(caller, ids[1], null, { permanent: true });
      await links.delete(caller, ids[2], null);
      expect(await countRows()).toBe(before + 3);
      await records.write((tx) => eraseOldTrash(tx, Date.now() + MONTH_MS, 100));
      expect(await countRows()).toBe(before + 1);
      expect(await versionsOf(kept)).toHaveLength(2);

      const leaving = await newTestCaller(records);
      const gone = await createTestLink(links, leaving);
      const deleted = await createTestLink(links, leaving);
      for (const { id } of [gone, deleted]) await links.update(leaving, id, { title: "x" }, null);
      await links.delete(leaving, deleted.id, null);
      expect(await countRows()).toBe(before + 4);
      await records.write((tx) => deleteAccountLinks(tx, leaving.accountNo, 100, 0));
      expect(await countRows()).toBe(before + 1);
    });
  });
}

const pick = (link: Link, names: readonly string[]): RecordedFields =>
  Object.fromEntries(names.map((name) => [name, link[name as keyof Link]]));

const writableOf = (link: Link) => {
  const { state: _, blocked: __, password_protected: ___, ...writable } = pick(link, recordedFields);
  return writable;
};

function changesOf(earlier: Link, later: Link): { before: RecordedFields; after: RecordedFields } {
  const changed = recordedFields.filter((field) => JSON.stringify(earlier[field]) !== JSON.stringify(later[field]));
  return { before: pick(earlier, changed), after: pick(later, changed) };
}
