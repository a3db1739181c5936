import { existsSync, mkdirSync, rmSync } from "node:fs";
import { dirname, join } from "node:path";
import { replaceDurably } from "../../durable-files.ts";
import { textGroups } from "../click-format.ts";
import { ClicksUnavailable } from "../clicks-engine.ts";
import { literal, type Session } from "./session.ts";

const ERASED = "(select count(*) from erased_links) + (select count(*) from erased_accounts)";

/** No link has these numbers; counted as one more erased link, they make the file be rewritten, which drops them. */
export const REWRITE_AGAIN = "insert into erased_links values (0, 0)";

/** Where the replacement file is written; statements can access nothing else there. */
export const draftDirectoryOf = (path: string): string => join(dirname(path), "clicks.rewrite");

export const draftOf = (path: string): string => join(draftDirectoryOf(path), "clicks.duckdb");

/** Whether the file may still contain erased data. */
export async function hasErased(session: Session): Promise<boolean> {
  const [row] = await session.rows(`select ${ERASED} > (select coalesce(max(erased), 0) from rewrites)`);
  return row?.[0] === true;
}

/** What isn't copied as it is: of texts, only those that a click still has. */
const remaining = new Map<string, string>([
  ["rewrites", "where false"],
  ["erased_links", "where link_no <> 0"],
  ...textGroups.map(({ name, table }): [string, string] => [
    table,
    `where no in (${["clicks", "compacted_clicks", "imported_clicks", "imported_visits"]
      .map((from) => `select ${name}_no from ${from}`)
      .join(" union ")})`,
  ]),
]);

async function tablesOf(session: Session): Promise<string[]> {
  const rows = await session.rows(
    "select table_name from duckdb_tables() where database_name = current_database() and not temporary",
  );
  return rows.map(([name]) => String(name));
}

/**
 * Copies all remaining data into a new file. DuckDB only marks rows as deleted while others in their row group remain,
 * and free blocks keep their old contents: only a new file is free of them.
 */
export async function writeDraft(session: Session, path: string): Promise<void> {
  discardDraft(path);
  mkdirSync(draftDirectoryOf(path), { mode: 0o700 });
  const [row] = await session.rows("select current_database()");
  await session.run(`attach ${literal(draftOf(path))} as draft`);
  try {
    await session.run(`copy from database ${quoted(String(row?.[0]))} to draft (schema)`);
    for (const table of await tablesOf(session)) {
      await session.run(`insert into draft.${table} select * from ${table} ${remaining.get(table) ?? ""}`);
    }
    await session.run(
      "insert into draft.rewrites select (select count(*) from draft.erased_links) + (select count(*) from draft.erased_accounts)",
    );
    await session.run("force checkpoint draft");
  } finally {
    await session.run("detach database if exists draft");
  }
}

/**
 * Replaces the file, which must be closed, with the draft. A remaining log means it couldn't be checkpointed, for example
 * on a full disk: the draft already contains its clicks, and DuckDB would count them twice.
 */
export function putDraftInPlace(path: string): void {
  if (existsSync(`${path}.wal`)) throw new ClicksUnavailable("The clicks file wasn't closed cleanly.");
  replaceDurably(draftOf(path), path);
}

export const discardDraft = (path: string): void => rmSync(draftDirectoryOf(path), { recursive: true, force: true });

const quoted = (name: string): string => `"${name.replaceAll('"', '""')}"`;
