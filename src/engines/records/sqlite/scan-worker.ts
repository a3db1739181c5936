import { answerCalls } from "#kernel/worker-calls.ts";
import { RecordsUnavailable } from "../records.ts";
import { openSqlite, SqliteConnection } from "./connection.ts";
import type { ScanAnswer, ScanRequest } from "./scan.ts";

let connection: SqliteConnection | null = null;

answerCalls(({ path, sql, parameters }: ScanRequest): ScanAnswer => {
  try {
    connection ??= new SqliteConnection(openSqlite({ path, readonly: true }));
    return { rows: connection.run(sql, parameters).rows as unknown[] };
  } catch (error) {
    // An error's class is lost when it is posted to the main thread.
    if (error instanceof RecordsUnavailable) return { unavailable: String(error) };
    throw error;
  }
});
