import { Kysely, sql } from "kysely";
import { librarySql } from "../library-sql.ts";
import { type Records, RecordsUnavailable } from "../records.ts";
import type { Database } from "../schema.ts";
import { SAMPLE_PLACES, TrigramSample } from "../trigram-sample.ts";
import { openSqlite, SqliteConnection } from "./connection.ts";
import { SqliteDialect } from "./dialect.ts";
import { groupCommit } from "./group-commit.ts";
import { noteErasure } from "./rewrite.ts";
import { scanSource } from "./scan.ts";
import { forgetDeletedText } from "./text-erasure.ts";
import { accountMark, quoteTerm } from "./text-index.ts";
import { startTextIndexing, TEXT_BATCH } from "./text-indexing.ts";

export interface SqliteRecordsOptions {
  readonly path: string;
  /** Runs after each commit, before the writer resolves, to invalidate caches. */
  readonly afterCommit?: (() => Promise<void>) | undefined;
  /** How many new links are added to the text index at a time. */
  readonly textBatch?: number;
  /** New links couldn't be added to the text index. Searches still find them. */
  readonly onIndexError?: (error: unknown) => void;
  /** What follows a commit failed; the change itself is made. */
  readonly onActionError?: (error: unknown) => void;
}

export function openSqliteRecords(options: SqliteRecordsOptions): Records {
  const { path, afterCommit, textBatch = TEXT_BATCH, onIndexError = () => {}, onActionError = () => {} } = options;
  const writer = openKysely(path, false);
  const read = openKysely(path, true);
  const scan = new Kysely<Database>({ dialect: new SqliteDialect(scanSource(path)) });
  const sample = new TrigramSample(scan, sql`json_each(${JSON.stringify(SAMPLE_PLACES)})`);
  const write = groupCommit({
    writer,
    async afterCommit() {
      indexing.wake();
      await afterCommit?.();
    },
    onActionError,
  });
  const indexing = startTextIndexing({ read, write, batch: textBatch, onError: onIndexError });
  return {
    read,
    scan,
    write,
    textCandidates: (accountNo, text) => {
      const terms = sample.rarestOf(text).map((term) => `text : ${quoteTerm(term)}`);
      const match = [...terms, `account : ${accountMark(accountNo)}`].join(" AND ");
      // The unary plus keeps the planner on the few newest links instead of scanning the whole account.
      return sql`(
        select rowid as no from links_text where links_text match ${match}
        union all
        select no from links
        where no > (select link_no from text_index_reach) and +account_no = ${accountNo} and instr(search_text, ${text}) > 0
      )`;
    },
    finishWrites: () => write(async () => {}),
    numbered: (numbers) => sql`(select value as no from json_each(${JSON.stringify(numbers)}))`,
    forgetDeletedText: (stopping) => forgetDeletedText({ read, write }, stopping),
    noteErasure: () => noteErasure(path),
    async findDamage(most) {
      const { rows } = await sql<{ quick_check: string }>`pragma quick_check(${sql.lit(most)})`.execute(scan);
      return rows.map((row) => row.quick_check).filter((text) => text !== "ok");
    },
    library: librarySql(
      { read, write },
      (connection) => new SqliteDialect({ connection, exclusive: false, close: () => {} }),
    ),
    async close() {
      await indexing.stop();
      await Promise.all([scan.destroy(), read.destroy()]);
      await emptyLog(writer);
      await writer.destroy();
    },
  };
}

/** If a reader closes last, it can't remove the log, which contains rows from before their deletion. */
async function emptyLog(writer: Kysely<Database>): Promise<void> {
  try {
    await sql`pragma wal_checkpoint(truncate)`.execute(writer);
  } catch (error) {
    // On a full disk it stays, and the next start continues with it.
    if (!(error instanceof RecordsUnavailable)) throw error;
  }
}

function openKysely(path: string, readonly: boolean): Kysely<Database> {
  const connection = new SqliteConnection(openSqlite({ path, readonly }));
  return new Kysely({
    dialect: new SqliteDialect({ connection, exclusive: !readonly, close: () => connection.close() }),
  });
}
