import {
  type BinaryOperationNode,
  CompiledQuery,
  type DatabaseConnection,
  type DatabaseIntrospector,
  type Dialect,
  type DialectAdapter,
  type Driver,
  type Kysely,
  OperatorNode,
  PostgresAdapter,
  PostgresIntrospector,
  PostgresQueryCompiler,
  PrimitiveValueListNode,
  type QueryCompiler,
  type QueryResult,
  ValueListNode,
} from "kysely";
import type pg from "pg";
import { reasonOf } from "#kernel/error-text.ts";
import type { Availability } from "../../availability.ts";
import { RecordsUnavailable } from "../records.ts";
import type { EachQuery } from "../statement.ts";
import { storable } from "../storable-text.ts";
import { isLost, sqlStateOf, toRecordsError } from "./errors.ts";
import type { Explain } from "./newer-schema.ts";

export interface PostgresSource {
  acquire(): Promise<DatabaseConnection>;
  release(connection: DatabaseConnection): void;
  /** How a transaction begins. */
  readonly begin: string;
  close(): Promise<void>;
}

export class PostgresDialect implements Dialect {
  readonly #source: PostgresSource;

  constructor(source: PostgresSource) {
    this.#source = source;
  }

  createDriver(): Driver {
    return new PostgresDriver(this.#source);
  }

  createQueryCompiler(): QueryCompiler {
    return new EmptyListCompiler();
  }

  createAdapter(): DialectAdapter {
    return new PostgresAdapter();
  }

  createIntrospector(db: Kysely<unknown>): DatabaseIntrospector {
    return new PostgresIntrospector(db);
  }
}

/** SQLite accepts an empty list, PostgreSQL doesn't: nothing is in it. */
class EmptyListCompiler extends PostgresQueryCompiler {
  protected override visitBinaryOperation(node: BinaryOperationNode): void {
    const { operator, rightOperand } = node;
    const isIn = OperatorNode.is(operator) && operator.operator === "in";
    const isNotIn = OperatorNode.is(operator) && operator.operator === "not in";
    if ((isIn || isNotIn) && isEmptyList(rightOperand)) this.append(isIn ? "false" : "true");
    else super.visitBinaryOperation(node);
  }
}

const isEmptyList = (node: BinaryOperationNode["rightOperand"]): boolean =>
  (PrimitiveValueListNode.is(node) || ValueListNode.is(node)) && node.values.length === 0;

class PostgresDriver implements Driver {
  readonly #source: PostgresSource;

  constructor(source: PostgresSource) {
    this.#source = source;
  }

  async init(): Promise<void> {}

  acquireConnection(): Promise<DatabaseConnection> {
    return this.#source.acquire();
  }

  async releaseConnection(connection: DatabaseConnection): Promise<void> {
    this.#source.release(connection);
  }

  async beginTransaction(connection: DatabaseConnection): Promise<void> {
    if (connection instanceof PostgresConnection) connection.beginWithNext(this.#source.begin);
    else await connection.executeQuery(CompiledQuery.raw(this.#source.begin));
  }

  async commitTransaction(connection: DatabaseConnection): Promise<void> {
    if (connection instanceof PostgresConnection) await connection.commit();
    else await connection.executeQuery(CompiledQuery.raw("commit"));
  }

  async rollbackTransaction(connection: DatabaseConnection): Promise<void> {
    // Without its connection, the server rolls back by itself.
    if (connection instanceof PostgresConnection) await connection.rollback().catch(() => {});
    else await connection.executeQuery(CompiledQuery.raw("rollback")).catch(() => {});
  }

  async destroy(): Promise<void> {
    await this.#source.close();
  }
}

const CHANGES = new Set(["INSERT", "UPDATE", "DELETE", "MERGE"]);

interface ConnectionOptions {
  /** How each statement begins, as a transaction of its own; `null` to send it as it is. */
  readonly beforeEach: string | null;
  /** How long it may be kept, all statements together. Without it, the pool limits each of them. */
  readonly holdMsMax: number;
  readonly explain?: Explain | undefined;
}

/** Adapts a client of the pool for Kysely. */
export class PostgresConnection implements DatabaseConnection {
  readonly #client: pg.PoolClient;
  readonly #before: string | null;
  readonly #heldUntil: number;
  readonly #explain: Explain | undefined;
  #begin: string | null = null;
  #isLost = false;

  constructor(client: pg.PoolClient, { beforeEach, holdMsMax, explain }: ConnectionOptions) {
    this.#client = client;
    this.#before = beforeEach;
    this.#heldUntil = performance.now() + holdMsMax;
    this.#explain = explain;
  }

  async executeQuery<R>(query: CompiledQuery | EachQuery): Promise<QueryResult<R>> {
    try {
      if ("each" in query) return await this.#runEach(query);
      const { command, rowCount, rows } = await this.#run(query);
      return CHANGES.has(command) ? { rows, numAffectedRows: BigInt(rowCount ?? 0) } : { rows };
    } catch (error) {
      this.#isLost ||= isLost(error);
      const known = toRecordsError(error);
      throw this.#explain ? await this.#explain(known) : known;
    }
  }

  /**
   * Begins a transaction with the first statement of it, in one round trip. If it begins with an error, such as a lock that
   * wasn't free in time, the server refuses the statement.
   */
  beginWithNext(begin: string): void {
    this.#begin = begin;
  }

  async rollback(): Promise<void> {
    if (!this.#wasBegun()) return;
    await this.executeQuery(CompiledQuery.raw("rollback"));
  }

  /** Forgets a transaction that had no statement. */
  #wasBegun(): boolean {
    const wasBegun = this.#begin === null;
    this.#begin = null;
    return wasBegun;
  }

  /** After a failed statement, the server answers a commit by rolling back, without an error. */
  async commit(): Promise<void> {
    if (!this.#wasBegun()) return;
    const { command } = await this.#send("commit").catch((error: unknown) => {
      this.#isLost ||= isLost(error);
      throw toRecordsError(error);
    });
    if (command !== "COMMIT") throw new Error("a failed statement was ignored, so nothing was committed");
  }

  // biome-ignore lint/correctness/useYield: results are never streamed
  async *streamQuery<R>(): AsyncIterableIterator<QueryResult<R>> {
    throw new Error("streaming is not supported");
  }

  /** A connection in the middle of a transaction is closed, which ends it. */
  release(): void {
    this.#client.release(this.#isLost || this.#client.getTransactionStatus() !== "I");
  }

  /** All three are sent at once, so a limit costs no round trip. */
  async #run({ sql, parameters }: CompiledQuery): Promise<pg.QueryResult> {
    if (this.#before === null) return this.#send(sql, parameters);
    const texts = [this.#send(this.#before), this.#send(sql, parameters), this.#send("commit")];
    const [, answered] = await Promise.allSettled(texts);
    if (answered?.status === "fulfilled") return answered.value;
    throw answered?.reason;
  }

  async #runEach<R>({ sql, each }: EachQuery): Promise<QueryResult<R>> {
    await Promise.all(each.map((parameters) => this.#send(sql, parameters)));
    return { rows: [] };
  }

  /** The pool's limit counts for each statement anew, so many slow ones could take any time. */
  #send(text: string, parameters: readonly unknown[] = []): Promise<pg.QueryResult> {
    const begin = this.#begin;
    if (begin === null) return this.#sendNow(text, parameters);
    this.#begin = null;
    const begun = this.#sendNow(begin);
    const answered = this.#sendNow(text, parameters);
    // What went wrong first explains the rest.
    return Promise.allSettled([begun, answered]).then(() => begun.then(() => answered));
  }

  #sendNow(text: string, parameters: readonly unknown[] = []): Promise<pg.QueryResult> {
    const values = [...storable(parameters)];
    if (this.#heldUntil === Number.POSITIVE_INFINITY) return this.#client.query(text, values);
    const leftMs = Math.max(1, Math.ceil(this.#heldUntil - performance.now()));
    return this.#client.query({ text, values, query_timeout: leftMs } as pg.QueryConfig);
  }
}

export interface SourceOptions extends Partial<ConnectionOptions> {
  readonly begin?: string;
  readonly availability?: Availability;
}

// Each waits for a few seconds at most, but what they hold must fit into memory.
const WAITING_MAX = 1000;
const PROTOCOL = "08P01";

export async function acquireFrom(
  pool: pg.Pool,
  { beforeEach = null, holdMsMax = Number.POSITIVE_INFINITY, explain, availability }: Omit<SourceOptions, "begin"> = {},
): Promise<PostgresConnection> {
  if (pool.waitingCount >= WAITING_MAX) throw new RecordsUnavailable("too many wait for a connection");
  try {
    const client = await pool.connect();
    availability?.note(null);
    return new PostgresConnection(client, { beforeEach, holdMsMax, explain });
  } catch (error) {
    // In a burst, all connections may be in use for longer than others wait, and a pooler may refuse a setting. Neither
    // says anything about the server.
    if (pool.totalCount < pool.options.max && sqlStateOf(error) !== PROTOCOL) availability?.note(reasonOf(error));
    throw toRecordsError(error);
  }
}

/** The pool's connections, each used by one statement or transaction at a time. */
export const poolSource = (pool: pg.Pool, { begin = "begin", ...limits }: SourceOptions = {}): PostgresSource => ({
  acquire: () => acquireFrom(pool, limits),
  release: (connection) => (connection as PostgresConnection).release(),
  begin,
  close: () => pool.end(),
});
