import { countMissingClicks, ownClicksGuard } from "#clicks/ingestion/clicks-file-check.ts";
import { counterConsumer } from "#clicks/ingestion/counter-consumer.ts";
import { engineConsumer } from "#clicks/ingestion/engine-consumer.ts";
import { startErasures } from "#clicks/ingestion/erasures.ts";
import { type Ingestion, type IngestionStats, startIngestion } from "#clicks/ingestion/ingestion.ts";
import type { SteadyClock } from "#clicks/ingestion/steady-clock.ts";
import { startTagMirror } from "#clicks/ingestion/tag-mirror.ts";
import { startUpkeep } from "#clicks/ingestion/upkeep.ts";
import type { LiveClicks } from "#clicks/live/live-clicks.ts";
import { enginePlaces } from "#config/engine-places.ts";
import type { Lease } from "#engines/coordination/leases.ts";
import { findClicksFile } from "#engines/places.ts";
import { afterMs } from "#runtime/after-ms.ts";
import { logEvent } from "#runtime/log.ts";
import { segmentPrefixOf } from "#runtime/node-name.ts";
import { logProblem } from "#runtime/problem-log.ts";
import { startSalts } from "#runtime/salt-loop.ts";
import type { Services } from "#runtime/services.ts";
import { isNode, stopLimits } from "#runtime/stop-limits.ts";

const REST_MS_MAX = 5000;

export interface ClickPipeline {
  stats(): IngestionStats;
  /** See `Ingestion`. */
  noteAlone(fromEpoch: number): void;
  /** From when it resolves until the function it returns is called, no segment is deleted and no click erased. */
  pauseRemovals(): Promise<() => void>;
  stop(): Promise<void>;
}

interface Options {
  readonly live: LiveClicks;
  /** Without one, the upkeep of clicks is left to other nodes. */
  readonly lease: Lease | null;
  readonly steadyClock: SteadyClock;
}

/** Control's part in clicks: salts for the visitor hashes, the way from the journal into both engines, and upkeep. */
export function startClickPipeline(
  services: Services,
  liveFromEpoch: number,
  { live, lease, steadyClock }: Options,
): ClickPipeline {
  const { config, paths, records, clicks, webhooks, clock } = services;
  const file = findClicksFile(enginePlaces(config).clicks);
  // Links that are shared also count clicks of other nodes.
  void countMissingClicks(records, config.databaseUrl === null ? file : null)
    .then((clicks) => reportMissingClicks(paths.clicks, clicks))
    .catch((error: unknown) => logProblem("clicks cannot be added up", error));
  const counting = { companion: webhooks.clicks, segmentPrefix: segmentPrefixOf(config) };
  const ingestion = startIngestion({
    directory: paths.journal,
    liveFromEpoch,
    before: ownClicksGuard(clicks, { isOnServer: file === null }),
    consumers: [engineConsumer(clicks), live.watching(counterConsumer(records, counting))],
    restMs: stopLimits(config).journalMs,
    onProblem: logProblem,
  });
  const erasures = lease && startErasures({ records, clicks, onProblem: logProblem, lease });
  const upkeep = lease && [
    startTagMirror({ records, clicks, onProblem: logProblem, lease }),
    startUpkeep({
      clicks,
      file,
      retentionDays: config.clickRetentionDays,
      clock,
      steadyClock,
      onProblem: logProblem,
      lease,
    }),
  ];
  const parts = [startSalts(services), ingestion, erasures, ...(upkeep ?? [])];
  return {
    stats: ingestion.stats,
    noteAlone: ingestion.noteAlone,
    async pauseRemovals() {
      const resumes = await Promise.all([ingestion.keepSegments(), erasures?.pause()]);
      return () => {
        for (const resume of resumes) resume?.();
      };
    },
    async stop() {
      // It may take minutes, and all the parts would wait for it.
      clicks.suspendMigration();
      await Promise.all(parts.map((part) => part?.stop()));
      if (isNode(config)) await reportRest(ingestion);
    },
  };
}

/** Without its file, reports start empty, which should not happen silently. */
function reportMissingClicks(path: string, clicks: number): void {
  if (clicks === 0) return;
  logEvent("error", "the clicks file is missing; reports start empty", {
    path,
    counted_on_links: clicks,
    remedy: 'restore it from a backup as described in "A damaged clicks file" in docs/operations.md',
  });
}

/** A node that leaves for good must not take clicks with it. */
async function reportRest(ingestion: Pick<Ingestion, "measureRest">): Promise<void> {
  // An engine that is away doesn't say how far it came.
  const rest = await Promise.race([ingestion.measureRest().catch(() => null), afterMs(REST_MS_MAX).then(() => null)]);
  if (rest?.bytes === 0 && rest.unreadable === 0)
    logEvent("info", "all clicks of this node are stored; nothing is left in its journal");
  else {
    logEvent("warn", "clicks are left in the journal of this node; keep its data directory", {
      bytes: rest?.bytes ?? null,
      unreadable_segments: rest?.unreadable ?? null,
      remedy: "start the node again, or run kurz clicks ingest",
    });
  }
}
