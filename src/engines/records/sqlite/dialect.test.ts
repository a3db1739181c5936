import { expect, test } from "bun:test";
import { sql } from "kysely";
import { openTestRecords } from "#test/support/test-records.ts";

test("an unknown column is an error, and never treated as a string", async () => {
  const store = openTestRecords();
  const missing = sql.ref<number>("accounts.never_made");
  const query = store.records.read.selectFrom("accounts").select("id").where(missing, "is not", null);
  await expect(query.execute()).rejects.toThrow("no such column");
  await store.close();
});

test("a name cannot escape its quotes", async () => {
  const store = openTestRecords();
  const { sql: text } = store.records.read.selectFrom("accounts").select(sql.ref("a`b").as("c")).compile();
  expect(text).toBe("select `a``b` as `c` from `accounts`");
  await store.close();
});
