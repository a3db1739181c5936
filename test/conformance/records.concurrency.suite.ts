import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { createAccount } from "#accounts/new-account.ts";
import { createUser, findUserId } from "#accounts/users.ts";
import { counterConsumer } from "#clicks/ingestion/counter-consumer.ts";
import { insertRun, savePosition } from "#clicks/ingestion/ingestion.store.ts";
import type { Link } from "#contract/link-record.ts";
import { afterCommit } from "#engines/records/after-commit.ts";
import { appendChange, findNewestChange, findNextChanges } from "#engines/records/changes.ts";
import type { Records } from "#engines/records/records.ts";
import { Replayed } from "#http/route.ts";
import { ApiError } from "#kernel/api-error.ts";
import type { Caller } from "#kernel/caller.ts";
import { systemClock } from "#kernel/clock.ts";
import { newId } from "#kernel/ids.ts";
import { parseBlocklist } from "#links/blocklist.ts";
import { deleteAccountLinks } from "#links/delete-account-links.ts";
import { linkBlocking } from "#links/link-blocking.service.ts";
import { acceptInvitation, findInvitation } from "#members/accept-invitation.ts";
import { memberService } from "#members/members.service.ts";
import type { MemberCaller } from "#members/roles.ts";
import { openOutbox } from "#outbox/outbox.service.ts";
import { loadPlans } from "#plans/plan-catalogue.ts";
import { createTestLink, testLinkService } from "#test/support/test-links.ts";
import { newTestCaller } from "#test/support/test-records.ts";
import { tokenService } from "#tokens/tokens.service.ts";
import { claimDue } from "#webhooks/delivery-queue.store.ts";

export interface OpenedNodes {
  /** The records as several nodes of one deployment have them. Embedded, there is one. */
  readonly nodes: readonly [Records, ...Records[]];
  close(): Promise<void>;
}

const ORIGIN = { scheme: "https:", domain: "s.example" } as const;
const AT_ONCE = 12;

/** Rules that must hold whichever nodes write at the same time. */
export function concurrencyConformance(name: string, open: () => Promise<OpenedNodes>): void {
  describe(`concurrent writers of records on ${name}`, () => {
    let opened: OpenedNodes;
    let records: Records;

    beforeAll(async () => {
      opened = await open();
      [records] = opened.nodes;
    });
    afterAll(() => opened.close());

    const nodeOf = (turn: number): Records => opened.nodes[turn % opened.nodes.length] ?? records;

    /** Runs it many times at once, on all nodes in turn, and returns what came of each. */
    const atOnce = <T>(count: number, work: (node: Records, turn: number) => Promise<T>) =>
      Promise.allSettled(Array.from({ length: count }, (_, turn) => work(nodeOf(turn), turn)));

    const auditOf = (action: string, subject: string) =>
      records.read
        .selectFrom("audit_log")
        .select("no")
        .where("action", "=", action)
        .where("subject", "=", subject)
        .execute();

    test("one idempotency key makes one link", async () => {
      const caller = await newTestCaller(records);
      for (let round = 0; round < 10; round += 1) {
        const key = { operation: "createLink", key: `key-${round}`, fingerprint: "same" };
        const answers = await atOnce(AT_ONCE, (node) =>
          testLinkService(node).create(caller, { destination_url: "https://example.com/" }, key),
        );
        const values = answers.map(unwrap);
        expect(values.filter((value) => !(value instanceof Replayed))).toHaveLength(1);
        const ids = values.map((value) => (value instanceof Replayed ? JSON.parse(value.json).id : value.id));
        expect(new Set(ids).size).toBe(1);
      }
      expect(await countLinks(caller)).toBe(10);
    });

    test("a plan's limit of active links is exact", async () => {
      const caller = await newTestCaller(records, { active_links: 5 });
      const answers = await atOnce(30, (node) => createTestLink(testLinkService(node), caller));
      expect(codesOf(answers)).toEqual([...Array(5).fill("ok"), ...Array(25).fill("plan_limit")]);
      expect(await countLinks(caller)).toBe(5);
      expect(await countActive(caller)).toBe(5);
    });

    test("a plan's limit of tokens is exact", async () => {
      const caller = await newTestCaller(records);
      const plans = loadPlans(null, "unlimited");
      const few = { ...plans, of: () => ({ ...plans.defaultPlan, api_tokens: 3 }) };
      const request = { name: "Test", scopes: [], expiresInMs: null, rateLimit: null, actor: "operator" };
      const answers = await atOnce(AT_ONCE, (node) =>
        tokenService({ records: node, plans: few, clock: systemClock }).create({
          ...request,
          accountId: caller.accountId,
        }),
      );
      expect(codesOf(answers)).toEqual([...Array(3).fill("ok"), ...Array(AT_ONCE - 3).fill("plan_limit")]);
    });

    test("the expiry of a token is noted once", async () => {
      const { accountNo: account_no } = await newTestCaller(records);
      const ids = Array.from({ length: 5 }, () => newId("tok"));
      await records.write(async (tx) => {
        const fields = { name: "", hash: "", scopes: "[]", rate_limit: null, created_at: 0, expires_at: 1 };
        for (const id of ids) {
          const row = { id, account_no, ...fields, revoked_at: null, last_used_at: null };
          await tx.insertInto("tokens").values(row).execute();
        }
      });
      const plans = loadPlans(null, "unlimited");
      const noted = await atOnce(6, (node) => tokenService({ records: node, plans, clock: systemClock }).noteExpired());
      noted.map(unwrap);
      for (const id of ids) expect(await auditOf("token.expired", id)).toHaveLength(1);
    });

    test("an account keeps an owner, even if all of them leave at once", async () => {
      for (let round = 0; round < 10; round += 1) {
        const owners = await newOwners(2);
        const answers = await atOnce(2, (node, turn) => {
          const owner = owners[turn];
          if (!owner) throw new Error("there is no such owner");
          return memberService({ records: node, clock: systemClock }).remove(owner, owner.memberId);
        });
        expect(codesOf(answers)).toEqual(["last_owner", "ok"]);
      }
    });

    test("an invitation that is accepted twice at once makes one member", async () => {
      for (let round = 0; round < 10; round += 1) {
        const [owner] = await newOwners(1);
        const email = `guest-${round}@example.com`;
        const userId = await records.write((tx) => createUser(tx, { ...person, email }));
        const id = newId("inv");
        await records.write((tx) =>
          tx
            .insertInto("invitations")
            .values({
              id,
              account_id: owner?.accountId ?? "",
              email,
              role: "member",
              status: "pending",
              expires_at: "9999-01-01T00:00:00.000Z",
              created_at: new Date().toISOString(),
              inviter_id: owner?.userId ?? "",
            })
            .execute(),
        );
        const answers = await atOnce(4, (node) =>
          node.write(async (tx) => {
            const invitation = await findInvitation(tx, id, Date.now());
            if (!invitation) throw new ApiError("not_found", "It was used.");
            await acceptInvitation(tx, invitation, { userId, at: Date.now() });
          }),
        );
        expect(codesOf(answers)).toEqual(["not_found", "not_found", "not_found", "ok"]);
        expect(await auditOf("member.joined", userId)).toHaveLength(1);
      }
    });

    test("an e-mail address gets one user", async () => {
      const email = `${newId("usr")}@example.com`;
      const answers = await atOnce(AT_ONCE, (node) =>
        node.write(async (tx) => {
          if (await findUserId(tx, email)) throw new ApiError("already_exists", "It is taken.", { field: "email" });
          return createUser(tx, { ...person, email });
        }),
      );
      expect(codesOf(answers)).toEqual([...Array(AT_ONCE - 1).fill("already_exists"), "ok"]);
    });

    test("a slug goes to one link", async () => {
      const callers = await Promise.all(Array.from({ length: 4 }, () => newTestCaller(records)));
      for (let round = 0; round < 5; round += 1) {
        const answers = await atOnce(AT_ONCE, (node, turn) =>
          createTestLink(testLinkService(node), callers[turn % 4] as Caller, { slug: `wanted-${round}` }),
        );
        expect(codesOf(answers)).toEqual(["ok", ...Array(AT_ONCE - 1).fill("slug_taken")]);
      }
    });

    test("the slug of a link that is being deleted stays taken", async () => {
      const caller = await newTestCaller(records);
      for (let round = 0; round < 10; round += 1) {
        const { id, slug } = await createTestLink(testLinkService(records), caller, { slug: `fleeting-${round}` });
        const answers = await atOnce(6, async (node, turn): Promise<unknown> => {
          const links = testLinkService(node);
          return turn === 0 ? links.delete(caller, id, null) : createTestLink(links, caller, { slug });
        });
        expect(codesOf(answers)).toEqual(["ok", ...Array(5).fill("slug_taken")]);
      }
      expect(await countLinks(caller)).toBe(0);
      expect(await countActive(caller)).toBe(0);
    });

    test("changes of one link neither overwrite each other nor get lost", async () => {
      const caller = await newTestCaller(records);
      const { id } = await createTestLink(testLinkService(records), caller);
      const answers = await atOnce(AT_ONCE, (node, turn) =>
        testLinkService(node).update(caller, id, { title: `Title ${turn}` }, null),
      );
      expect(answers.map((answer) => unwrap(answer).version).sort((a, b) => a - b)).toEqual(
        Array.from({ length: AT_ONCE }, (_, index) => index + 2),
      );
    });

    test("a link that is paused and resumed by many is counted right", async () => {
      const caller = await newTestCaller(records);
      const made: Link[] = [];
      for (let count = 0; count < 4; count += 1) made.push(await createTestLink(testLinkService(records), caller));
      await atOnce(24, (node, turn) => {
        const { id = "" } = made[turn % 4] ?? {};
        return testLinkService(node).act(caller, id, turn % 3 === 0 ? "resume" : "pause", null);
      });
      const active = await linksOf(caller).where("state", "=", "active").execute();
      expect(await countActive(caller)).toBe(active.length);
    });

    test("no delivery is claimed by two workers", async () => {
      const { accountNo: account_no } = await newTestCaller(records);
      const endpointNo = await newEndpoint(account_no);
      const outbox = openOutbox();
      const event = { type: "link.created", accountNo: account_no, at: 1, body: "{}" } as const;
      await records.write(async (tx) => {
        for (let count = 0; count < 60; count += 1) {
          await outbox.appendTo(tx, { ...event, id: newId("evt") }, [endpointNo]);
        }
      });
      const answers = await atOnce(AT_ONCE, (node, turn) =>
        node.write((tx) => claimDue(tx, { endpointNo, most: 8, lease: `node-${turn}`, now: 10, until: 1000 })),
      );
      const claimed = answers.flatMap((answer) => unwrap(answer).claimed.map(({ no }) => no));
      expect(new Set(claimed).size).toBe(claimed.length);
      expect(claimed.length).toBeGreaterThanOrEqual(8);
    });

    test("click counts noted in runs are added once", async () => {
      const caller = await newTestCaller(records);
      const numbers = [];
      for (let count = 0; count < 5; count += 1) {
        await createTestLink(testLinkService(records), caller);
      }
      for (const { no } of await linksOf(caller).execute()) numbers.push(no);
      const rows = numbers.map((no) => ({ no, clicks: 1, lastAt: 5 }));
      for (let run = 0; run < 20; run += 1) await records.write((tx) => insertRun(tx, rows));
      const answers = await atOnce(6, (node) => counterConsumer(node).settle?.() ?? Promise.resolve());
      answers.map(unwrap);
      const counts = await records.read
        .selectFrom("link_counts")
        .select(["click_count", "last_clicked_at"])
        .where("link_no", "in", numbers)
        .execute();
      expect(counts).toEqual(Array(5).fill({ click_count: 20, last_clicked_at: 5 }));
    });

    test("a node that forgets positions in its journal leaves those of others", async () => {
      const positions = { "a.b_c-1-000.log": 7, "a.b_c-1-001.log": 8, "aXb_c-1-000.log": 9, "other-000.log": 10 };
      await records.write(async (tx) => {
        for (const [segment, position] of Object.entries(positions)) await savePosition(tx, { segment, position });
      });
      await counterConsumer(records, { segmentPrefix: "a.b_c-1-" }).forgetAllBut(["a.b_c-1-001.log"]);
      const { positionOf } = counterConsumer(records);
      expect(await Promise.all(Object.keys(positions).map(positionOf))).toEqual([0, 8, 9, 10]);
    });

    test("a block list blocks each link once, and none escapes it", async () => {
      const caller = await newTestCaller(records);
      const blocklist = parseBlocklist("phishing bad.example\n");
      const blocking = opened.nodes.map((node) =>
        linkBlocking({ records: node, clock: systemClock, outbox: openOutbox(), origin: ORIGIN }),
      );
      // Links that were checked against an older list, and are committed while the new one is applied.
      const created = atOnce(30, (node) =>
        createTestLink(testLinkService(node), caller, { destination_url: "https://bad.example/" }),
      );
      const applied = await Promise.all(blocking.map((one) => one.applyBlocklist(blocklist)));
      const links = (await created).map(unwrap);
      expect(await linksOf(caller).where("blocked_by", "is", null).execute()).toEqual([]);
      expect(applied.reduce((sum, { blocked }) => sum + blocked, 0)).toBe(links.length);
      for (const { id } of links) expect(await auditOf("link.blocked", id)).toHaveLength(1);
    });

    test("an account's links are deleted once, by however many nodes", async () => {
      const caller = await newTestCaller(records);
      for (let count = 0; count < 20; count += 1) await createTestLink(testLinkService(records), caller);
      const answers = await atOnce(4, async (node) => {
        let deleted = 0;
        for (;;) {
          const some = await node.write((tx) => deleteAccountLinks(tx, caller.accountNo, 3, 1));
          if (some === 0) return deleted;
          deleted += some;
        }
      });
      expect(answers.map(unwrap).reduce((sum, deleted) => sum + deleted, 0)).toBe(20);
      expect(await countLinks(caller)).toBe(0);
    });

    test("what follows a commit happens once, and not without one", async () => {
      const { accountNo } = await newTestCaller(records);
      const done: number[] = [];
      const answers = await atOnce(20, (node, turn) =>
        node.write(async (tx) => {
          afterCommit(tx, () => done.push(turn));
          const account = tx.selectFrom("accounts").select("active_links").where("no", "=", accountNo);
          const { active_links } = await account.executeTakeFirstOrThrow();
          const next = { active_links: active_links + 1 };
          await tx.updateTable("accounts").set(next).where("no", "=", accountNo).execute();
          if (turn % 2 === 1) throw new ApiError("not_found", "It fails.");
        }),
      );
      expect(codesOf(answers)).toEqual([...Array(10).fill("not_found"), ...Array(10).fill("ok")]);
      expect(done.sort((a, b) => a - b)).toEqual(Array.from({ length: 10 }, (_, index) => index * 2));
    });

    test("a reader of the change log misses nothing and sees nothing twice", async () => {
      const slugs = Array.from({ length: 200 }, (_, index) => `change-${index}`);
      let after = await findNewestChange(records.read);
      const seen: (string | null)[] = [];
      const readOn = async (node: Records): Promise<void> => {
        const range = await findNextChanges(node.read, after, 50);
        if (range === "gap") throw new Error("a gap in the change log");
        if (range === null) return;
        const rows = await node.read
          .selectFrom("changes")
          .select("slug")
          .where("seq", ">", range.after)
          .where("seq", "<=", range.upTo)
          .orderBy("seq")
          .execute();
        expect(rows).toHaveLength(range.upTo - range.after);
        seen.push(...rows.map(({ slug }) => slug));
        after = range.upTo;
      };
      let isWriting = true;
      const reading = (async () => {
        while (isWriting) {
          await readOn(nodeOf(seen.length));
          await Bun.sleep(0);
        }
        for (let before = -1; before !== after; ) {
          before = after;
          await readOn(records);
        }
      })();
      const change = (node: Records, turn: number) =>
        node.write(async (tx) => {
          await appendChange(tx, slugs[turn] ?? "", 0);
          // Some take longer between their change and their commit.
          for (let step = 0; step < turn % 7; step += 1) {
            await tx.selectFrom("accounts").select("no").limit(1).execute();
            await Bun.sleep(0);
          }
          if (turn % 11 === 0) throw new ApiError("not_found", "It is rolled back.");
        });
      const answers: PromiseSettledResult<void>[] = [];
      while (answers.length < slugs.length) {
        const first = answers.length;
        answers.push(...(await atOnce(25, (node, turn) => change(node, first + turn))));
      }
      isWriting = false;
      await reading;
      const committed = slugs.filter((_, turn) => answers[turn]?.status === "fulfilled");
      expect(committed).toHaveLength(slugs.length - Math.ceil(slugs.length / 11));
      expect(seen.toSorted()).toEqual(committed.toSorted());
    });

    const person = { name: "Someone", passwordHash: "", emailVerified: true, at: 0 };

    const newOwners = async (count: number): Promise<(MemberCaller & { memberId: string })[]> =>
      records.write(async (tx) => {
        const owners: string[] = [];
        for (let made = 0; made < count; made += 1) {
          owners.push(await createUser(tx, { ...person, email: `${newId("usr")}@example.com` }));
        }
        const [first = "", ...others] = owners;
        const account = { name: "Test", planId: "unlimited", ownerId: first, actor: "operator", at: 0 };
        const { id: accountId, no: accountNo } = await createAccount(tx, account);
        for (const userId of others) {
          const row = { id: newId("mem"), account_id: accountId, user_id: userId, role: "owner", created_at: "" };
          await tx.insertInto("members").values(row).execute();
        }
        const members = await tx.selectFrom("members").selectAll().where("account_id", "=", accountId).execute();
        const { defaultPlan: plan } = loadPlans(null, "unlimited");
        return members.map(({ id, user_id: userId }) => ({
          accountNo,
          accountId,
          plan,
          actor: `user:${userId}`,
          via: "dashboard",
          userId,
          role: "owner",
          memberId: id,
        }));
      });

    const newEndpoint = async (account_no: number): Promise<number> => {
      const row = { id: newId("we"), account_no, url: "https://hooks.example/", description: null, events: "[]" };
      const none = { old_secret: null, old_secret_until: null, disabled_at: null, disabled_by: null };
      const health = { failing_since: null, last_failure_at: null, exhausted_at: null };
      const times = { created_at: 0, updated_at: 0 };
      const { no } = await records.write((tx) =>
        tx
          .insertInto("webhook_endpoints")
          .values({ ...row, ...none, ...health, ...times, takes_clicks: 0, secret: "" })
          .returning("no")
          .executeTakeFirstOrThrow(),
      );
      return no;
    };

    const linksOf = ({ accountNo }: Caller) =>
      records.read.selectFrom("links").select(["no", "id"]).where("account_no", "=", accountNo);

    const countLinks = async (caller: Caller): Promise<number> => (await linksOf(caller).execute()).length;

    const countActive = async ({ accountNo }: Caller): Promise<number> =>
      (
        await records.read
          .selectFrom("accounts")
          .select("active_links")
          .where("no", "=", accountNo)
          .executeTakeFirstOrThrow()
      ).active_links;
  });
}

function unwrap<T>(answer: PromiseSettledResult<T>): T {
  if (answer.status === "rejected") throw answer.reason;
  return answer.value;
}

/** "ok" or the error's code, in alphabetical order; fails on any other error. */
const codesOf = (answers: readonly PromiseSettledResult<unknown>[]): string[] =>
  answers
    .map((answer) => {
      if (answer.status === "fulfilled") return "ok";
      if (answer.reason instanceof ApiError) return answer.reason.code;
      throw answer.reason;
    })
    .sort();
