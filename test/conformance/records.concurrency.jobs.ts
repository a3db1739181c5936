import { expect, test } from "bun:test";
import { counterConsumer } from "#clicks/ingestion/counter-consumer.ts";
import { insertRun, savePosition } from "#clicks/ingestion/ingestion.store.ts";
import type { Records } from "#engines/records/records.ts";
import { importService } from "#imports/imports.service.ts";
import { csv } from "#imports/sources/csv/csv.ts";
import { systemClock } from "#kernel/clock.ts";
import { newId } from "#kernel/ids.ts";
import { openOutbox } from "#outbox/outbox.service.ts";
import { createTestLink, testLinkService } from "#test/support/test-links.ts";
import { newTestCaller } from "#test/support/test-records.ts";
import { claimDue } from "#webhooks/delivery-queue.store.ts";
import { type ConcurrencyLab, codesOf, unwrap } from "./records.concurrency.lab.ts";

const AT_ONCE = 12;

/** What holds for work that nodes share. */
export function concurrentJobs(lab: ConcurrencyLab): void {
  test("no delivery is claimed by two workers", async () => {
    const { accountNo: account_no } = await newTestCaller(lab.records);
    const endpointNo = await newEndpoint(account_no);
    const outbox = openOutbox();
    const event = { type: "link.created", accountNo: account_no, at: 1, body: "{}" } as const;
    await lab.records.write(async (tx) => {
      for (let count = 0; count < 60; count += 1) {
        await outbox.appendTo(tx, { ...event, id: newId("evt") }, [endpointNo]);
      }
    });
    const answers = await lab.atOnce(AT_ONCE, (node, turn) =>
      node.write((tx) => claimDue(tx, { endpointNo, most: 8, lease: `node-${turn}`, now: 10, until: 1000 })),
    );
    const claimed = answers.flatMap((answer) => unwrap(answer).claimed.map(({ no }) => no));
    expect(new Set(claimed).size).toBe(claimed.length);
    expect(claimed.length).toBeGreaterThanOrEqual(8);
  });

  test("an account's limit of open imports is exact", async () => {
    const caller = await newTestCaller(lab.records);
    const importsOf = (records: Records) =>
      importService({
        ...{ records, clock: systemClock, links: testLinkService(records), sources: { csv }, node: "test" },
        // Nothing is read or run.
        ...({} as Pick<
          Parameters<typeof importService>[0],
          "root" | "counts" | "extras" | "client" | "plans" | "ownDomain"
        >),
      });
    const answers = await lab.atOnce(AT_ONCE, (node) =>
      importsOf(node).begin(caller, { source: "csv", file: "links.csv" }),
    );
    expect(codesOf(answers)).toEqual([...Array(5).fill("ok"), ...Array(AT_ONCE - 5).fill("validation_failed")]);
    expect(await importsOf(lab.records).list(caller)).toHaveLength(5);
  });

  test("click counts noted in runs are added once", async () => {
    const caller = await newTestCaller(lab.records);
    const numbers = [];
    for (let count = 0; count < 5; count += 1) {
      await createTestLink(testLinkService(lab.records), caller);
    }
    for (const { no } of await lab.linksOf(caller).execute()) numbers.push(no);
    const rows = numbers.map((no) => ({ no, clicks: 1, lastAt: 5 }));
    for (let run = 0; run < 20; run += 1) await lab.records.write((tx) => insertRun(tx, rows));
    const answers = await lab.atOnce(6, (node) => counterConsumer(node).settle?.() ?? Promise.resolve());
    answers.map(unwrap);
    const counts = await lab.records.read
      .selectFrom("link_counts")
      .select(["click_count", "last_clicked_at"])
      .where("link_no", "in", numbers)
      .execute();
    expect(counts).toEqual(Array(5).fill({ click_count: 20, last_clicked_at: 5 }));
  });

  test("a node that forgets positions in its journal leaves those of others", async () => {
    const positions = { "a.b_c-1-000.log": 7, "a.b_c-1-001.log": 8, "aXb_c-1-000.log": 9, "other-000.log": 10 };
    await lab.records.write(async (tx) => {
      for (const [segment, position] of Object.entries(positions)) await savePosition(tx, { segment, position });
    });
    await counterConsumer(lab.records, { segmentPrefix: "a.b_c-1-" }).forgetAllBut(["a.b_c-1-001.log"]);
    const { positionOf } = counterConsumer(lab.records);
    expect(await Promise.all(Object.keys(positions).map(positionOf))).toEqual([0, 8, 9, 10]);
  });

  const newEndpoint = async (account_no: number): Promise<number> => {
    const row = { id: newId("we"), account_no, url: "https://hooks.example/", description: null, events: "[]" };
    const none = { old_secret: null, old_secret_until: null, disabled_at: null, disabled_by: null };
    const health = { failing_since: null, last_failure_at: null, exhausted_at: null };
    const times = { created_at: 0, updated_at: 0 };
    const { no } = await lab.records.write((tx) =>
      tx
        .insertInto("webhook_endpoints")
        .values({ ...row, ...none, ...health, ...times, takes_clicks: 0, secret: "" })
        .returning("no")
        .executeTakeFirstOrThrow(),
    );
    return no;
  };
}
