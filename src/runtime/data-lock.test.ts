import { afterAll, expect, test } from "bun:test";
import { existsSync, mkdtempSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type DataPaths, dataPaths } from "#config/data-paths.ts";
import { DataInUse, findLockHolder, isLocked, type LockPurpose, lockDataDirectory } from "./data-lock.ts";

const root = mkdtempSync(join(tmpdir(), "kurz-lock-"));
afterAll(() => rmSync(root, { recursive: true }));

let directories = 0;
function newPaths(): DataPaths {
  directories += 1;
  return dataPaths(join(root, `data-${directories}`));
}

/** Another process that holds the lock until it is killed. */
async function holdElsewhere(paths: DataPaths, purpose: LockPurpose) {
  const script = `
    const { lockDataDirectory } = await import(${JSON.stringify(join(import.meta.dir, "data-lock.ts"))});
    lockDataDirectory(${JSON.stringify(paths)}, { purpose: ${JSON.stringify(purpose)} });
    Bun.gc(true);
    process.on("message", () => process.exit(0));
    process.send("held");
  `;
  const { promise, resolve } = Promise.withResolvers<void>();
  const holder = Bun.spawn([process.execPath, "-e", script], {
    stdio: ["ignore", "inherit", "inherit"],
    ipc: () => resolve(),
  });
  await promise;
  return holder;
}

test("a server's data directory is refused to everybody else, naming directory and process", async () => {
  const paths = newPaths();
  const holder = await holdElsewhere(paths, "server");
  const startedAt = performance.now();
  for (const purpose of ["server", "command"] as const) {
    expect(() => lockDataDirectory(paths, { purpose, waitMs: 600_000 })).toThrow(
      new DataInUse(`the data directory ${paths.dataDir} is in use by process ${holder.pid} (a running server)`),
    );
  }
  // Nobody waits for a server to end.
  expect(performance.now() - startedAt).toBeLessThan(60_000);
  expect(findLockHolder(paths)).toEqual({ pid: holder.pid, purpose: "server" });
  holder.kill("SIGKILL");
  await holder.exited;
});

test("a killed holder leaves the directory free", async () => {
  const paths = newPaths();
  const holder = await holdElsewhere(paths, "server");
  expect(isLocked(paths)).toBe(true);
  holder.kill("SIGKILL");
  await holder.exited;
  expect(isLocked(paths)).toBe(false);
  expect(findLockHolder(paths)).toBeUndefined();
  lockDataDirectory(paths).release();
});

test("a command waits for another command to end", async () => {
  const paths = newPaths();
  const holder = await holdElsewhere(paths, "command");
  expect(() => lockDataDirectory(paths, { waitMs: 30 })).toThrow(DataInUse);
  holder.send("leave");
  lockDataDirectory(paths, { waitMs: 10_000 }).release();
  await holder.exited;
});

test("a lock is held until it is released, also within one process", () => {
  const paths = newPaths();
  const lock = lockDataDirectory(paths);
  Bun.gc(true);
  expect(isLocked(paths)).toBe(true);
  expect(() => lockDataDirectory(paths, { waitMs: 0 })).toThrow(DataInUse);
  lock.release();
  lock.release();
  expect(isLocked(paths)).toBe(false);
});

test("a damaged lock file is named, with the remedy", () => {
  const paths = newPaths();
  lockDataDirectory(paths).release();
  writeFileSync(paths.lock, "garbage ".repeat(1000));
  const problem = `${paths.lock} is damaged; delete it and try again`;
  expect(() => lockDataDirectory(paths)).toThrow(problem);
  expect(() => findLockHolder(paths)).toThrow(problem);
  rmSync(paths.lock);
  lockDataDirectory(paths).release();
});

test("a damaged lock file that is in use counts as locked", async () => {
  const paths = newPaths();
  const holder = await holdElsewhere(paths, "server");
  writeFileSync(paths.lock, "garbage ".repeat(1000));
  expect(isLocked(paths)).toBe(true);
  expect(() => lockDataDirectory(paths, { waitMs: 0 })).toThrow(DataInUse);
  holder.kill("SIGKILL");
  await holder.exited;
});

test("asking whether data is locked makes nothing", () => {
  const paths = newPaths();
  expect(isLocked(paths)).toBe(false);
  expect(existsSync(paths.dataDir)).toBe(false);
});

test("only the owner may look into the directories", () => {
  const paths = newPaths();
  lockDataDirectory(paths).release();
  for (const directory of [paths.dataDir, paths.run]) expect(statSync(directory).mode & 0o777).toBe(0o700);
});
