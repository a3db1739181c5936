import { expect, test } from "bun:test";
import { setImmediate } from "node:timers/promises";
import type { Link } from "#contract/link-record.ts";
import { localFailureLimits } from "#engines/coordination/local-failure-limits.ts";
import type { Records } from "#engines/records/records.ts";
import { Replayed } from "#http/route.ts";
import type { Caller } from "#kernel/caller.ts";
import { systemClock } from "#kernel/clock.ts";
import { parseBlocklist } from "#links/blocklist.ts";
import { deleteAccountLinks } from "#links/delete-account-links.ts";
import { eraseOldTrash } from "#links/erase-trash.ts";
import { linkBlocking } from "#links/link-blocking.service.ts";
import { linkGuards } from "#links/link-guards.service.ts";
import { TRASH_MS } from "#links/link-record.ts";
import { openOutbox } from "#outbox/outbox.service.ts";
import { createTestLink, testLinkService } from "#test/support/test-links.ts";
import { newTestCaller } from "#test/support/test-records.ts";
import { type ConcurrencyLab, codesOf, unwrap } from "./records.concurrency.lab.ts";

const ORIGIN = { scheme: "https:", domain: "s.example" } as const;
const AT_ONCE = 12;

/** What holds for links, whichever nodes write at the same time. */
export function concurrentLinks(lab: ConcurrencyLab): void {
  test("one idempotency key makes one link", async () => {
    const caller = await newTestCaller(lab.records);
    for (let round = 0; round < 10; round += 1) {
      const key = { operation: "createLink", key: `key-${round}`, fingerprint: "same" };
      const answers = await lab.atOnce(AT_ONCE, (node) =>
        testLinkService(node).create(caller, { destination_url: "https://example.com/" }, key),
      );
      const values = answers.map(unwrap);
      expect(values.filter((value) => !(value instanceof Replayed))).toHaveLength(1);
      const ids = values.map((value) => (value instanceof Replayed ? JSON.parse(value.json).id : (value as Link).id));
      expect(new Set(ids).size).toBe(1);
    }
    expect(await lab.countLinks(caller)).toBe(10);
  });

  test("a plan's limit of active links is exact", async () => {
    const caller = await newTestCaller(lab.records, { active_links: 5 });
    const answers = await lab.atOnce(30, (node) => createTestLink(testLinkService(node), caller));
    expect(codesOf(answers)).toEqual([...Array(5).fill("ok"), ...Array(25).fill("plan_limit")]);
    expect(await lab.countLinks(caller)).toBe(5);
    expect(await lab.countActive(caller)).toBe(5);
  });

  test("a link's limit of clicks is exact, while it is changed, too", async () => {
    const caller = await newTestCaller(lab.records);
    const guardsOf = (records: Records) =>
      linkGuards({
        records,
        failures: localFailureLimits(),
        clock: systemClock,
        outbox: openOutbox(),
        origin: ORIGIN,
      });
    for (let round = 0; round < 3; round += 1) {
      const { id } = await createTestLink(testLinkService(lab.records), caller, { max_clicks: 5 });
      const query = lab.records.read.selectFrom("links").select("no").where("id", "=", id);
      const { no: linkNo } = await query.executeTakeFirstOrThrow();
      const question = { linkNo, password: null, network: "", usesClick: true };
      const visitAtOnce = async (raisedTo: number | null): Promise<number> => {
        const answers = await lab.atOnce(30, async (node, turn): Promise<unknown> => {
          if (turn !== 0 || raisedTo === null) return (await guardsOf(node).open(question)).result;
          return testLinkService(node).update(caller, id, { max_clicks: raisedTo }, null);
        });
        return answers.map(unwrap).filter((answer) => answer === "open").length;
      };
      expect(await visitAtOnce(null)).toBe(5);
      const more = await visitAtOnce(8);
      expect(more).toBeLessThanOrEqual(3);
      expect(more + (await visitAtOnce(null))).toBe(3);
      expect(await testLinkService(lab.records).get(caller, id)).toMatchObject({ max_clicks: 8, exhausted: true });
    }
  });

  test("a slug goes to one link", async () => {
    const callers = await Promise.all(Array.from({ length: 4 }, () => newTestCaller(lab.records)));
    for (let round = 0; round < 5; round += 1) {
      const answers = await lab.atOnce(AT_ONCE, (node, turn) =>
        createTestLink(testLinkService(node), callers[turn % 4] as Caller, { slug: `wanted-${round}` }),
      );
      expect(codesOf(answers)).toEqual(["ok", ...Array(AT_ONCE - 1).fill("slug_taken")]);
    }
  });

  test("the slug of a link that is being deleted stays taken", async () => {
    const caller = await newTestCaller(lab.records);
    for (let round = 0; round < 10; round += 1) {
      const { id, slug } = await createTestLink(testLinkService(lab.records), caller, { slug: `fleeting-${round}` });
      const answers = await lab.atOnce(6, async (node, turn): Promise<unknown> => {
        const links = testLinkService(node);
        return turn === 0 ? links.delete(caller, id, null) : createTestLink(links, caller, { slug });
      });
      expect(codesOf(answers)).toEqual(["ok", ...Array(5).fill("slug_taken")]);
    }
    expect(await lab.countLinks(caller)).toBe(0);
    expect(await lab.countActive(caller)).toBe(0);
  });

  test("a link that is deleted, restored and erased at once ends in one place, counted right", async () => {
    const caller = await newTestCaller(lab.records);
    for (let round = 0; round < 10; round += 1) {
      const { id } = await createTestLink(testLinkService(lab.records), caller, { tags: ["One", "Two"] });
      const answers = await lab.atOnce(9, async (node, turn): Promise<unknown> => {
        const links = testLinkService(node);
        if (turn % 3 === 0) return links.delete(caller, id, null);
        if (turn % 3 === 1) return links.restore(caller, id, null);
        return turn === 8 && round % 2 === 0
          ? links.delete(caller, id, null, { permanent: true })
          : links.get(caller, id);
      });
      const isErased = round % 2 === 0;
      // What comes after the erasure finds nothing; before it, everything works.
      expect(codesOf(answers).filter((code) => code !== "ok" && !(isErased && code === "not_found"))).toEqual([]);
      const places = await placesOf(lab.records, id);
      if (isErased) expect(places).toEqual({ links: 0, trash: 0, tags: 0 });
      else
        expect([
          { links: 1, trash: 0, tags: 2 },
          { links: 0, trash: 1, tags: 0 },
        ]).toContainEqual(places);
    }
    expect(await lab.countActive(caller)).toBe(await lab.countLinks(caller));
  });

  test("a link is found at any moment while it moves to the trash and back", async () => {
    const caller = await newTestCaller(lab.records);
    const links = testLinkService(lab.records);
    const { id } = await createTestLink(links, caller);
    const lookOften = async () => {
      for (let look = 0; look < 20; look += 1) expect((await links.get(caller, id)).id).toBe(id);
    };
    for (let round = 0; round < 20; round += 1) {
      await Promise.all([links.delete(caller, id, null), lookOften(), lookOften()]);
      await Promise.all([links.restore(caller, id, null), lookOften(), lookOften()]);
    }
  });

  test("of a restored link's plan place and its slug, no one else gets either", async () => {
    const caller = await newTestCaller(lab.records, { active_links: 1 });
    for (let round = 0; round < 5; round += 1) {
      const { id, slug } = await createTestLink(testLinkService(lab.records), caller, { slug: `back-${round}` });
      await testLinkService(lab.records).delete(caller, id, null);
      const answers = await lab.atOnce(8, async (node, turn): Promise<unknown> => {
        const links = testLinkService(node);
        return turn % 2 === 0 ? links.restore(caller, id, null) : createTestLink(links, caller, { slug });
      });
      expect(codesOf(answers).filter((code) => code === "ok")).toHaveLength(4);
      expect(await lab.countActive(caller)).toBe(1);
      await testLinkService(lab.records).delete(caller, id, null, { permanent: true });
    }
  });

  const countOf = async (table: "deleted_links" | "click_erasures", { accountNo }: Caller): Promise<number> =>
    (await lab.records.read.selectFrom(table).select("account_no").where("account_no", "=", accountNo).execute())
      .length;

  test("old trash is erased once, by however many nodes, and not what is restored meanwhile", async () => {
    const caller = await newTestCaller(lab.records);
    const later = Date.now() + 2 * TRASH_MS;
    // What other tests have left.
    while ((await lab.records.write((tx) => eraseOldTrash(tx, later, 100))) > 0);
    const made: Link[] = [];
    for (let count = 0; count < 12; count += 1) made.push(await createTestLink(testLinkService(lab.records), caller));
    for (const { id } of made) await testLinkService(lab.records).delete(caller, id, null);
    const answers = await lab.atOnce(8, async (node, turn): Promise<number> => {
      if (turn % 2 === 0) return node.write((tx) => eraseOldTrash(tx, later, 5));
      const restored = await testLinkService(node)
        .restore(caller, made[turn]?.id ?? "", null)
        .catch(() => null);
      return restored ? 1 : 0;
    });
    const gone = answers.map(unwrap).reduce((sum, count) => sum + count, 0);
    const left = await countOf("deleted_links", caller);
    expect(gone + left).toBe(12);
    expect(await countOf("click_erasures", caller)).toBe(12 - left - (await lab.countLinks(caller)));
  });

  test("changes of one link neither overwrite each other nor get lost", async () => {
    const caller = await newTestCaller(lab.records);
    const { id } = await createTestLink(testLinkService(lab.records), caller);
    const answers = await lab.atOnce(AT_ONCE, (node, turn) =>
      testLinkService(node).update(caller, id, { title: `Title ${turn}` }, null),
    );
    expect(answers.map((answer) => unwrap(answer).version).sort((a, b) => a - b)).toEqual(
      Array.from({ length: AT_ONCE }, (_, index) => index + 2),
    );
  });

  test("a link that is paused and resumed by many is counted right", async () => {
    const caller = await newTestCaller(lab.records);
    const made: Link[] = [];
    for (let count = 0; count < 4; count += 1) made.push(await createTestLink(testLinkService(lab.records), caller));
    await lab.atOnce(24, (node, turn) => {
      const { id = "" } = made[turn % 4] ?? {};
      return testLinkService(node).act(caller, id, turn % 3 === 0 ? "resume" : "pause", null);
    });
    const active = await lab.linksOf(caller).where("state", "=", "active").execute();
    expect(await lab.countActive(caller)).toBe(active.length);
  });

  test("a block list blocks each link once, and none escapes it", async () => {
    const caller = await newTestCaller(lab.records);
    const blocklist = parseBlocklist("phishing bad.example\n");
    const blocking = lab.nodes.map((node) =>
      linkBlocking({ records: node, clock: systemClock, outbox: openOutbox(), origin: ORIGIN, ownHosts: [] }),
    );
    // Links that were checked against an older list, and are committed while the new one is applied.
    const created = lab.atOnce(30, (node) =>
      createTestLink(testLinkService(node), caller, { destination_url: "https://bad.example/" }),
    );
    // What hasn't begun to write yet will be checked against the new one.
    await setImmediate();
    const applied = await Promise.all(blocking.map((one) => one.applyBlocklist(blocklist)));
    const links = (await created).map(unwrap);
    expect(await lab.linksOf(caller).where("blocked_by", "is", null).execute()).toEqual([]);
    expect(applied.reduce((sum, { blocked }) => sum + blocked, 0)).toBe(links.length);
    for (const { id } of links) expect(await lab.auditOf("link.blocked", id)).toHaveLength(1);
  });

  test("an account's links are deleted once, by however many nodes", async () => {
    const caller = await newTestCaller(lab.records);
    for (let count = 0; count < 20; count += 1) await createTestLink(testLinkService(lab.records), caller);
    const answers = await lab.atOnce(4, async (node) => {
      let deleted = 0;
      for (;;) {
        const some = await node.write((tx) => deleteAccountLinks(tx, caller.accountNo, 3, 1));
        if (some === 0) return deleted;
        deleted += some;
      }
    });
    expect(answers.map(unwrap).reduce((sum, deleted) => sum + deleted, 0)).toBe(20);
    expect(await lab.countLinks(caller)).toBe(0);
  });
}

/** How many rows of a link are in each table. */
async function placesOf(records: Records, id: string): Promise<Record<"links" | "trash" | "tags", number>> {
  const links = await records.read.selectFrom("links").select("no").where("id", "=", id).execute();
  const trash = await records.read.selectFrom("deleted_links").select("no").where("id", "=", id).execute();
  const numbers = [...links, ...trash].map(({ no }) => no);
  const tags = await records.read
    .selectFrom("link_tags")
    .select("tag")
    .where("link_no", "in", [0, ...numbers])
    .execute();
  return { links: links.length, trash: trash.length, tags: tags.length };
}
