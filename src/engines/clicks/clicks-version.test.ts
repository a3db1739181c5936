import { expect, test } from "bun:test";
import { CLICKS_VERSION } from "./clicks-version.ts";
import { migrations } from "./duckdb/migrations/migrations.ts";

test("the version of a clicks file is that of its last migration", () => {
  expect(migrations.at(-1)?.version).toBe(CLICKS_VERSION);
});
