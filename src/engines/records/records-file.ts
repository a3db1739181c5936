import { existsSync, statSync } from "node:fs";
import type { RecordsFilePlace, RecordsPlace } from "../places.ts";
import { explainDamage } from "./damage.ts";
import { findSchemaVersion } from "./schema-version.ts";
import { openSqlite } from "./sqlite/connection.ts";
import { bytesToRewrite, rewriteErased } from "./sqlite/rewrite.ts";

/** What can be done with records that are a file of this node; a server for records has its own tools for it. */
export interface RecordsFile {
  readonly path: string;
  /** Read without changing anything; `undefined` if there is no file. */
  schemaVersion(): number | undefined;
  /** Where changes are before they are in the file itself. */
  readonly logPath: string;
  /** Rolls back a first write that was interrupted, if any: the file is unreadable until then. */
  undoUnfinished(): void;
  /** How many bytes `rewriteErased` will write; 0 if it has nothing to do. */
  bytesToRewrite(): number;
  /** Removes what is left of deleted data. Nothing else may use the file. */
  rewriteErased(): void;
  /** Writes one snapshot to a new file; blocks the thread until it is done. */
  writeSnapshot(to: string): void;
  /** How much of each journal segment the click counts include. */
  readClickPositions(): ReadonlyMap<string, number>;
  countLinks(): number;
  /** Adds the file and the remedy to an error about a damaged file; returns other errors unchanged. */
  explainDamage(error: unknown): unknown;
}

export function recordsFile({ path }: RecordsFilePlace): RecordsFile {
  const read = <T>(query: (database: ReturnType<typeof openSqlite>) => T): T => {
    const database = openSqlite({ path, readonly: true });
    try {
      return query(database);
    } finally {
      database.close();
    }
  };
  return {
    path,
    schemaVersion: () => findSchemaVersion(path),
    logPath: `${path}-wal`,
    undoUnfinished() {
      const journal = statSync(`${path}-journal`, { throwIfNoEntry: false });
      if (journal && journal.size > 0 && existsSync(path)) openSqlite({ path, readonly: false }).close();
    },
    bytesToRewrite: () => bytesToRewrite(path),
    rewriteErased: () => void rewriteErased(path),
    writeSnapshot: (to) => void read((database) => database.run("vacuum into ?", [to])),
    readClickPositions: () =>
      read((database) => {
        const [table] = database.query("select 1 from sqlite_schema where name = 'click_positions'").all();
        if (table === undefined) return new Map();
        return new Map(database.query("select segment, position from click_positions").values() as [string, number][]);
      }),
    countLinks: () =>
      read((database) => (database.query("select count(*) as links from links").get() as { links: number }).links),
    explainDamage: (error) => explainDamage(path, error),
  };
}

/** `null` if the records are on a server. */
export const findRecordsFile = (place: RecordsPlace): RecordsFile | null =>
  "path" in place ? recordsFile(place) : null;
