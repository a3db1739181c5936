import { afterEach, beforeEach, expect, test } from "bun:test";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { ClicksUnavailable } from "../clicks-engine.ts";
import { draftDirectoryOf, draftOf, putDraftInPlace } from "./rewrite.ts";

let directory = "";
let path = "";
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), "kurz-rewrite-"));
  path = join(directory, "clicks.duckdb");
  mkdirSync(draftDirectoryOf(path));
  writeFileSync(path, "old");
  writeFileSync(draftOf(path), "new");
});
afterEach(() => rmSync(directory, { recursive: true }));

test("a draft replaces the file", () => {
  putDraftInPlace(path);
  expect(readFileSync(path, "utf8")).toBe("new");
});

test("it does not if the old file's log is left, whose clicks the draft already contains", () => {
  writeFileSync(`${path}.wal`, "clicks");
  expect(() => putDraftInPlace(path)).toThrow(ClicksUnavailable);
  expect([readFileSync(path, "utf8"), existsSync(`${path}.wal`)]).toEqual(["old", true]);
});
