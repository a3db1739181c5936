import { expect, setDefaultTimeout, test } from "bun:test";
import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

setDefaultTimeout(600_000);

/** Runs a script that has the directory removed, and does something with the process once it has. */
async function endAfter(script: string, end: (owner: Bun.Subprocess) => void) {
  const directory = mkdtempSync(join(tmpdir(), "kurz-removed-"));
  const module = JSON.stringify(join(import.meta.dir, "remove-at-exit.ts"));
  const code = `(await import(${module})).removeAtExit(${JSON.stringify(directory)}); console.log("ready"); ${script}`;
  const owner = Bun.spawn([process.execPath, "-e", code], { stdout: "pipe", stderr: "ignore", stdin: "pipe" });
  try {
    await owner.stdout.getReader().read();
    expect(existsSync(directory)).toBe(true);
    end(owner);
    return { code: await owner.exited, isLeft: existsSync(directory) };
  } finally {
    owner.kill("SIGKILL");
    rmSync(directory, { recursive: true, force: true });
  }
}

const WAIT_FOREVER = "setInterval(() => {}, 1000)";
// Each waits for the test, which looks at the directory first.
const AFTER_INPUT = "await Bun.stdin.text();";
const endInput = ({ stdin }: Bun.Subprocess) => (stdin as Bun.FileSink).end();

test.each([
  ["SIGINT", 130],
  ["SIGTERM", 143],
  ["SIGHUP", 129],
] as const)("the directory is removed at %s", async (signal, code) => {
  expect(await endAfter(WAIT_FOREVER, (owner) => owner.kill(signal))).toEqual({ code, isLeft: false });
});

test.each([
  ["an error", `${AFTER_INPUT} throw new Error("some")`, 1],
  ["an exit", `${AFTER_INPUT} process.exit(3)`, 3],
  ["the end", AFTER_INPUT, 0],
])("the directory is removed at %s", async (_, script, code) => {
  expect(await endAfter(script, endInput)).toEqual({ code, isLeft: false });
});
