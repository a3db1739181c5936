import { type Epochs, openEpochs } from "#clicks/journal/epochs.ts";
import { dataPaths } from "#config/data-paths.ts";
import { enginePlaces } from "#config/engine-places.ts";
import { findUnexpectedAddress } from "#config/reachable-address.ts";
import type { Config } from "#config/settings.ts";
import { isShared } from "#engines/places.ts";
import { findRecordsFile, type RecordsFile } from "#engines/records/records-file.ts";
import { reasonOf } from "#kernel/error-text.ts";
import { openServerMetrics, type ServerMetrics } from "#monitoring/server-metrics.ts";
import { prepareOrAwaitRecords, reportCopyProblem, unlessAway } from "#runtime/await-records.ts";
import { explainDataFailure } from "#runtime/data-directory.ts";
import { type DataLock, lockDataDirectory } from "#runtime/data-lock.ts";
import { keepFiles } from "#runtime/kept-files.ts";
import { flushLog, logEvent, printNote } from "#runtime/log.ts";
import { probePort } from "#runtime/port-probe.ts";
import { prepareSalts } from "#runtime/prepare-salts.ts";
import { refuseCopiedNode } from "#runtime/refuse-copied-node.ts";
import { stopLimits } from "#runtime/stop-limits.ts";
import { formatAnnouncement } from "#supervision/announcement.ts";
import { ownCommand } from "#supervision/own-command.ts";
import { type GroupOptions, type ProcessGroup, startProcesses } from "#supervision/process-group.ts";
import { listenForStop } from "#supervision/stop-signals.ts";

type Command = GroupOptions["command"];

export interface SuperviseOptions {
  /** The command line of a role; by default this program with the role as its word. */
  readonly command?: Command;
  /** Further checks before any data is touched; what it throws is printed in one line. */
  readonly prepare?: () => void | Promise<void>;
  /** What a new operator should do next; asked once the schema is there. */
  readonly hint?: () => Promise<string | undefined>;
}

/** Runs the server until a signal ends it, and returns the exit code. */
export async function supervise(
  config: Config,
  { command = ownCommand, prepare, hint }: SuperviseOptions = {},
): Promise<number> {
  const paths = dataPaths(config.dataDir);
  let lock: DataLock | undefined;
  let kept: ReturnType<typeof keepFiles> | undefined;
  let metrics: ServerMetrics | undefined;
  try {
    // Everything that may refuse the start without touching the data comes before the lock, which creates its directory.
    await prepare?.();
    probePort(config.host, config.port);
    lock = lockDataDirectory(paths, { purpose: "server" });
    kept = keepFiles([lock.note]);
    const hasRecords = await prepareOrAwaitRecords(config);
    if (!hasRecords) logEvent("warn", "the server for records is away; only links that this node knows are redirected");
    else await reportCopyProblem(config);
    await Promise.all([refuseCopiedNode(config), prepareSalts(config)]);
    const epochs = openEpochs(paths.epochs);
    metrics = await openServerMetrics(config, paths);
    const about = hasRecords && hint ? await unlessAway(hint) : undefined;
    return await runProcesses({ config, command, hint: about, epochs, metrics, awaitsRecords: !hasRecords });
  } catch (error) {
    printNote(`kurz: ${reasonOf(explainDataFailure(error, config.dataDir))}`);
    return 1;
  } finally {
    await metrics?.stop();
    void kept?.stop();
    lock?.release();
    await flushLog();
  }
}

interface Run {
  readonly config: Config;
  readonly command: Command;
  readonly hint: string | undefined;
  readonly epochs: Epochs;
  readonly metrics: ServerMetrics;
  /** Whether the server for records was away at the start. */
  readonly awaitsRecords: boolean;
}

async function runProcesses({ config, command, hint, epochs, metrics, awaitsRecords }: Run): Promise<number> {
  const signals = listenForStop();
  const group = startProcesses({
    config,
    command,
    epochs,
    figures: metrics.processes,
    // Only where other nodes may serve links meanwhile; and without the records, control starts when they are back.
    awaitsControl: config.roles.length > 1 && isShared(enginePlaces(config).records) && !awaitsRecords,
    controlMayFail: awaitsRecords,
    stopMsMax: stopLimits(config).stopMs,
  });
  void group.ready.then(() =>
    printNote(
      formatAnnouncement({
        baseUrl: config.baseUrl,
        roles: config.roles,
        listens: `${config.host}:${config.port}`,
        unexpectedAddress: findUnexpectedAddress(config),
        dataDir: config.dataDir,
        metrics: metrics.served,
        hint,
      }),
    ),
  );
  const ending = await Promise.race([signals.first, group.failed]);
  const isHurried = !(ending instanceof Error) && (await drain(config, group, signals.second));
  const isOrderly = await group.stop(isHurried ? signals.third : signals.second);
  const records = findRecordsFile(enginePlaces(config).records);
  if (isOrderly && records !== null) await eraseRemains(records);
  if (ending instanceof Error) throw ending;
  return isOrderly ? 0 : 1;
}

/** Load balancers learn that this node leaves before it does. Returns whether someone asked to leave earlier. */
async function drain({ drainSeconds }: Config, group: ProcessGroup, hurry: Promise<void>): Promise<boolean> {
  if (drainSeconds === 0) return false;
  logEvent("info", "the server stops soon: it is not ready any more, but still answers", { seconds: drainSeconds });
  group.drain();
  return await Promise.race([hurry.then(() => true), Bun.sleep(drainSeconds * 1000).then(() => false)]);
}

/** The only moment when nothing uses the records, so their file can be replaced. */
async function eraseRemains(records: RecordsFile): Promise<void> {
  const { path } = records;
  try {
    const bytes = records.bytesToRewrite();
    // It takes a while where there is much, and a stop that seems to hang gets killed.
    if (bytes > 0) {
      printNote(`kurz: removing what is left of deleted data from ${path} (${Math.ceil(bytes / 1e6)} MB)`);
      await flushLog();
    }
    records.rewriteErased();
  } catch (error) {
    printNote(`kurz: copies of deleted data may be left in ${path}; the next stop tries again: ${reasonOf(error)}`);
  }
}
