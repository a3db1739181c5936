import type { Compilable, CompiledQuery } from "kysely";
import type { Sql } from "./schema.ts";

/** Stands for a value while a query is compiled, and tells afterwards where the value goes. */
class Placeholder {
  readonly name: PropertyKey;

  constructor(name: PropertyKey) {
    this.name = name;
  }
}

interface Compiled {
  readonly query: CompiledQuery;
  readonly parameters: readonly unknown[];
}

/**
 * A query that is built and compiled once for each engine and then run with new values. Building one costs several
 * times what SQLite takes to answer it, so queries of every request are statements. Its shape must not depend on values.
 */
export function statement<I extends object, R>(
  build: (sql: Sql, input: I) => Compilable<R>,
): (sql: Sql, input: I) => Promise<R[]> {
  const compiledBy = new WeakMap<object, Compiled>();
  return async (sql, input) => {
    // A transaction shares the adapter of the connection it was opened on.
    const engine = sql.getExecutor().adapter;
    let compiled = compiledBy.get(engine);
    if (!compiled) {
      compiled = compile(sql, build);
      compiledBy.set(engine, compiled);
    }
    const parameters = compiled.parameters.map((value) =>
      value instanceof Placeholder ? (input as Record<PropertyKey, unknown>)[value.name] : value,
    );
    const { rows } = await sql.executeQuery<R>({ ...compiled.query, parameters } as CompiledQuery<R>);
    return rows;
  };
}

function compile<I extends object, R>(sql: Sql, build: (sql: Sql, input: I) => Compilable<R>): Compiled {
  const placeholders = new Proxy({} as I, { get: (_, name) => new Placeholder(name) });
  const query = build(sql, placeholders).compile();
  return { query, parameters: query.parameters };
}
