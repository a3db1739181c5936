import { expect, test } from "bun:test";
import { Replayed } from "#http/route.ts";
import { newTestCaller, openTestRecords } from "#test/support/test-records.ts";
import { once, pruneIdempotencyKeys } from "./idempotency.service.ts";

const START = Date.UTC(2026, 0, 1);
const DAY_MS = 86_400_000;

test("a key is kept for a whole day and pruned in batches after it", async () => {
  const { records, close } = openTestRecords();
  const { accountNo } = await newTestCaller(records);
  const use = (key: string, now: number) =>
    records.write((tx) =>
      once(tx, accountNo, { operation: "links.create", key, fingerprint: "same" }, now, async () => ({ made: now })),
    );
  const prune = (now: number) => records.write((tx) => pruneIdempotencyKeys(tx, now, 2));

  for (const key of ["a", "b", "c"]) await use(key, START);
  await use("later", START + 1);
  expect(await prune(START + DAY_MS)).toBe(0);
  expect(await use("a", START + DAY_MS)).toBeInstanceOf(Replayed);
  expect([await prune(START + DAY_MS + 1), await prune(START + DAY_MS + 1), await prune(START + DAY_MS + 1)]).toEqual([
    2, 1, 0,
  ]);
  expect(await use("later", START + DAY_MS + 1)).toBeInstanceOf(Replayed);
  expect(await use("a", START + DAY_MS + 1)).toEqual({ made: START + DAY_MS + 1 });
  await close();
});
