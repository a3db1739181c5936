import type { SQLQueryBindings } from "bun:sqlite";
import { RecordsUnavailable } from "./records.ts";
import { openSqlite, SqliteConnection } from "./sqlite-connection.ts";
import type { ScanAnswer, ScanRequest } from "./sqlite-scan.ts";

declare const self: Worker;

let connection: SqliteConnection | null = null;

self.onmessage = ({ data }: MessageEvent<ScanRequest>) => {
  const { id, path, sql, parameters } = data;
  try {
    connection ??= new SqliteConnection(openSqlite({ path, readonly: true }));
    const { rows } = connection.run(sql, parameters as SQLQueryBindings[]);
    self.postMessage({ id, rows } satisfies ScanAnswer);
  } catch (error) {
    self.postMessage({
      id,
      error: String(error),
      unavailable: error instanceof RecordsUnavailable,
    } satisfies ScanAnswer);
  }
};
