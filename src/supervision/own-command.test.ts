import { afterEach, beforeEach, expect, test } from "bun:test";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

const parent = join(import.meta.dir, "fixtures", "restarting-parent.ts");
let directory: string;

beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), "kurz-own-command-"));
});
afterEach(() => rmSync(directory, { recursive: true }));

test.each([
  ["given as --env-file=…", (file: string) => [`--env-file=${file}`]],
  ["given as --env-file …", (file: string) => ["--env-file", file]],
  ["in the current directory", () => []],
])("a .env file %s is not read again by a restarted process", async (_, options) => {
  const file = join(directory, ".env");
  writeFileSync(file, "KURZ_PORT=1\n");
  const env = Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith("KURZ_")));
  const run = Bun.spawn([process.execPath, ...options(file), "--config=/dev/null", parent, "parent", file], {
    cwd: directory,
    env,
    stderr: "inherit",
  });
  expect(await new Response(run.stdout).json()).toEqual({ KURZ_PORT: "1" });
  expect(await run.exited).toBe(0);
});
