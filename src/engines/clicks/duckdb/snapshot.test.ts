import { afterEach, beforeEach, expect, test } from "bun:test";
import { type DuckDBConnection, DuckDBInstance } from "@duckdb/node-api";
import { SnapshotRead } from "./snapshot.ts";

const LONG = "select count(*) from range(1000000) a, range(1000000) b";
// Long enough for several interrupts, if there are any.
const SLOW_MS = 100;
const TIMEOUT_MS = 600_000;

let instance: DuckDBInstance;
let connection: DuckDBConnection;
beforeEach(async () => {
  instance = await DuckDBInstance.create(":memory:");
  connection = await instance.connect();
});
afterEach(() => {
  connection.closeSync();
  instance.closeSync();
});

/** A connection whose transactions begin and end slowly, and that records interrupts during that time. */
function withSlowEnds() {
  let underWay = 0;
  const seen = { interrupts: 0, interruptsOfEnds: 0 };
  const slow: DuckDBConnection = Object.assign(Object.create(connection), {
    async runAndReadAll(sql: string) {
      if (!/^(?:begin|commit|rollback)/.test(sql)) return connection.runAndReadAll(sql);
      underWay += 1;
      await Bun.sleep(SLOW_MS);
      underWay -= 1;
      return connection.runAndReadAll(sql);
    },
    interrupt() {
      if (underWay > 0) seen.interruptsOfEnds += 1;
      seen.interrupts += 1;
      connection.interrupt();
    },
  });
  return { slow, seen };
}

test("an aborted read is interrupted while it reads, but not while its transaction ends", async () => {
  const { slow, seen } = withSlowEnds();
  const read = new SnapshotRead(slow);
  const reading = read.run(({ rows }) => {
    setTimeout(() => read.abort("The engine is closing."), 1);
    return rows(LONG);
  }, TIMEOUT_MS);
  await expect(reading).rejects.toThrow("closing");
  expect(seen.interrupts).toBeGreaterThan(0);
  expect(seen.interruptsOfEnds).toBe(0);
  expect(await new SnapshotRead(connection).run(({ rows }) => rows("select 1"), TIMEOUT_MS)).toEqual([[1]]);
});

test("a read aborted before it starts never runs", async () => {
  const { slow, seen } = withSlowEnds();
  const read = new SnapshotRead(slow);
  const reading = read.run(({ rows }) => rows(LONG), TIMEOUT_MS);
  read.abort("The engine is closing.");
  await expect(reading).rejects.toThrow("closing");
  expect(seen.interrupts).toBe(0);
});
