import { Database } from "bun:sqlite";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { migrateSqlite } from "#engines/records/sqlite/migrate.ts";
import { seededRandom, zipfRanks } from "#kernel/seeded-random.ts";
import { fillRecords } from "./fill-records.ts";
import { type AccountPlan, newUniqueSlug } from "./link-rows.ts";
import { BIG_SHARE } from "./prepared-data.ts";

const SMALL_ACCOUNT_LINKS = 100;
const POPULAR_DRAWS = 200_000;
const UNKNOWN_PATHS = 1_000_000;

/** A database with links, and the paths that visitors use. */
function fill(directory: string, links: number): void {
  const path = join(directory, "records.db");
  migrateSqlite(path);
  const database = new Database(path);
  database.run("pragma journal_mode = off");
  database.run("pragma synchronous = off");
  database.run("pragma cache_size = -1000000");
  fillRecords(database, accountPlans(links));
  database.run("pragma journal_mode = wal");
  const rows = database.query("select key from links where state = 'active' order by no").values() as [string][];
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

/** One path per line, each of ten bytes, since wrk.lua seeks in the files. */
function writePaths(directory: string, slugs: readonly string[]): void {
  const random = seededRandom(2);
  // Popularity is independent of age.
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

const [, , directory = "", links = ""] = Bun.argv;
fill(directory, Number(links));
