import { afterEach, beforeEach, expect, test } from "bun:test";
import { closeSync, mkdtempSync, openSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { ownKey } from "#test/support/own-key.ts";
import { until } from "#test/support/until.ts";
import { openRecordsThread } from "./records-thread.ts";

let directory = "";
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), "kurz-records-thread-"));
});
afterEach(() => rmSync(directory, { recursive: true }));

test("a disk that doesn't respond is noticed, however many requests keep arriving", async () => {
  const path = join(directory, "records.db");
  // Opening a pipe blocks until someone writes to it, which looks like a frozen disk to the thread.
  Bun.spawnSync(["mkfifo", path]);
  const thread = openRecordsThread({ path }, { openingTimeoutMs: 50 });
  const problems: string[] = [];
  const asking = setInterval(() => {
    thread.find(ownKey("none")).catch((error: Error) => problems.push(error.message));
  }, 5);
  try {
    await until("a look-up is given up", () => problems.length > 0);
    expect(problems[0]).toBe("the records disk does not respond");
  } finally {
    clearInterval(asking);
    closeSync(openSync(path, "r+"));
    thread.close();
  }
}, 600_000);

test("visitors wait for a thread that is slow to start", async () => {
  const path = join(directory, "records.db");
  Bun.spawnSync(["mkfifo", path]);
  const thread = openRecordsThread({ path }, { diskTimeoutMs: 10, openingTimeoutMs: 600_000 });
  const problem = thread.find(ownKey("none")).then(String, (error: Error) => error.message);
  // Several times as long as a disk may take.
  const outcome = await Promise.race([problem, Bun.sleep(200).then(() => "waits")]);
  // Stays open until the thread has opened it, too, however late it starts.
  const writer = openSync(path, "r+");
  expect(outcome).toBe("waits");
  // It was no database.
  expect(await problem).not.toContain("does not respond");
  closeSync(writer);
  thread.close();
}, 600_000);
