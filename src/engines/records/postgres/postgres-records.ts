import { Kysely, sql } from "kysely";
import { Availability } from "../../availability.ts";
import { runActions } from "../after-commit.ts";
import { hasChanges } from "../changes.ts";
import { librarySql } from "../library-sql.ts";
import type { Records, WriteOptions } from "../records.ts";
import type { Database } from "../schema.ts";
import { SAMPLE_PLACES, TrigramSample } from "../trigram-sample.ts";
import { Announcements } from "./announcements.ts";
import { changeNumbering } from "./changes.ts";
import { PostgresDialect, poolSource } from "./dialect.ts";
import { findPostgresSchema } from "./facts.ts";
import { limitedSource } from "./limited-source.ts";
import { newerSchemaCheck } from "./newer-schema.ts";
import { beginReading, openPool } from "./pool.ts";
import { textCandidates } from "./text.ts";
import { writeSerializably } from "./write.ts";
import { writeLockOf, writeQueues } from "./write-queues.ts";

export interface PostgresRecordsOptions {
  readonly url: string;
  /** Runs after each commit that changed links, before the writer resolves, to invalidate caches. */
  readonly afterCommit?: (() => Promise<void>) | undefined;
  /** What follows a commit failed; the change itself is made. */
  readonly onActionError?: (error: unknown) => void;
  /** The server went away, for a reason, or came back; not called for a first connection that succeeds. */
  readonly onChange?: (isUp: boolean, problem: string | null) => void;
}

interface Done<T> {
  readonly result: T;
  /** Whether the change log has more than before. */
  readonly isChange: boolean;
}

const WRITERS = 12;
const READERS = 8;
const SCANNERS = 4;
/** Of a node, at most. */
export const RECORDS_CONNECTIONS = WRITERS + READERS + SCANNERS;
const READ_MS_MAX = 5000;
const SCAN_MS_MAX = 10_000;
const STATEMENT_MS_MAX = 8000;
// A node that is cut off in a transaction holds its locks until then: less than others wait for them.
const IDLE_MS_MAX = 4000;
// All statements together, until the answer to the commit.
const TRANSACTION_MS_MAX = 10_000;
const LARGE_TRANSACTION_MS_MAX = 60_000;
// In a burst, requests wait for a connection or their turn rather than fail.
const CONNECTION_MS_MAX = 5000;
const QUEUE_MS_MAX = 8000;
// What more writers than this wait for is a server that can't keep up, or doesn't answer at all.
const QUEUE_WAITING_MAX = 500;
// The server gives up first, which leaves the connection usable.
const MARGIN_MS = 2000;

export function openPostgresRecords(options: PostgresRecordsOptions): Records {
  const { url, afterCommit, onActionError = () => {}, onChange = () => {} } = options;
  const watching = {
    availability: new Availability(onChange),
    explain: newerSchemaCheck(() => findPostgresSchema(url)),
  };
  const begin =
    `begin isolation level serializable; set local statement_timeout = ${STATEMENT_MS_MAX}; ` +
    `set local idle_in_transaction_session_timeout = ${IDLE_MS_MAX}; ` +
    // A scan of a whole table, however small, conflicts with every other writer of that table.
    "set local enable_seqscan = off";
  const writers = {
    url,
    connectionsMax: WRITERS,
    queryMsMax: TRANSACTION_MS_MAX,
    connectMsMax: CONNECTION_MS_MAX,
  };
  const pool = openPool(writers);
  const writer = new Kysely<Database>({
    dialect: new PostgresDialect(poolSource(pool, { begin, holdMsMax: TRANSACTION_MS_MAX, ...watching })),
  });
  const readers = {
    url,
    connectionsMax: READERS,
    queryMsMax: READ_MS_MAX + MARGIN_MS,
    connectMsMax: CONNECTION_MS_MAX,
  };
  const read = new Kysely<Database>({
    dialect: new PostgresDialect(limitedSource(readers, READ_MS_MAX, watching)),
  });
  const scan = openKysely(
    { url, connectionsMax: SCANNERS, queryMsMax: SCAN_MS_MAX + MARGIN_MS },
    { beforeEach: beginReading(SCAN_MS_MAX), ...watching },
  );
  const sample = new TrigramSample(scan, sql`unnest(${SAMPLE_PLACES}::integer[]) as place (value)`);
  const numberChanges = changeNumbering(writer);

  /** The lock is taken before the transaction's first look at the data, which then includes what it waited for. */
  const writerFor = ({ queue, isLarge = false }: WriteOptions): Kysely<Database> => {
    if (queue === undefined && !isLarge) return writer;
    const lock = queue === undefined ? "" : `; lock table ${writeLockOf(queue)} in exclusive mode`;
    const holdMsMax = isLarge ? LARGE_TRANSACTION_MS_MAX : TRANSACTION_MS_MAX;
    const key = `${holdMsMax}${lock}`;
    const known = writersBy.get(key);
    if (known) return known;
    const source = poolSource(pool, { begin: `${begin}${lock}`, holdMsMax, ...watching });
    const opened = new Kysely<Database>({ dialect: new PostgresDialect(source) });
    writersBy.set(key, opened);
    return opened;
  };
  const writersBy = new Map<string, Kysely<Database>>();
  const writing = new Set<Promise<unknown>>();

  const queues = writeQueues({ waitingMax: QUEUE_WAITING_MAX, waitMsMax: QUEUE_MS_MAX });

  /** What couldn't be numbered yet, the next reader of the log numbers. */
  const announce = async (): Promise<void> => {
    await numberChanges().catch(() => {});
    await afterCommit?.();
  };
  const announcements = new Announcements(announce);

  /** The turn ends at the commit, so that the next of the queue is committed while this one is announced. */
  const runInTurn = async <T>(queue: string, commit: () => Promise<Done<T>>): Promise<T> => {
    const { result, isChange } = await queues.run(queue, async () => {
      await announcements.room(queue);
      return commit();
    });
    // What changed nothing may tell of a change before it, as the answer to a repeated request does.
    if (isChange || announcements.isRunning(queue)) await announcements.run(queue);
    return result;
  };

  const runAtOnce = async <T>(commit: () => Promise<Done<T>>): Promise<T> => {
    const { result, isChange } = await commit();
    if (isChange) await announce();
    return result;
  };

  const write: Records["write"] = (work, options = {}) => {
    const commit = async () => {
      let isChange = false;
      const { result, actions } = await writeSerializably(writerFor(options), async (tx) => {
        const done = await work(tx);
        isChange = hasChanges(tx);
        return done;
      });
      runActions(actions, onActionError);
      return { result, isChange };
    };
    const running = options.queue === undefined ? runAtOnce(commit) : runInTurn(options.queue, commit);
    writing.add(running);
    const forget = () => void writing.delete(running);
    running.then(forget, forget);
    return running;
  };

  return {
    read,
    scan,
    write,
    textCandidates: (accountNo, text) => textCandidates(accountNo, text, sample),
    numbered: (numbers) => sql`(select unnest(${[...numbers]}::bigint[]) as no)`,
    library: librarySql({ read, write }, (connection) => {
      const source = { acquire: async () => connection, release() {}, begin, close: async () => {} };
      return new PostgresDialect(source);
    }),
    // The server checks its pages itself, and its operator has tools to check more.
    findDamage: async () => null,
    async finishWrites() {
      await Promise.allSettled(writing);
    },
    // PostgreSQL's own vacuum removes deleted rows, from its text index as well.
    async forgetDeletedText() {},
    isUp: () => watching.availability.isUp,
    noteErasure() {},
    async close() {
      await Promise.all([scan.destroy(), read.destroy(), writer.destroy()]);
    },
  };
}

function openKysely(
  options: Parameters<typeof openPool>[0],
  source: Parameters<typeof poolSource>[1],
): Kysely<Database> {
  return new Kysely({ dialect: new PostgresDialect(poolSource(openPool(options), source)) });
}
