import { gate } from "#kernel/gate.ts";
import { BatchLog } from "./clickhouse-batches.ts";
import { compactDays, dropInterruptedRuns } from "./clickhouse-compaction.ts";
import { ErasedNumbers } from "./clickhouse-erased.ts";
import { eraseAccountClicks, eraseLinkClicks, reclaimErased } from "./clickhouse-erasure.ts";
import { ingestBatch } from "./clickhouse-ingest.ts";
import { findOutside } from "./clickhouse-outside.ts";
import { readReport, readSteadily } from "./clickhouse-report.ts";
import { claimDatabase, createDatabase, prepareSchema } from "./clickhouse-schema.ts";
import { type ClickHouseSession, openSession } from "./clickhouse-session.ts";
import { COMPACTED_THAT_COUNT, clicksThatCount } from "./clickhouse-structure.ts";
import { compactLinkTags, findLinkTagsPosition, replaceAllLinkTags, storeLinkTags } from "./clickhouse-tags.ts";
import { type ClicksEngine, ClicksUnavailable } from "./clicks-engine.ts";
import { dayOf } from "./slots.ts";

export interface ClickHouseClicksOptions {
  /** `http` or `https`, with user, password and database: `https://user:password@host:8443/kurz`. */
  readonly url: string;
  /** This machine's name in journal segments: each node keeps the checkpoints of its own. */
  readonly node: string;
  readonly installation?: string;
  readonly reportsMax?: number;
  readonly reportTimeoutMs?: number;
  readonly ingestTimeoutMs?: number;
  /** For every other statement. */
  readonly statementTimeoutMs?: number;
}

// For a batch, an erasure, tags and maintenance.
const CONNECTIONS_BESIDE_REPORTS = 4;
const REPORTS_WAITING_MAX = 100;
// As many as the journal yields at a time; see the bench.
const BATCH_CLICKS_MAX = 100_000;

/** The distributed engine: a ClickHouse server, which any number of nodes share. Connects on first use. */
export function openClickHouseClicks({
  url,
  node,
  installation,
  reportsMax = 4,
  reportTimeoutMs = 30_000,
  ingestTimeoutMs = 60_000,
  statementTimeoutMs = 30_000,
}: ClickHouseClicksOptions): ClicksEngine {
  const session = openSession({
    url,
    connectionsMax: reportsMax + CONNECTIONS_BESIDE_REPORTS,
    statementTimeoutMs,
  });
  const log = new BatchLog(session, node);
  const erased = new ErasedNumbers(session);
  const writing = gate(1);
  const maintaining = gate(1);
  const reporting = gate(reportsMax, {
    waitingMax: REPORTS_WAITING_MAX,
    waitMsMax: reportTimeoutMs,
    refusal: () => new ClicksUnavailable("Too many reports are queued."),
  });
  let isClosed = false;

  let preparing: Promise<void> | null = null;
  /** Prepares the tables before the first statement, and again if that failed. */
  async function prepared(): Promise<ClickHouseSession> {
    if (isClosed) throw new ClicksUnavailable("The clicks engine is closed.");
    preparing ??= prepare().catch((error) => {
      preparing = null;
      throw error;
    });
    await preparing;
    return session;
  }

  async function prepare(): Promise<void> {
    await createDatabase(session, url, statementTimeoutMs);
    await prepareSchema(session);
    if (installation !== undefined) await claimDatabase(session, installation);
  }

  return {
    batchClicksMax: BATCH_CLICKS_MAX,

    ingest: (batch) =>
      writing(async () => ingestBatch(await prepared(), batch, { log, erased, timeoutMs: ingestTimeoutMs })),

    checkpoint: (segment) =>
      writing(async () => {
        await prepared();
        await log.settle();
        return (await log.positions()).get(segment) ?? 0;
      }),

    forgetCheckpointsBut: (segments) =>
      writing(async () => {
        await prepared();
        await log.settle();
        await log.keepOnly(segments);
      }),

    async eraseLinks(links) {
      if (links.length > 0) await eraseLinkClicks(await prepared(), links);
    },

    eraseAccount: async (accountNo) => eraseAccountClicks(await prepared(), accountNo),

    setLinkTags: async (changes, position) => storeLinkTags({ session: await prepared(), erased }, changes, position),

    replaceLinkTags: (batches, position) =>
      maintaining(async () => replaceAllLinkTags({ session: await prepared(), erased }, batches, position)),

    linkTagsPosition: async () => findLinkTagsPosition(await prepared()),

    report: (request) => reporting(async () => readReport(await prepared(), request, reportTimeoutMs)),

    findOutside: (scope, range) => reporting(async () => findOutside(await prepared(), scope, range)),

    // ClickHouse reads a year of a busy account faster than summaries could be kept up to date; see decision 0035.
    async summarise() {},

    compact: (beforeMs) =>
      maintaining(async () => {
        await prepared();
        await compactDays(session, dayOf(beforeMs));
        await dropInterruptedRuns(session);
        await compactLinkTags(session);
        await log.removeAborted();
      }),

    reclaim: () => maintaining(async () => reclaimErased(await prepared())),

    async stats() {
      const [row] = await readSteadily(await prepared(), (structure) =>
        session.rows(`
          select (select count() from ${clicksThatCount(structure)}),
            (select sum(clicks) from compacted_clicks where ${COMPACTED_THAT_COUNT}),
            (select sum(bytes_on_disk) from system.parts where database = currentDatabase() and active)`),
      );
      const [rows, compactedClicks, bytes] = (row ?? []).map(Number);
      return { rows: rows ?? 0, compactedClicks: compactedClicks ?? 0, bytes: bytes ?? 0, walBytes: 0 };
    },

    // Its tables change within a moment, when they are prepared.
    async whenMigrated() {},
    suspendMigration() {},

    async exportWith() {
      throw new Error("Back up ClickHouse with its own BACKUP command.");
    },

    async close() {
      isClosed = true;
      await session.close();
    },
  };
}
