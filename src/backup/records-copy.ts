import { openSqlite } from "#engines/records/sqlite-connection.ts";
import type { JournalCut } from "./journal-cut.ts";

/**
 * Writes the records of one moment to a new file. Others go on reading and writing meanwhile; the write-ahead log grows
 * until it is done.
 */
export function copyRecords(from: string, to: string): void {
  const database = openSqlite({ path: from, readonly: true });
  try {
    database.run("vacuum into ?", [to]);
  } finally {
    database.close();
  }
}

/** How far the click counts in a file of records have come. */
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
