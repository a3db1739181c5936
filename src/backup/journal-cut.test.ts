import { afterEach, beforeEach, expect, test } from "bun:test";
import { appendFileSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { copyJournal, joinCuts, measureJournal } from "./journal-cut.ts";

const FIRST = "local-000-0000000001-00000000.log";
const SECOND = "local-000-0000000001-00000001.log";
const THIRD = "local-001-0000000002-00000000.log";

let journal: string;
let copy: string;

beforeEach(() => {
  const root = mkdtempSync(join(tmpdir(), "kurz-cut-"));
  [journal, copy] = [join(root, "journal"), join(root, "copy")];
  mkdirSync(journal);
  mkdirSync(copy);
});
afterEach(() => rmSync(join(journal, ".."), { recursive: true }));

test("a copy ends where the journal stood, whatever was added since", () => {
  writeFileSync(join(journal, FIRST), "before");
  writeFileSync(join(journal, "notes.txt"), "no segment");
  mkdirSync(join(journal, "quarantine"));
  const cut = measureJournal(journal);
  appendFileSync(join(journal, FIRST), " and after");
  writeFileSync(join(journal, SECOND), "later");
  copyJournal(journal, copy, cut);
  expect(readdirSync(copy)).toEqual([FIRST]);
  expect(readFileSync(join(copy, FIRST), "utf8")).toBe("before");
});

test("what the records have counted belongs to the copy even when it came after the measuring", () => {
  writeFileSync(join(journal, FIRST), "0123456789");
  writeFileSync(join(journal, SECOND), "0123456789");
  const measured = new Map([[FIRST, 4]]);
  const counted = new Map([
    [FIRST, 2],
    [SECOND, 3],
    [THIRD, 99],
  ]);
  copyJournal(journal, copy, joinCuts(measured, counted));
  expect(readFileSync(join(copy, FIRST), "utf8")).toBe("0123");
  expect(readFileSync(join(copy, SECOND), "utf8")).toBe("012");
  expect(readdirSync(copy).sort()).toEqual([FIRST, SECOND]);
});

test("a segment that is shorter than what was counted of it fails the copy", () => {
  writeFileSync(join(journal, FIRST), "0123");
  expect(() => copyJournal(journal, copy, new Map([[FIRST, 5]]))).toThrow("has become shorter");
});

test("without a journal there is nothing to copy", () => {
  rmSync(journal, { recursive: true });
  expect(measureJournal(journal).size).toBe(0);
  copyJournal(journal, copy, new Map([[FIRST, 5]]));
  expect(readdirSync(copy)).toEqual([]);
  mkdirSync(journal);
});
