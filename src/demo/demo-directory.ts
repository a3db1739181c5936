import { existsSync, mkdirSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";

const MARKER = "kurz-demo";
const MARKER_TEXT = "Everything in this directory is made up by the demo and deleted by it.\n";

const isDemoDirectory = (directory: string): boolean => existsSync(join(directory, MARKER));

/** A demo deletes what it finds, so it works in a directory that it made itself or that is empty. */
export function claimDemoDirectory(directory: string): void {
  if (isDemoDirectory(directory)) return;
  if (existsSync(directory) && readdirSync(directory).length > 0) {
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
  for (const name of readdirSync(directory).filter((entry) => /^generation-\d+$/.test(entry))) {
    rmSync(join(directory, name), { recursive: true, force: true });
  }
}
