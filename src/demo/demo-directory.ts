import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";

const MARKER = "kurz-demo";
const MARKER_TEXT = "Everything in this directory is made up by the demo and deleted by it.\n";

/** Holds the number of the generation that serves. */
const CURRENT = "current";

export const isDemoDirectory = (directory: string): boolean => existsSync(join(directory, MARKER));

/** A demo deletes what it finds, so it works in a directory that it made itself or that is empty. */
export function claimDemoDirectory(directory: string): void {
  if (isDemoDirectory(directory)) return;
  if (existsSync(directory) && readdirSync(directory).some((name) => !name.startsWith("."))) {
    throw new Error(`${directory} holds other data than a demo's; name another directory in KURZ_DATA_DIR`);
  }
  mkdirSync(directory, { recursive: true, mode: 0o700 });
  writeFileSync(join(directory, MARKER), MARKER_TEXT, { mode: 0o600 });
}

/** What is real must not lie where a demo would delete it. */
export function refuseDemoDirectory(directory: string): void {
  if (isDemoDirectory(directory)) {
    throw new Error(`${directory} belongs to the demo; start it with KURZ_DEMO=1 or name another KURZ_DATA_DIR`);
  }
}

/** Removes what an earlier run left. */
export function clearGenerations(directory: string): void {
  const left = readdirSync(directory).filter((entry) => entry === CURRENT || /^generation-\d+$/.test(entry));
  for (const name of left) rmSync(join(directory, name), { recursive: true, force: true });
}

/** In one step: whoever looks finds the one before or this one. */
export function nameCurrentGeneration(directory: string, generation: number): void {
  const draft = join(directory, `${CURRENT}.new`);
  writeFileSync(draft, `${generation}\n`, { mode: 0o600 });
  renameSync(draft, join(directory, CURRENT));
}

export function findCurrentGeneration(directory: string): number | null {
  const path = join(directory, CURRENT);
  return existsSync(path) ? Number(readFileSync(path, "utf8")) : null;
}
