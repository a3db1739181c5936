import { Database } from "bun:sqlite";
import { createHash } from "node:crypto";
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { migrateSqlite } from "#engines/records/migrate-sqlite.ts";
import { migrations } from "#engines/records/migrations/all.ts";
import { fillRecords } from "./fill-records.ts";
import { type AccountPlan, newUniqueSlug } from "./link-rows.ts";
import { seededRandom, zipfRanks } from "./random.ts";

/** To be raised when other links are made, so that nobody measures old ones. */
const DATA_VERSION = 1;
const SMALL_ACCOUNT_LINKS = 100;
const BIG_SHARE = 0.9;
const POPULAR_DRAWS = 200_000;
const UNKNOWN_PATHS = 1_000_000;
/** A slash, eight characters and a line feed. */
export const PATH_LINE_BYTES = 10;

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
export function prepareData(links: number, say: (text: string) => void): PreparedData {
  const stored = findOrFill(links, say);
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
function findOrFill(links: number, say: (text: string) => void): string {
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
  fill(filling, links);
  renameSync(filling, stored);
  say(`filled in ${((performance.now() - started) / 1000).toFixed(0)} s; kept in ${cache} for the next run`);
  return stored;
}

function fill(directory: string, links: number): void {
  const path = join(directory, "records.db");
  migrateSqlite(path);
  const database = new Database(path);
  database.run("pragma journal_mode = off");
  database.run("pragma synchronous = off");
  database.run("pragma cache_size = -1000000");
  fillRecords(database, accountPlans(links));
  database.run("pragma journal_mode = wal");
  const rows = database.query("select slug from links where state = 'active' order by no").values() as [string][];
  database.close();
  writePaths(
    directory,
    rows.map(([slug]) => slug),
  );
}

function accountPlans(links: number): AccountPlan[] {
  const smallAccounts = Math.round((links * (1 - BIG_SHARE)) / SMALL_ACCOUNT_LINKS);
  const small = Array.from({ length: smallAccounts }, (_, index) => ({ no: index + 2, links: SMALL_ACCOUNT_LINKS }));
  return [{ no: 1, links: links - smallAccounts * SMALL_ACCOUNT_LINKS }, ...small];
}

function writePaths(directory: string, slugs: readonly string[]): void {
  const random = seededRandom(2);
  // Popularity has nothing to do with age.
  const byRank = shuffle(slugs, random);
  const drawRank = zipfRanks(byRank.length, random);
  const popular = Array.from({ length: POPULAR_DRAWS }, () => byRank[drawRank()] ?? "");
  const opened = new Set(popular);
  const taken = new Set(slugs);
  const write = (name: string, paths: readonly string[]): void =>
    writeFileSync(join(directory, name), paths.map((slug) => `/${slug}\n`).join(""));
  write("popular.txt", popular);
  write(
    "cold.txt",
    byRank.filter((slug) => !opened.has(slug)),
  );
  write(
    "unknown.txt",
    Array.from({ length: UNKNOWN_PATHS }, () => newUniqueSlug(random, taken)),
  );
}

function shuffle(values: readonly string[], random: () => number): string[] {
  const shuffled = [...values];
  for (let last = shuffled.length - 1; last > 0; last -= 1) {
    const other = Math.floor(random() * (last + 1));
    [shuffled[last], shuffled[other]] = [shuffled[other] ?? "", shuffled[last] ?? ""];
  }
  return shuffled;
}
