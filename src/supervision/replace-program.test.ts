import { afterAll, expect, test } from "bun:test";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { isFileLocked, takeFileLock } from "#engines/file-lock.ts";
import { replaceProgram } from "./replace-program.ts";

const directory = mkdtempSync(join(tmpdir(), "kurz-replace-"));
afterAll(() => rmSync(directory, { recursive: true }));

const keeper = join(import.meta.dir, "fixtures", "lock-keeper.ts");

test("a program keeps the lock of the one before, whatever both open and close, and hears of a stop in between", async () => {
  const path = join(directory, "lock.db");
  const run = Bun.spawn([process.execPath, keeper, path], { stdin: "pipe", stderr: "inherit" });
  const reader = run.stdout.getReader();
  expect(new TextDecoder().decode((await reader.read()).value)).toBe("kept\n");
  expect([isFileLocked(path), takeFileLock(path)]).toEqual([true, null]);
  await run.stdin.end();
  expect(await run.exited).toBe(0);
  expect(isFileLocked(path)).toBe(false);
});

test("a program that can't be executed is named, with the reason", () => {
  const { message } = replaceProgram(["/nowhere/kurz", "serve"], {}, "SIGUSR2");
  expect(message).toBe("/nowhere/kurz can't be executed (ENOENT)");
});
