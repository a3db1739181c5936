import { expect, test } from "bun:test";
import { afterCommit } from "#engines/records/after-commit.ts";
import { appendChange, findNewestChange, findNextChanges } from "#engines/records/changes.ts";
import type { Records } from "#engines/records/records.ts";
import { ApiError } from "#kernel/api-error.ts";
import { ownKey } from "#test/support/own-key.ts";
import { newTestCaller } from "#test/support/test-records.ts";
import { type ConcurrencyLab, codesOf } from "./records.concurrency.lab.ts";

/** What holds for commits and the log of changes. */
export function concurrentCommits(lab: ConcurrencyLab): void {
  test("what follows a commit happens once, and not without one", async () => {
    const { accountNo } = await newTestCaller(lab.records);
    const done: number[] = [];
    const answers = await lab.atOnce(20, (node, turn) =>
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
    let after = await findNewestChange(lab.records.read);
    const seen: (string | null)[] = [];
    const readOn = async (node: Records): Promise<void> => {
      const range = await findNextChanges(node.read, after, 50);
      if (range === "gap") throw new Error("a gap in the change log");
      if (range === null) return;
      const rows = await node.read
        .selectFrom("changes")
        .select("key")
        .where("seq", ">", range.after)
        .where("seq", "<=", range.upTo)
        .orderBy("seq")
        .execute();
      expect(rows).toHaveLength(range.upTo - range.after);
      seen.push(...rows.map(({ key }) => key));
      after = range.upTo;
    };
    let isWriting = true;
    const reading = (async () => {
      while (isWriting) {
        await readOn(lab.nodeOf(seen.length));
        await Bun.sleep(0);
      }
      for (let before = -1; before !== after; ) {
        before = after;
        await readOn(lab.records);
      }
    })();
    const change = (node: Records, turn: number) =>
      node.write(async (tx) => {
        await appendChange(tx, ownKey(slugs[turn] ?? ""), 0);
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
      answers.push(...(await lab.atOnce(25, (node, turn) => change(node, first + turn))));
    }
    isWriting = false;
    await reading;
    const committed = slugs.filter((_, turn) => answers[turn]?.status === "fulfilled");
    expect(committed).toHaveLength(slugs.length - Math.ceil(slugs.length / 11));
    expect(seen.toSorted()).toEqual(committed.toSorted());
  });
}
