import { rm } from "node:fs/promises";
import { gate } from "#kernel/gate.ts";
import type { ClicksEngine, ClicksStats } from "../clicks-engine.ts";
import { DAY_MS, dayOf, SLOTS_PER_DAY } from "../slots.ts";
import { DuckDbAccess, type WithoutWriters } from "./access.ts";
import { stageBatch } from "./batch.ts";
import { Checkpoints } from "./checkpoints.ts";
import { compactDay, compactImportedDay } from "./compaction.ts";
import { findLastBatch, storeCountBatch } from "./counts.ts";
import { eraseAccountClicks, eraseLinkClicks } from "./erasure.ts";
import { dayCountsSql, findCountedDays, toCountChunk } from "./export-counts.ts";
import { findCheckpoints, ingestBatch, isLate, type KnownState } from "./ingest.ts";
import type { OnMigration } from "./migrations/migrations.ts";
import { countUnmigrated } from "./migrations/shapes.ts";
import { readClickList } from "./report/click-list.ts";
import { readDailyClicks } from "./report/daily.ts";
import { findOutside } from "./report/outside.ts";
import { readReport } from "./report/report.ts";
import { toBreakdownItem, wholeBreakdownSql } from "./report/whole-breakdown.ts";
import { discardDraft, hasErased, putDraftInPlace, writeDraft } from "./rewrite.ts";
import { BATCH_ROWS_MAX } from "./row-groups.ts";
import { hasTable } from "./schema.ts";
import { inTransaction, int, parameters, type Session } from "./session.ts";
import { ShapeNumbers } from "./shapes.ts";
import { Spool } from "./spool.ts";
import { computeSummaries, dropComputedSummaries, findDaysToSummarise, storeSummaries } from "./summaries.ts";
import {
  compactLinkTags,
  dropGatheredLinkTags,
  findLinkTagsPosition,
  gatherLinkTags,
  storeAllLinkTags,
  storeLinkTags,
} from "./tags.ts";

export interface DuckDbClicksOptions {
  readonly path: string;
  /** Contains the batch files: the only directory DuckDB may read. */
  readonly batchDirectory: string;
  readonly installation?: string;
  readonly memoryMb?: number;
  /** Size of the write-ahead log that triggers a checkpoint. */
  readonly checkpointMb?: number;
  /** Clicks per row group: checkpoints happen once per group of new clicks, which keeps each short. */
  readonly checkpointRows?: number;
  readonly reportThreads?: number;
  /** Each report blocks a thread of the runtime's pool, which other work in the process needs too. */
  readonly reportsMax?: number;
  readonly reportTimeoutMs?: number;
  /** Minimum clicks on a UTC day to summarise an account or link; below that, counting again is cheap. */
  readonly summaryClicksMin?: number;
  /** About how many clicks to count visitors of at a time. */
  readonly rowsAtOnce?: number;
  /** Called when a file of an earlier release is brought up to date, which may take a while. */
  readonly onMigration?: OnMigration;
  /** For `exportWith`, `stats` and `checkpoint` alone: the file stays as it is, whatever release wrote it. */
  readonly asIs?: boolean;
}

export const CLICKS_FILE = "clicks.duckdb";

/** The embedded engine: one file, opened by one process on first use. */
export function openDuckDbClicks(options: DuckDbClicksOptions): ClicksEngine {
  const access = new DuckDbAccess({
    memoryMb: 512,
    checkpointMb: 64,
    reportThreads: 2,
    reportsMax: 2,
    reportTimeoutMs: 30_000,
    ...options,
  });
  const { summaryClicksMin = 5000, rowsAtOnce = 2_000_000, checkpointRows } = options;
  const checkpoints = new Checkpoints(access, checkpointRows);
  const maintenance = gate(1);
  // The day before which summaries are being computed, and a counter that changes if one may have missed a click.
  let summarisingUntil = 0;
  let disturbances = 0;
  // What the last batch knew. Whoever writes anything else that a batch depends on clears it.
  let last: { readonly writer: Session; readonly known: KnownState } | null = null;
  // What is known of an open file's texts ends with its session: a rewritten file may lack some.
  const shapes = new WeakMap<Session, ShapeNumbers>();
  const shapesOf = (writer: Session): ShapeNumbers => {
    const known = shapes.get(writer) ?? new ShapeNumbers(writer, options.batchDirectory);
    shapes.set(writer, known);
    return known;
  };

  async function summariseDay(session: Session, withoutWriters: WithoutWriters, day: number): Promise<boolean> {
    summarisingUntil = Math.max(summarisingUntil, day + 1);
    // A batch being written doesn't know of the limit yet, and must finish before the day is read.
    await withoutWriters(async () => {});
    const before = disturbances;
    await computeSummaries(session, day, summaryClicksMin);
    return withoutWriters(async () => {
      if (disturbances !== before) return false;
      last = null;
      await inTransaction(session, "begin", () => storeSummaries(session, day));
      return true;
    });
  }

  return {
    batchClicksMax: BATCH_ROWS_MAX,

    async ingest(batch) {
      await checkpoints.settle();
      const ingested = await access.exclusive(async ({ writer }) => {
        const staged = await stageBatch(batch, shapesOf(writer), options.batchDirectory);
        const before = last?.writer === writer ? last.known : null;
        last = null;
        const ingest = (late: boolean) =>
          inTransaction(writer, "begin", (session) => {
            if (late) disturbances += 1;
            const known = late ? null : before;
            return ingestBatch(session, batch, staged, { untilDay: summarisingUntil, late, known });
          });
        try {
          const { clicks, known } = await ingest(false);
          last = { writer, known };
          return { clicks };
        } catch (error) {
          if (!isLate(error)) throw error;
          const { clicks } = await ingest(true);
          return { clicks };
        } finally {
          await rm(staged.file, { force: true });
        }
      });
      checkpoints.afterBatch(ingested.clicks);
      return ingested;
    },

    async checkpoint(segment) {
      const found = await access.quickRead((session) => findCheckpoints(session, [segment]));
      return found.get(segment) ?? 0;
    },

    async forgetCheckpointsBut(segments) {
      const others = segments.length === 0 ? "" : `where segment not in (${parameters(segments)})`;
      await access.write((session) => {
        last = null;
        return session.run(`delete from ingested ${others}`, segments);
      });
    },

    async storeCounts(batch) {
      await checkpoints.settle();
      const stored = await access.exclusive(({ writer }) =>
        storeCountBatch({ writer, shapes: shapesOf(writer), directory: options.batchDirectory }, batch),
      );
      // What isn't in the file yet is in memory.
      checkpoints.afterBatch(batch.counts.length);
      return stored;
    },

    lastCountBatch: (accountNo, importId) =>
      access.patientRead((session) => findLastBatch(session, accountNo, importId)),

    async *exportCounts(request) {
      const days = await access.read((session) => findCountedDays(session, request.accountNo));
      for (const day of days) {
        const sql = dayCountsSql(request, day);
        const spool = await access.read((session) => Spool.write(session, options.batchDirectory, sql));
        for await (const rows of spool.rows()) yield toCountChunk(rows);
      }
    },

    async eraseLinks(links) {
      if (links.length === 0) return;
      await access.write((session) => {
        disturbances += 1;
        last = null;
        return eraseLinkClicks(session, links);
      });
      await checkpoints.force();
    },

    async eraseAccount(accountNo) {
      await access.write((session) => {
        disturbances += 1;
        last = null;
        return eraseAccountClicks(session, accountNo);
      });
      await checkpoints.force();
    },

    setLinkTags: (changes, position) => access.write((session) => storeLinkTags(session, changes, position)),

    replaceLinkTags: (batches, position) =>
      maintenance(() =>
        access.background(async (session, withoutWriters) => {
          try {
            await gatherLinkTags(session, batches);
            await withoutWriters(() => inTransaction(session, "begin", () => storeAllLinkTags(session, position)));
          } finally {
            await dropGatheredLinkTags(session);
          }
        }),
      ),

    linkTagsPosition: () => access.patientRead(findLinkTagsPosition),

    report: (request) => access.read((snapshot) => readReport(snapshot, request, { rowsAtOnce })),

    async *breakdown(request) {
      const spool = await access.read(async (snapshot) => {
        const statement = await wholeBreakdownSql(snapshot, request);
        return statement && Spool.write(snapshot, options.batchDirectory, statement.sql, statement.values);
      });
      if (spool === null) return;
      for await (const rows of spool.rows()) yield rows.map(toBreakdownItem(request.groupBy));
    },

    listClicks: (request) => access.read((snapshot) => readClickList(snapshot, request)),

    dailyClicks: (request) => access.read((snapshot) => readDailyClicks(snapshot, request)),

    findOutside: (scope, range) => access.read((snapshot) => findOutside(snapshot, scope, range)),

    summarise: (beforeMs) =>
      maintenance(() =>
        access.background(async (session, withoutWriters) => {
          try {
            for (const day of await findDaysToSummarise(session, dayOf(beforeMs))) {
              if (!(await summariseDay(session, withoutWriters, day))) return;
            }
          } finally {
            await dropComputedSummaries(session);
          }
        }),
      ),

    compact: (beforeMs) =>
      maintenance(async () => {
        const { days, importedDays } = await access.background((session) => findDaysBefore(session, dayOf(beforeMs)));
        for (const day of days) {
          await access.write((session) => {
            last = null;
            return compactDay(session, day);
          });
        }
        for (const day of importedDays) await access.write((session) => compactImportedDay(session, day));
        await access.write(compactLinkTags);
        await checkpoints.force();
      }),

    reclaim: () =>
      maintenance(async () => {
        if (!(await access.patientRead(hasErased))) return;
        const { path } = options;
        try {
          await access.replaceFile(
            (session) => writeDraft(session, path),
            () => putDraftInPlace(path),
          );
        } finally {
          discardDraft(path);
        }
      }),

    async stats() {
      return {
        ...(await access.quickRead(async (session) => (await countUnmigrated(session)) ?? countStored(session))),
        bytes: Bun.file(options.path).size,
        walBytes: Bun.file(`${options.path}.wal`).size,
      };
    },

    whenMigrated: () => access.whenOpen(),
    suspendMigration: () => access.suspendMigration(),

    exportWith: (copy) =>
      access.exclusive(async ({ writer }) => {
        await checkpoints.forceBy(writer);
        await copy(options.path);
      }),

    close: () => access.close(),
  };
}

async function countStored(session: Session): Promise<Omit<ClicksStats, "bytes" | "walBytes">> {
  // A file of an earlier release that is opened as it is.
  const imported = (await hasTable(session, "imported_clicks"))
    ? `(select coalesce(sum(clicks), 0) from imported_clicks where earlier = 0)::double +
      (select coalesce(sum(clicks), 0) from imported_visits)::double`
    : "0";
  const [row] = await session.rows(`select (select count(*) from clicks)::double,
    (select coalesce(sum(clicks), 0) from compacted_clicks)::double, ${imported}`);
  return { rows: Number(row?.[0]), compactedClicks: Number(row?.[1]), importedClicks: Number(row?.[2]) };
}

interface OldDays {
  readonly days: readonly number[];
  /** Days on which imported clicks still have visitors. */
  readonly importedDays: readonly number[];
}

async function findDaysBefore(session: Session, day: number): Promise<OldDays> {
  const find = async (of: string, table: string): Promise<number[]> => {
    const rows = await session.rows(
      `select distinct (${of})::double as day from ${table} where ${of} < ${int(day)} order by day`,
    );
    return rows.map(([found]) => Number(found));
  };
  return {
    days: await find(`at_ms // ${DAY_MS}`, `(from clicks where at_ms < ${int(day * DAY_MS)})`),
    importedDays: await find(`slot // ${SLOTS_PER_DAY}`, "imported_visits"),
  };
}
