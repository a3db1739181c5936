import { Database } from "bun:sqlite";
import { createHash } from "node:crypto";
import { cpSync, mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { migrations } from "#engines/records/migrations/all.ts";
import { findOrMake } from "./cache.ts";

/** To be raised when links are generated differently, so that nobody measures old ones. */
const DATA_VERSION = 2;
/** The share of all links in the big account. */
export const BIG_SHARE = 0.9;

export interface PreparedData {
  readonly links: number;
  /** The path of a database that may be changed. */
  readonly dataDir: string;
  readonly bigAccount: string;
  readonly smallAccount: string;
  /** In the middle of the big account's list. */
  readonly middle: { readonly id: string; readonly created_at: number; readonly no: number };
  /** Paths of links as visitors use them, by Zipf's law. */
  readonly popularFile: string;
  /** Paths of links that aren't popular. */
  readonly coldFile: string;
  readonly unknownFile: string;
}

/** A new data directory with that many links: nine tenths in one account, the rest in accounts of a hundred. */
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

function findOrFill(links: number, say: (text: string) => void): Promise<string> {
  const version = createHash("sha256")
    .update(`${DATA_VERSION} ${migrations.map(({ sqlite }) => sqlite).join()}`)
    .digest("hex")
    .slice(0, 12);
  return findOrMake({ kind: String(links), version, script: "fill-directory.ts", args: [String(links)], say });
}
