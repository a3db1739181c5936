import type { DuckDBConnection } from "@duckdb/node-api";

export type Cell = string | number | boolean | null;
export type Row = readonly Cell[];

/** One connection. Strings are always bound; only numbers are written into the SQL. */
export interface Session {
  /** Returns how many rows changed. */
  run(sql: string, values?: readonly string[]): Promise<number>;
  /** For at most a few thousand rows: converting them blocks the event loop. */
  rows(sql: string, values?: readonly string[]): Promise<readonly Row[]>;
}

export function sessionOn(connection: DuckDBConnection): Session {
  const read = (sql: string, values?: readonly string[]) =>
    connection.runAndReadAll(sql, values && values.length > 0 ? [...values] : undefined);
  return {
    run: async (sql, values) => (await read(sql, values)).rowsChanged,
    // Statements here only select strings, booleans and numbers cast to double.
    rows: async (sql, values) => (await read(sql, values)).getRows() as Row[],
  };
}

/** An integer as SQL. */
export function int(value: number): string {
  if (!Number.isSafeInteger(value)) throw new Error(`${value} is not a whole number`);
  return String(value);
}

export const intList = (values: readonly number[]): string => `[${values.map(int).join(", ")}]::bigint[]`;

/** `$1, $2 …`, one for each value. */
export const parameters = (values: readonly unknown[]): string => values.map((_, index) => `$${index + 1}`).join(", ");

/** A trusted string as an SQL literal, where DuckDB accepts no parameter. */
export const literal = (text: string): string => `'${text.replaceAll("'", "''")}'`;

export async function inTransaction<T>(
  session: Session,
  begin: "begin" | "begin transaction read only",
  work: (session: Session) => Promise<T>,
): Promise<T> {
  await session.run(begin);
  try {
    const result = await work(session);
    await session.run("commit");
    return result;
  } catch (error) {
    // The caller needs the first error; a failed commit has already rolled back.
    await session.run("rollback").catch(() => {});
    throw error;
  }
}
