import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";

const MARKER = "kurz-demo";
const MARKER_TEXT = "The demo creates and deletes everything in this directory.\n";

/** The file with the number of the current generation. */
const CURRENT = "current";

export const isDemoDirectory = (directory: string): boolean => existsSync(join(directory, MARKER));

/** The demo deletes data, so it only uses a directory that is empty or its own. */
export function claimDemoDirectory(directory: string): void {
  if (isDemoDirectory(directory)) return;
  if (existsSync(directory) && readdirSync(directory).some((name) => !name.startsWith("."))) {
    throw new Error(`${directory} contains data that is not the demo's; set KURZ_DATA_DIR to another directory`);
  }
  mkdirSync(directory, { recursive: true, mode: 0o700 });
  writeFileSync(join(directory, MARKER), MARKER_TEXT, { mode: 0o600 });
}

/** Real data must not be stored where the demo would delete it. */
export function refuseDemoDirectory(directory: string): void {
  if (isDemoDirectory(directory)) {
    throw new Error(
      `${directory} belongs to the demo; set KURZ_DEMO=1 to run it, or set KURZ_DATA_DIR to another directory`,
    );
  }
}

/** Removes what an earlier run left behind. */
export function clearGenerations(directory: string): void {
  const left = readdirSync(directory).filter((entry) => entry === CURRENT || /^generation-\d+$/.test(entry));
  for (const name of left) rmSync(join(directory, name), { recursive: true, force: true });
}

/** Atomic: a reader finds the previous generation or this one. */
export function setCurrentGeneration(directory: string, generation: number): void {
  const temporary = join(directory, `${CURRENT}.new`);
  writeFileSync(temporary, `${generation}\n`, { mode: 0o600 });
  renameSync(temporary, join(directory, CURRENT));
}

export function findCurrentGeneration(directory: string): number | null {
  const path = join(directory, CURRENT);
  return existsSync(path) ? Number(readFileSync(path, "utf8")) : null;
}
