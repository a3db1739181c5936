import { heapStats } from "bun:jsc";
import { afterEach, beforeEach, expect, setDefaultTimeout, test } from "bun:test";
import { closeSync, mkdtempSync, openSync, rmSync, writeSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { ImportItem, ReadContext } from "../import-source.ts";
import { readKuttDump } from "./kutt-dump.ts";
import { readYourlsDump } from "./yourls-dump.ts";

setDefaultTimeout(600_000);

const ROWS = 200;
/** More than what is read of a file at once. Very short texts are copied by the engine itself. */
const FILLER = "x".repeat(256 * 1024);

const NEVER = new AbortController().signal;

let directory = "";
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), "kurz-dump-memory-"));
});
afterEach(() => rmSync(directory, { recursive: true }));

/** Rows that are far apart from each other in a file of 50 MB. */
function fileOf(...statements: readonly ((no: number) => string)[]): string {
  const file = join(directory, "dump.sql");
  const fd = openSync(file, "w");
  for (const statement of statements) {
    for (let no = 0; no < ROWS; no += 1)
      writeSync(fd, `${statement(no)};\nINSERT INTO other (a) VALUES ('${FILLER}');\n`);
  }
  closeSync(fd);
  return file;
}

/** How much more is in use while it is read. */
async function bytesWhile(read: (context: ReadContext, file: string) => AsyncGenerator<ImportItem>, file: string) {
  const context = { url: "https://s.example", timeZone: "UTC", withClicks: true, countsFrom: null, signal: NEVER };
  const bytes = (): number => {
    Bun.gc(true);
    const { heapSize, extraMemorySize } = heapStats();
    return heapSize + extraMemorySize;
  };
  const before = bytes();
  let items = 0;
  let most = 0;
  for await (const _ of read(context as unknown as ReadContext, file)) {
    items += 1;
    if (items % (ROWS / 2) === 0) most = Math.max(most, bytes() - before);
  }
  expect(items).toBeGreaterThanOrEqual(ROWS);
  return most;
}

test("of a dump of YOURLS, only what is known of links is kept in memory", async () => {
  const file = fileOf(
    (no) => `INSERT INTO url (keyword, url, clicks) VALUES ('a-longer-keyword-${no}', 'https://example.com/', 1)`,
    (no) => `INSERT INTO log (shorturl, click_time) VALUES ('a-longer-keyword-${no}', '2024-01-01 00:00:00')`,
  );
  expect(await bytesWhile(readYourlsDump, file)).toBeLessThan(20e6);
});

test("of a dump of Kutt, only what is known of links is kept in memory", async () => {
  const file = fileOf(
    (no) => `INSERT INTO domains (id, address) VALUES ('${no}', 'domain-${no}.example')`,
    (no) =>
      `INSERT INTO links (id, uuid, address, target, domain_id, visit_count) VALUES ('${no}', 'a-longer-uuid-${no}', 'a', 'b', '${no}', 1)`,
  );
  expect(await bytesWhile(readKuttDump, file)).toBeLessThan(20e6);
});
