import { existsSync, mkdirSync, rmSync } from "node:fs";
import { dirname, join } from "node:path";
import { replaceDurably } from "../durable-files.ts";
import { ClicksUnavailable } from "./clicks-engine.ts";
import { int, literal, type Session } from "./duckdb-session.ts";

const ERASED = "(select count(*) from erased_links) + (select count(*) from erased_accounts)";

/** Where a file that is to take the place of this one is written; statements may reach nothing else there. */
export const draftDirectoryOf = (path: string): string => join(dirname(path), "clicks.rewrite");

export const draftOf = (path: string): string => join(draftDirectoryOf(path), "clicks.duckdb");

/** Whether anything was erased that the file may still hold. */
export async function hasErased(session: Session): Promise<boolean> {
  const [row] = await session.rows(`select ${ERASED} > (select coalesce(max(erased), 0) from rewrites)`);
  return row?.[0] === true;
}

/**
 * Writes everything that is left into a new file. DuckDB marks rows as deleted and keeps them, as long as others of
 * their row group are there, and what it wrote before stays in free blocks: only a new file is without them.
 */
export async function writeDraft(session: Session, path: string): Promise<void> {
  discardDraft(path);
  mkdirSync(draftDirectoryOf(path), { mode: 0o700 });
  const [row] = await session.rows(`select current_database(), (${ERASED})::double`);
  await session.run(`attach ${literal(draftOf(path))} as draft`);
  try {
    await session.run(`copy from database ${quoted(String(row?.[0]))} to draft`);
    await session.run("delete from draft.rewrites");
    await session.run(`insert into draft.rewrites values (${int(Number(row?.[1]))})`);
    await session.run("force checkpoint draft");
  } finally {
    await session.run("detach database if exists draft");
  }
}

/**
 * Lets the draft take the place of the file, which must be closed. A log that is still there could not be worked into the
 * old file, as on a full disk: the draft has all that is in it, and DuckDB would count it once more.
 */
export function putDraftInPlace(path: string): void {
  if (existsSync(`${path}.wal`)) throw new ClicksUnavailable("The clicks file was not closed as a whole.");
  replaceDurably(draftOf(path), path);
}

export const discardDraft = (path: string): void => rmSync(draftDirectoryOf(path), { recursive: true, force: true });

const quoted = (name: string): string => `"${name.replaceAll('"', '""')}"`;
