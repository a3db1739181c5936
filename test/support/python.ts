import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { removeAtExit } from "./remove-at-exit.ts";

export const PYTHON_CLIENT = join(import.meta.dir, "..", "..", "python");

/** The system's, with the packages that the tests install. */
export const PYTHON_PROGRAM = "/usr/bin/python3";

export interface Finished {
  readonly code: number;
  readonly output: string;
}

export async function runProgram(
  command: readonly string[],
  { cwd = PYTHON_CLIENT, env = {} }: { readonly cwd?: string; readonly env?: Readonly<Record<string, string>> } = {},
): Promise<Finished> {
  const child = Bun.spawn([...command], {
    cwd,
    env: { PATH: process.env.PATH ?? "", HOME: process.env.HOME ?? "", PYTHONDONTWRITEBYTECODE: "1", ...env },
    stdout: "pipe",
    stderr: "pipe",
    stdin: "ignore",
  });
  const [out, err, code] = await Promise.all([child.stdout.text(), child.stderr.text(), child.exited]);
  return { code, output: out + err };
}

/** A Python of its own, without any package. Nothing is fetched. */
export async function newVirtualPython(): Promise<string> {
  const directory = mkdtempSync(join(tmpdir(), "kurz-python-"));
  removeAtExit(directory);
  const { code, output } = await runProgram([PYTHON_PROGRAM, "-m", "venv", directory]);
  if (code !== 0) throw new Error(output);
  return join(directory, "bin", "python");
}
