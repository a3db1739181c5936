import { Database } from "bun:sqlite";
import { createHash } from "node:crypto";
import { chmodSync, cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, renameSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { migrations } from "#engines/records/migrations/all.ts";

/** To be raised when other links are made, so that nobody measures old ones. */
const DATA_VERSION = 1;
/** How much of all links the big account holds. */
export const BIG_SHARE = 0.9;

export interface PreparedData {
  readonly links: number;
  /** The path of a database that may be changed. */
  readonly dataDir: string;
  readonly bigAccount: string;
  readonly smallAccount: string;
  /** In the big account, where half of its list lies on either side. */
  readonly middle: { readonly id: string; readonly created_at: number; readonly no: number };
  /** Paths of links as visitors open them, by Zipf's law. */
  readonly popularFile: string;
  /** Paths of links that are not among the popular ones. */
  readonly coldFile: string;
  readonly unknownFile: string;
}

/** A data directory of its own with so many links: nine tenths in one account, the others in accounts of a hundred. */
export async function prepareData(links: number, say: (text: string) => void): Promise<PreparedData> {
  const stored = await findOrFill(links, say);
  const dataDir = mkdtempSync(join(tmpdir(), "kurz-bench-data-"));
  cpSync(join(stored, "records.db"), join(dataDir, "records.db"));
  const database = new Database(join(dataDir, "records.db"), { readonly: true });
  try {
    const accountId = (no: number): string =>
      (database.query("select id from accounts where no = ?").get(no) as { id: string }).id;
    const middle = database.query("select id, created_at, no from links where no = ?").get((links * BIG_SHARE) / 2);
    return {
      links,
      dataDir,
      bigAccount: accountId(1),
      smallAccount: accountId(2),
      middle: middle as PreparedData["middle"],
      popularFile: join(stored, "popular.txt"),
      coldFile: join(stored, "cold.txt"),
      unknownFile: join(stored, "unknown.txt"),
    };
  } finally {
    database.close();
  }
}

/** Kept between runs, since filling a million links takes more than a minute. */
async function findOrFill(links: number, say: (text: string) => void): Promise<string> {
  const cache = join(tmpdir(), `kurz-bench-cache-${process.getuid?.() ?? 0}`);
  mkdirSync(cache, { recursive: true, mode: 0o700 });
  chmodSync(cache, 0o700);
  const key = createHash("sha256")
    .update(`${DATA_VERSION} ${migrations.map(({ sqlite }) => sqlite).join()}`)
    .digest("hex")
    .slice(0, 12);
  const stored = join(cache, `${links}-${key}`);
  if (existsSync(stored)) return stored;
  for (const old of readdirSync(cache).filter((name) => name.startsWith(`${links}-`))) {
    rmSync(join(cache, old), { recursive: true });
  }
  const started = performance.now();
  say(`filling a database with ${links} links`);
  const filling = mkdtempSync(join(cache, "filling-"));
  // In a process of its own: it takes all of one, and servers are starting meanwhile.
  const child = Bun.spawn([process.execPath, join(import.meta.dir, "fill-directory.ts"), filling, String(links)]);
  if ((await child.exited) !== 0) throw new Error("the database could not be filled");
  renameSync(filling, stored);
  say(`filled in ${((performance.now() - started) / 1000).toFixed(0)} s; kept in ${cache} for the next run`);
  return stored;
}
