import { existsSync, mkdirSync, renameSync, rmSync } from "node:fs";
import { dirname, join } from "node:path";
import type { DuckDBConnection } from "@duckdb/node-api";
import { textGroups } from "../click-format.ts";
import { ClicksUnavailable } from "../clicks-engine.ts";
import { BATCH_FILE } from "./batch.ts";
import { COUNTS_FILE } from "./counts.ts";
import { loadDuckDb } from "./load-duckdb.ts";
import type { MigrationProgress } from "./migrations/migration.ts";
import { type OnMigration, prepareSchema, refuseLater } from "./migrations/migrations.ts";
import { PAGE_FILE } from "./move-source.ts";
import { draftDirectoryOf } from "./rewrite.ts";
import { checkClaim, claimFile, findVersion } from "./schema.ts";
import { literal, type Session, sessionOn } from "./session.ts";
import { textsFileOf } from "./shapes.ts";
import { discardSpools } from "./spool.ts";

export interface DatabaseOptions {
  readonly path: string;
  /** The only directory statements may read files from, besides that of a draft of the file itself. */
  readonly batchDirectory: string;
  /** The installation the clicks must belong to. Omit to only copy or count. */
  readonly installation?: string;
  readonly memoryMb: number;
  readonly checkpointMb: number;
  readonly onMigration?: OnMigration;
  /** For copying and counting alone: the file stays as it is, whatever release wrote it. */
  readonly asIs?: boolean;
}

/** A file that is being migrated while it is opened. */
export interface RunningMigration extends MigrationProgress {
  /** Interrupts its statement, if one is running. */
  interrupt(): void;
}

/** An open file. After a fatal error DuckDB rejects everything until the file is reopened. */
export interface OpenDatabase {
  readonly writer: Session;
  readonly background: Session;
  readonly quickReader: Session;
  connect(): Promise<DuckDBConnection>;
  /** Interrupts the writer's statement, if one is running. */
  interruptWriter(): void;
  setThreads(threads: number): Promise<void>;
  close(): void;
}

/**
 * `onProgress` is called whenever a migration has come further. Whose clicks they are is known before. If it throws, so
 * does this, and the next call continues the migration.
 */
export async function openDatabase(
  options: DatabaseOptions,
  onProgress: (migration: RunningMigration) => void,
): Promise<OpenDatabase> {
  const { path, batchDirectory, memoryMb, checkpointMb } = options;
  const { DuckDBInstance } = await loadDuckDb();
  mkdirSync(batchDirectory, { recursive: true, mode: 0o700 });
  // A process that was killed may have left clicks there, even of links that are erased now.
  for (const name of [BATCH_FILE, COUNTS_FILE, PAGE_FILE, ...textGroups.map(textsFileOf)]) {
    rmSync(join(batchDirectory, name), { force: true });
  }
  discardSpools(batchDirectory);
  if (!existsSync(path)) await createFile(path);
  const instance = await DuckDBInstance.create(path, {
    memory_limit: `${memoryMb}MB`,
    // With a second thread, the first one spins while it waits, which doubles the CPU cost of ingestion.
    threads: "1",
    checkpoint_threshold: `${checkpointMb}MB`,
    temp_directory: join(dirname(path), "clicks.tmp"),
    autoinstall_known_extensions: "false",
    autoload_known_extensions: "false",
    preserve_insertion_order: "false",
    // Counting by a number below 2^16, as of texts, then increments the elements of an array.
    perfect_ht_threshold: "16",
  });
  const connections: DuckDBConnection[] = [];
  const connect = async (): Promise<DuckDBConnection> => {
    const connection = await instance.connect();
    connections.push(connection);
    return connection;
  };
  const close = (): void => {
    for (const connection of connections) connection.closeSync();
    instance.closeSync();
  };
  try {
    const writerConnection = await connect();
    const writer = sessionOn(writerConnection);
    const allowed = [batchDirectory, draftDirectoryOf(path)].map((directory) => literal(`${directory}/`));
    await writer.run(`set allowed_directories = [${allowed.join(", ")}]`);
    await writer.run("set enable_external_access = false");
    const interruptWriter = (): void => writerConnection.interrupt();
    if (options.asIs) await checkUnchanged(writer, options);
    else {
      if (options.installation !== undefined) await claimFile(writer, path, options.installation);
      await prepareSchema(writer, path, {
        onProgress: (progress) => onProgress({ ...progress, interrupt: interruptWriter }),
        onMigration: options.onMigration,
      });
    }
    const background = sessionOn(await connect());
    const quickReader = sessionOn(await connect());
    const settings = sessionOn(await connect());
    return {
      writer,
      background,
      quickReader,
      connect,
      interruptWriter,
      setThreads: async (threads) => void (await settings.run(`set threads = ${threads}`)),
      close,
    };
  } catch (error) {
    close();
    throw error;
  }
}

async function checkUnchanged(session: Session, { path, installation }: DatabaseOptions): Promise<void> {
  refuseLater((await findVersion(session)) ?? 0);
  if (installation !== undefined) await checkClaim(session, path, installation);
}

/** Created as a draft and renamed: a file left incomplete by a full disk could never be opened again. */
async function createFile(path: string): Promise<void> {
  const { DuckDBInstance } = await loadDuckDb();
  const draft = `${path}.new`;
  for (const left of [draft, `${draft}.wal`]) rmSync(left, { force: true });
  const instance = await DuckDBInstance.create(draft);
  try {
    const connection = await instance.connect();
    const session = sessionOn(connection);
    await prepareSchema(session, draft);
    await session.run("force checkpoint");
    connection.closeSync();
  } finally {
    instance.closeSync();
  }
  renameSync(draft, path);
}

const FATAL = /FATAL Error|has been invalidated/;
const PASSING = /^(?:Error: )?(?:FATAL|IO|Out of Memory|INTERRUPT|TransactionContext) Error|has been invalidated/;

export const isFatal = (error: unknown): boolean => error instanceof Error && FATAL.test(error.message);

/** Distinguishes temporary problems of the machine from bugs. */
export const toClicksError = (error: unknown): unknown =>
  error instanceof Error && !(error instanceof ClicksUnavailable) && PASSING.test(error.message)
    ? new ClicksUnavailable(error.message, { cause: error })
    : error;
