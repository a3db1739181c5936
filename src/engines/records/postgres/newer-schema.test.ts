import { expect, test } from "bun:test";
import { DatabaseError } from "pg";
import { RecordsUnavailable } from "../records.ts";
import { NEWEST_SCHEMA, newerSchemaCheck } from "./newer-schema.ts";

function failureOf(state: string): DatabaseError {
  const error = new DatabaseError("it failed", 0, "error");
  error.code = state;
  return error;
}

const older = { version: NEWEST_SCHEMA, worksFrom: NEWEST_SCHEMA };
const usable = { version: NEWEST_SCHEMA + 2, worksFrom: NEWEST_SCHEMA };
const newer = { version: NEWEST_SCHEMA + 2, worksFrom: NEWEST_SCHEMA + 1 };

test.each(["42703", "42P01", "42883", "23502", "23514"])(
  "a statement that fails with %s fails because of a newer schema, if there is one",
  async (state) => {
    const error = failureOf(state);
    const explained = await newerSchemaCheck(async () => newer)(error);
    expect(explained).toBeInstanceOf(RecordsUnavailable);
    expect(String(explained)).toContain(`written by a newer Kurz (schema ${newer.version}, `);
    for (const schema of [older, usable, undefined]) {
      expect(await newerSchemaCheck(async () => schema)(error)).toBe(error);
    }
  },
);

test("other errors are what they are, and nothing is read", async () => {
  const explain = newerSchemaCheck(() => Promise.reject(new Error("read")));
  for (const error of [failureOf("23505"), failureOf("40001"), failureOf("22P02"), new Error("lost"), "a text"]) {
    expect(await explain(error)).toBe(error);
  }
});

test("an error stays as it is if the schema can't be read", async () => {
  const error = failureOf("42703");
  expect(await newerSchemaCheck(() => Promise.reject(new RecordsUnavailable("away")))(error)).toBe(error);
});

test("however many statements fail, the schema is read once a second", async () => {
  let reads = 0;
  let nowMs = 0;
  const read = async () => {
    reads += 1;
    return reads === 1 ? usable : newer;
  };
  const explain = newerSchemaCheck(read, () => nowMs);
  const error = failureOf("42703");
  expect(await Promise.all([explain(error), explain(error)])).toEqual([error, error]);
  nowMs = 999;
  expect([await explain(error), reads]).toEqual([error, 1]);
  nowMs = 1000;
  expect([await explain(error), reads]).toEqual([expect.any(RecordsUnavailable), 2]);
});
