import { gate } from "#kernel/gate.ts";
import { Availability } from "../../availability.ts";
import { type ClicksEngine, ClicksUnavailable } from "../clicks-engine.ts";
import { dayOf } from "../slots.ts";
import { BatchLog } from "./batches.ts";
import { CompactionClaim } from "./claim.ts";
import { compactDays, dropInterruptedRuns } from "./compaction.ts";
import { ERASED_KEPT_MAX, ErasedNumbers } from "./erased.ts";
import { eraseAccountClicks, eraseLinkClicks, reclaimErased } from "./erasure.ts";
import { findCountedDays, readDayCounts } from "./export-counts.ts";
import { findLastBatch, IMPORTED_THAT_COUNT, storeCountBatch, VISITS_THAT_COUNT } from "./imported.ts";
import { compactImportedDays } from "./imported-compaction.ts";
import { ingestBatch } from "./ingest.ts";
import { layoutOf, syncReplica } from "./layout.ts";
import { refuseUnfinishedMove } from "./move-log.ts";
import { readClickList } from "./report/click-list.ts";
import { readDailyClicks } from "./report/daily.ts";
import { findOutside } from "./report/outside.ts";
import { readReport, readSteadily } from "./report/report.ts";
import { readWholeBreakdown } from "./report/whole-breakdown.ts";
import { claimDatabase, createDatabase, isOfLaterRelease, prepareSchema } from "./schema.ts";
import { type ClickHouseSession, openSession } from "./session.ts";
import { COMPACTED_THAT_COUNT, clicksThatCount } from "./structure.ts";
import { compactLinkTags, findLinkTagsPosition, replaceAllLinkTags, storeLinkTags } from "./tags.ts";

export interface ClickHouseClicksOptions {
  /** `http` or `https`, with user, password and database: `https://user:password@host:8443/kurz`. */
  readonly url: string;
  /** This machine's name in journal segments: each node keeps the checkpoints of its own. */
  readonly node: string;
  /** The cluster whose servers have copies of the tables; `null` for one server. */
  readonly cluster?: string | null;
  readonly installation?: string;
  /** The server went away, for a reason, or came back. */
  readonly onChange?: (isUp: boolean, problem: string | null) => void;
  /** How many erased links and accounts to keep in memory. */
  readonly erasedKeptMax?: number;
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
  cluster = null,
  installation,
  onChange = () => {},
  erasedKeptMax = ERASED_KEPT_MAX,
  reportsMax = 4,
  reportTimeoutMs = 30_000,
  ingestTimeoutMs = 60_000,
  statementTimeoutMs = 10_000,
}: ClickHouseClicksOptions): ClicksEngine {
  const layout = layoutOf(cluster);
  const availability = new Availability(onChange);
  const session = openSession({
    url,
    connectionsMax: reportsMax + CONNECTIONS_BESIDE_REPORTS,
    statementTimeoutMs,
    settings: layout.settings,
    onOutcome: (problem) => availability.note(problem),
  });
  const log = new BatchLog(session, node, layout);
  const erased = new ErasedNumbers(session, erasedKeptMax);
  const claim = new CompactionClaim(session, layout);
  const writing = gate(1);
  const importing = gate(1);
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
    await createDatabase(session, layout, url, statementTimeoutMs);
    await prepareSchema(session, layout);
    if (installation !== undefined) await claimDatabase(session, installation);
    await refuseUnfinishedMove(session, layout);
  }

  return {
    batchClicksMax: BATCH_CLICKS_MAX,

    isUp: () => availability.isUp,

    ingest: (batch) =>
      writing(async () => ingestBatch(await prepared(), batch, { node, log, erased, timeoutMs: ingestTimeoutMs })),

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

    storeCounts: (batch) =>
      importing(async () => storeCountBatch({ session: await prepared(), erased, timeoutMs: ingestTimeoutMs }, batch)),

    lastCountBatch: async (accountNo, importId) => findLastBatch(await prepared(), accountNo, importId),

    async *exportCounts(request) {
      await prepared();
      for (const day of await findCountedDays(session, request.accountNo)) yield* readDayCounts(session, request, day);
    },

    async eraseLinks(links) {
      if (links.length > 0) await eraseLinkClicks(await prepared(), links);
    },

    eraseAccount: async (accountNo) => eraseAccountClicks(await prepared(), accountNo),

    setLinkTags: async (changes, position) => storeLinkTags({ session: await prepared(), erased }, changes, position),

    replaceLinkTags: (batches, position) =>
      maintaining(async () => replaceAllLinkTags({ session: await prepared(), erased }, batches, position)),

    linkTagsPosition: async () => findLinkTagsPosition(await prepared()),

    report: (request) => reporting(async () => readReport(await prepared(), request, reportTimeoutMs)),

    async *breakdown(request) {
      yield* readWholeBreakdown(await prepared(), request);
    },

    listClicks: (request) => reporting(async () => readClickList(await prepared(), request, reportTimeoutMs)),

    dailyClicks: (request) => reporting(async () => readDailyClicks(await prepared(), request)),

    findOutside: (scope, range) => reporting(async () => findOutside(await prepared(), scope, range)),

    // ClickHouse reads a year of a busy account faster than summaries could be kept up to date; see decision 0035.
    async summarise() {},

    compact: (beforeMs, mayGoOn = () => true) =>
      maintaining(async () => {
        await prepared();
        // Counts would lack what a later release notes about clicks, so its nodes have to make them.
        const isKnown = async (): Promise<boolean> => !(await isOfLaterRelease(session, layout));
        if (!(await isKnown()) || !(await claim.take())) return;
        await syncReplica(session, layout, ["batches", "compactions", "clicks", "expiring_clicks", "imported_visits"]);
        const compaction = { session, mayGoOn: async () => mayGoOn() && (await isKnown()) && (await claim.isHeld()) };
        await compactDays(compaction, dayOf(beforeMs));
        await dropInterruptedRuns(compaction);
        await log.removeAborted(compaction.mayGoOn);
        await compactImportedDays(compaction, dayOf(beforeMs));
        // After a failure others wait until it expires: a statement may still be under way.
        await claim.release();
        // Two nodes at once would delete the same rows.
        await compactLinkTags(session);
      }),

    reclaim: () => maintaining(async () => reclaimErased(await prepared())),

    async stats() {
      const [row] = await readSteadily(await prepared(), (structure) =>
        session.rows(`
          select (select count() from ${clicksThatCount(structure)}),
            (select sum(clicks) from compacted_clicks where ${COMPACTED_THAT_COUNT}),
            (select sum(clicks) from imported_clicks where earlier = 0 and ${IMPORTED_THAT_COUNT}) +
              (select sum(clicks) from imported_visits where ${VISITS_THAT_COUNT}),
            (select sum(bytes_on_disk) from system.parts where database = currentDatabase() and active)`),
      );
      const [rows = 0, compactedClicks = 0, importedClicks = 0, bytes = 0] = (row ?? []).map(Number);
      return { rows, compactedClicks, importedClicks, bytes, walBytes: 0 };
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
