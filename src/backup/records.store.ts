import { openSqlite } from "#engines/records/sqlite-connection.ts";
import type { JournalCut } from "./journal-cut.ts";

/** Writes one snapshot of the records to a new file; synchronous, like SQLite. */
export function writeSnapshot(from: string, to: string): void {
  const database = openSqlite({ path: from, readonly: true });
  try {
    database.run("vacuum into ?", [to]);
  } finally {
    database.close();
  }
}

/** How much of each journal segment the click counts in a records file include. */
export function readClickPositions(path: string): JournalCut {
  const database = openSqlite({ path, readonly: true });
  try {
    const [table] = database.query("select 1 from sqlite_schema where name = 'click_positions'").all();
    if (table === undefined) return new Map();
    return new Map(database.query("select segment, position from click_positions").values() as [string, number][]);
  } finally {
    database.close();
  }
}

export function countLinks(path: string): number {
  const database = openSqlite({ path, readonly: true });
  try {
    return (database.query("select count(*) as links from links").get() as { links: number }).links;
  } finally {
    database.close();
  }
}
