import { Database, type SQLQueryBindings } from "bun:sqlite";
import { dataPaths } from "#config/data-paths.ts";
import type { KurzServer } from "./kurz-server.ts";

/** Changes the records behind the server's back, to simulate the passing of time. */
export function changeRecords(
  { dataDir }: Pick<KurzServer, "dataDir">,
  sql: string,
  ...values: SQLQueryBindings[]
): void {
  const records = new Database(dataPaths(dataDir).records);
  try {
    records.run("pragma busy_timeout = 5000");
    records.run(sql, values);
  } finally {
    records.close();
  }
}

/** Reads what no operation shows, such as audit entries without an account. */
export function readRecords<T>(
  { dataDir }: Pick<KurzServer, "dataDir">,
  sql: string,
  ...values: SQLQueryBindings[]
): readonly T[] {
  const records = new Database(dataPaths(dataDir).records, { readonly: true });
  try {
    return records.query(sql).all(...values) as T[];
  } finally {
    records.close();
  }
}
