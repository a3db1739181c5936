import { Database } from "bun:sqlite";
import { dataPaths } from "#config/data-paths.ts";
import type { KurzServer } from "./kurz-server.ts";
import { findDatabase } from "./profile.ts";

type Value = string | number | null;

/** Changes the records behind the server's back, to simulate the passing of time. */
export function changeRecords({ dataDir }: Pick<KurzServer, "dataDir">, sql: string, ...values: Value[]): void {
  const url = findDatabase(dataDir);
  if (url !== null) return void runPsql(url, withValues(sql, values));
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
  ...values: Value[]
): readonly T[] {
  const url = findDatabase(dataDir);
  if (url !== null) {
    const rows = `select coalesce(json_agg(rows), '[]') from (${withValues(sql, values)}) as rows`;
    return JSON.parse(runPsql(url, rows)) as T[];
  }
  const records = new Database(dataPaths(dataDir).records, { readonly: true });
  try {
    return records.query(sql).all(...values) as T[];
  } finally {
    records.close();
  }
}

/** Every row of every table as text; `null` if the records are in a file. */
export function dumpDatabase({ dataDir }: Pick<KurzServer, "dataDir">): string | null {
  const url = findDatabase(dataDir);
  return url === null ? null : run("pg_dump", "--data-only", url);
}

const runPsql = (url: string, sql: string): string => run("psql", "-XqAt", "-v", "ON_ERROR_STOP=1", "-c", sql, url);

/** Synchronous, as SQLite is. */
function run(...command: string[]): string {
  const { stdout, stderr, exitCode } = Bun.spawnSync(command);
  if (exitCode !== 0) throw new Error(`${command[0]}: ${stderr}`);
  return stdout.toString();
}

function withValues(sql: string, values: readonly Value[]): string {
  const rest = [...values];
  return sql.replace(/\?/g, () => {
    const value = rest.shift() ?? null;
    return typeof value === "string" ? `'${value.replaceAll("'", "''")}'` : String(value);
  });
}
