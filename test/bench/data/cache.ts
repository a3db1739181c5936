import { chmodSync, existsSync, mkdirSync, mkdtempSync, readdirSync, renameSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

export interface Cached {
  /** The kind of data; only the newest of a kind is kept. */
  readonly kind: string;
  /** Changes whenever the data would differ. */
  readonly version: string;
  /** A script that runs in its own process, with an empty directory and these arguments. */
  readonly script: string;
  readonly args: readonly string[];
  readonly say: (text: string) => void;
}

/** A directory of data that takes minutes to create and is kept between runs. */
export async function findOrMake({ kind, version, script, args, say }: Cached): Promise<string> {
  const cache = join(tmpdir(), `kurz-bench-cache-${process.getuid?.() ?? 0}`);
  mkdirSync(cache, { recursive: true, mode: 0o700 });
  chmodSync(cache, 0o700);
  const stored = join(cache, `${kind}-${version}`);
  if (existsSync(stored)) return stored;
  for (const old of readdirSync(cache).filter((name) => name.startsWith(`${kind}-`))) {
    rmSync(join(cache, old), { recursive: true });
  }
  const started = performance.now();
  say(`making the data "${kind}"`);
  const making = mkdtempSync(join(cache, "making-"));
  const child = Bun.spawn([process.execPath, join(import.meta.dir, script), making, ...args]);
  if ((await child.exited) !== 0) throw new Error(`${kind} could not be created`);
  renameSync(making, stored);
  say(`made in ${((performance.now() - started) / 1000).toFixed(0)} s; kept in ${cache} for the next run`);
  return stored;
}
