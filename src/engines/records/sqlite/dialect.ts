import {
  CompiledQuery,
  type DatabaseConnection,
  type DatabaseIntrospector,
  type Dialect,
  type DialectAdapter,
  type Driver,
  type Kysely,
  type QueryCompiler,
  SqliteAdapter,
  SqliteIntrospector,
  SqliteQueryCompiler,
} from "kysely";

export interface ConnectionSource {
  readonly connection: DatabaseConnection;
  /** Whether the connection is used exclusively, as transactions require. */
  readonly exclusive: boolean;
  close(): void | Promise<void>;
}

const BEGIN = CompiledQuery.raw("begin immediate");
const COMMIT = CompiledQuery.raw("commit");
const ROLL_BACK = CompiledQuery.raw("rollback");

/** Kysely over one connection: a writer, a reader, or a worker with a handle. */
export class SqliteDialect implements Dialect {
  readonly #source: ConnectionSource;

  constructor(source: ConnectionSource) {
    this.#source = source;
  }

  createDriver(): Driver {
    return new SqliteDriver(this.#source);
  }

  createQueryCompiler(): QueryCompiler {
    return new BacktickCompiler();
  }

  createAdapter(): DialectAdapter {
    return new SqliteAdapter();
  }

  createIntrospector(db: Kysely<unknown>): DatabaseIntrospector {
    return new SqliteIntrospector(db);
  }
}

/** SQLite treats an unknown column in double quotes as a string; in backticks it is an error. */
class BacktickCompiler extends SqliteQueryCompiler {
  protected override getLeftIdentifierWrapper(): string {
    return "`";
  }

  protected override getRightIdentifierWrapper(): string {
    return "`";
  }

  protected override sanitizeIdentifier(identifier: string): string {
    return identifier.replaceAll("`", "``");
  }
}

class SqliteDriver implements Driver {
  readonly #source: ConnectionSource;
  #tail: Promise<void> = Promise.resolve();
  #release: () => void = () => {};

  constructor(source: ConnectionSource) {
    this.#source = source;
  }

  async init(): Promise<void> {}

  async acquireConnection(): Promise<DatabaseConnection> {
    if (this.#source.exclusive) {
      const { promise, resolve } = Promise.withResolvers<void>();
      const before = this.#tail;
      this.#tail = promise;
      await before;
      this.#release = resolve;
    }
    return this.#source.connection;
  }

  async releaseConnection(): Promise<void> {
    this.#release();
  }

  async beginTransaction(connection: DatabaseConnection): Promise<void> {
    // Takes the write lock at once: a transaction that reads first may fail to upgrade.
    await connection.executeQuery(BEGIN);
  }

  async commitTransaction(connection: DatabaseConnection): Promise<void> {
    await connection.executeQuery(COMMIT);
  }

  async rollbackTransaction(connection: DatabaseConnection): Promise<void> {
    try {
      await connection.executeQuery(ROLL_BACK);
    } catch (error) {
      // After some failures, such as a full disk, SQLite has already rolled back.
      if (!String(error).includes("no transaction is active")) throw error;
    }
  }

  async destroy(): Promise<void> {
    await this.#source.close();
  }
}
