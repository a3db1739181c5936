import type { Compilable, CompiledQuery, DatabaseConnection, QueryResult } from "kysely";
import type { Sql } from "./schema.ts";

/** A placeholder for a value while a query is compiled; marks where the value goes. */
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

/** A statement run once for each of many parameter rows. */
export interface EachQuery extends CompiledQuery {
  readonly each: readonly (readonly unknown[])[];
}

/**
 * A query that is built and compiled once per engine, then run with new values. Building a query costs several times as
 * much as running it on SQLite, so hot queries are statements. Its shape must not depend on values.
 */
export function statement<I extends object, R>(
  build: (sql: Sql, input: I) => Compilable<R>,
): (sql: Sql, input: I) => Promise<R[]> {
  const compiledFor = compileOnce(build);
  return async (sql, input) => {
    const compiled = compiledFor(sql);
    const { rows } = await execute<R>(sql, { ...compiled.query, parameters: parametersOf(compiled, input) });
    return rows;
  };
}

/** The same for many rows, with little overhead per row. */
export function statementForEach<I extends object, R>(
  build: (sql: Sql, input: I) => Compilable<R>,
): (sql: Sql, inputs: readonly I[]) => Promise<void> {
  const compiledFor = compileOnce(build);
  return async (sql, inputs) => {
    const compiled = compiledFor(sql);
    const each = inputs.map((input) => parametersOf(compiled, input));
    const query: EachQuery = { ...compiled.query, each };
    await execute(sql, query);
  };
}

function compileOnce<I extends object, R>(build: (sql: Sql, input: I) => Compilable<R>): (sql: Sql) => Compiled {
  const compiledBy = new WeakMap<object, Compiled>();
  return (sql) => {
    // A transaction shares its connection's adapter.
    const engine = sql.getExecutor().adapter;
    const known = compiledBy.get(engine);
    if (known) return known;
    const compiled = compile(sql, build);
    compiledBy.set(engine, compiled);
    return compiled;
  };
}

const parametersOf = ({ parameters }: Compiled, input: object): unknown[] =>
  parameters.map((value) =>
    value instanceof Placeholder ? (input as Record<PropertyKey, unknown>)[value.name] : value,
  );

const connections = new WeakMap<Sql, DatabaseConnection>();

/** For engines that send statements without waiting for the answers to those before: those of `atOnce` needn't queue. */
export async function sendAtOnce(tx: Sql): Promise<void> {
  connections.set(tx, await tx.getExecutor().provideConnection(async (connection) => connection));
}

/** Bypasses the query executor, which only applies plugins and costs more than a small statement. */
export function execute<R>(sql: Sql, query: CompiledQuery): Promise<QueryResult<R>> {
  const connection = connections.get(sql);
  if (connection) return connection.executeQuery<R>(query);
  return sql.getExecutor().provideConnection((provided) => provided.executeQuery<R>(query));
}

/**
 * Waits for parts of a transaction that don't need each other's results; a server gets their statements in one round trip,
 * in this order. Nothing goes on after it: what failed first is thrown once all have ended.
 */
export async function atOnce<T extends readonly Promise<unknown>[]>(
  ...parts: T
): Promise<{ -readonly [K in keyof T]: Awaited<T[K]> }> {
  await Promise.allSettled(parts);
  return Promise.all(parts);
}

function compile<I extends object, R>(sql: Sql, build: (sql: Sql, input: I) => Compilable<R>): Compiled {
  const placeholders = new Proxy({} as I, { get: (_, name) => new Placeholder(name) });
  const query = build(sql, placeholders).compile();
  return { query, parameters: query.parameters };
}
