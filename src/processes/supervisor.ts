import { type Epochs, openEpochs } from "#clicks/journal/epochs.ts";
import { childEnvironment } from "#config/child-environment.ts";
import { dataPaths } from "#config/data-paths.ts";
import { enginePlaces } from "#config/engine-places.ts";
import { findUnexpectedAddress } from "#config/reachable-address.ts";
import type { Config } from "#config/settings.ts";
import { CLICKS_VERSION } from "#engines/clicks/clicks-version.ts";
import { isShared } from "#engines/places.ts";
import { findRecordsFile, type RecordsFile } from "#engines/records/records-file.ts";
import { reasonOf } from "#kernel/error-text.ts";
import type { Loop } from "#kernel/loop.ts";
import { openServerMetrics, type ServerMetrics } from "#monitoring/server-metrics.ts";
import { prepareOrAwaitRecords, reportCopyProblem, unlessAway } from "#runtime/await-records.ts";
import { explainDataFailure } from "#runtime/data-directory.ts";
import { type DataLock, lockDataDirectory, type ServerNote } from "#runtime/data-lock.ts";
import { keepFiles } from "#runtime/kept-files.ts";
import { flushLog, logEvent, printNote } from "#runtime/log.ts";
import { probePort } from "#runtime/port-probe.ts";
import { prepareSalts } from "#runtime/prepare-salts.ts";
import { logProblem } from "#runtime/problem-log.ts";
import { refuseCopiedNode } from "#runtime/refuse-copied-node.ts";
import { stopLimits } from "#runtime/stop-limits.ts";
import { endAdopted } from "#supervision/adopted-processes.ts";
import { formatAnnouncement } from "#supervision/announcement.ts";
import { findSuccessorProblem } from "#supervision/check-successor.ts";
import { type Handover, handoverVariable, takeHandover } from "#supervision/handover.ts";
import {
  closeSockets,
  keepForSuccessor,
  keepFromChildren,
  openListeningSockets,
} from "#supervision/listening-sockets.ts";
import { ownCommand } from "#supervision/own-command.ts";
import { type GroupOptions, type ProcessGroup, startProcesses } from "#supervision/process-group.ts";
import { acceptSignals, replaceProgram } from "#supervision/replace-program.ts";
import { findRestartReason } from "#supervision/replaceable.ts";
import { listenForStop, type StopSignals } from "#supervision/stop-signals.ts";
import { HANDOVER_SIGNAL, listenForSuccessors, type Successor } from "#supervision/successor.ts";
import { version } from "../../package.json";

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
  // The program before this one holds the port and the lock for it, and its redirect processes serve.
  const handover = takeHandover();
  const signals = handover && listenToStop();
  const about = { version, run: Bun.randomUUIDv7() };
  let lock: DataLock | undefined;
  let kept: Loop | undefined;
  let metrics: ServerMetrics | undefined;
  /** Redirect processes that nobody would end. */
  let left = handover?.redirects ?? [];
  const start = async (): Promise<Run> => {
    // Everything that may refuse the start without touching the data comes before the lock, which creates its directory.
    await prepare?.();
    if (handover === undefined) probePort(config.host, config.port);
    lock = lockDataDirectory(paths, {
      purpose: "server",
      left: handover?.lock,
      server: { ...about, isSettled: false, isStarting: true },
    });
    kept = keepFiles([lock.note]);
    const hasRecords = await prepareOrAwaitRecords(config);
    if (!hasRecords) logEvent("warn", "the server for records is away; only links that this node knows are redirected");
    else await reportCopyProblem(config);
    await Promise.all([refuseCopiedNode(config), prepareSalts(config)]);
    const epochs = openEpochs(paths.epochs);
    metrics = await openServerMetrics(config, paths);
    const nextStep = hasRecords && hint ? await unlessAway(hint) : undefined;
    const opened = { epochs, metrics, lock, kept };
    return { config, command, about, hint: nextStep, ...opened, handover, signals, awaitsRecords: !hasRecords };
  };
  try {
    const run = await Promise.race([start(), ...(signals ? [signals.first] : [])]);
    if (run === undefined) return await stopBeforeStart(left);
    const ending = await runProcesses(run);
    if (typeof ending === "number") return ending;
    left = ending.handover.redirects;
    throw replaceSupervisor(ending);
  } catch (error) {
    printNote(`kurz: ${reasonOf(explainDataFailure(error, config.dataDir))}`);
    await endAdopted(left);
    return 1;
  } finally {
    await metrics?.stop();
    void kept?.stop();
    lock?.release();
    await flushLog();
  }
}

/** As soon as possible after a replacement: what was sent meanwhile has waited until now. */
function listenToStop(): StopSignals {
  const signals = listenForStop();
  acceptSignals();
  return signals;
}

async function stopBeforeStart(redirects: readonly number[]): Promise<number> {
  await endAdopted(redirects);
  return 0;
}

interface Run {
  readonly config: Config;
  readonly command: Command;
  readonly about: Pick<ServerNote, "version" | "run">;
  readonly hint: string | undefined;
  readonly epochs: Epochs;
  readonly metrics: ServerMetrics;
  readonly lock: DataLock;
  readonly kept: Loop;
  readonly handover: Handover | undefined;
  /** If someone listens already. */
  readonly signals: StopSignals | undefined;
  /** Whether the server for records was away at the start. */
  readonly awaitsRecords: boolean;
}

/** Returns the exit code, or the program that replaces this one and what it has to know. */
async function runProcesses(run: Run): Promise<number | Replacement> {
  const { config, command, hint, epochs, metrics, lock, handover, awaitsRecords } = run;
  const signals = run.signals ?? listenForStop();
  const sockets = openSockets(config, handover);
  const group = startProcesses({
    config,
    command,
    epochs,
    figures: metrics.processes,
    // Only where other nodes may serve links meanwhile; and without the records, control starts when they are back.
    awaitsControl: config.roles.length > 1 && isShared(enginePlaces(config).records) && !awaitsRecords,
    controlMayFail: awaitsRecords,
    stopMsMax: stopLimits(config).stopMs,
    sockets,
    replaced: handover,
  });
  const mustRestart = restartReasonOf(config, sockets);
  const describe = describeServer(lock, { ...run.about, ...(mustRestart !== undefined && { mustRestart }) });
  let ended: Promise<void> | undefined;
  const endReplaced = (): Promise<void> => {
    ended ??= endAdopted(handover?.redirects ?? []);
    return ended;
  };
  const replaced = group.ready.then(async () => {
    if (handover !== undefined) {
      logEvent("info", "this program has taken over; processes of the one before finish their requests", {
        version,
        before: handover.version,
      });
    }
    await endReplaced();
    if (handover !== undefined) group.noteAlone();
    const successors = listenForSuccessors(dataPaths(config.dataDir));
    describe({ isSettled: true, ...(handover && { request: handover.request }) });
    for (;;) {
      const successor = await successors.next();
      describe({ isSettled: false });
      const reason = mustRestart ?? (await findObstacle(successor, lock));
      if (reason === undefined) return successor;
      logEvent("warn", "another program can't take over", { command: successor.command.join(" "), reason });
      describe({ isSettled: true, refused: { request: successor.request, reason } });
    }
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
  const ending = await Promise.race([signals.first, group.failed, replaced]);
  if (ending !== undefined && !(ending instanceof Error)) {
    logEvent("info", "another program takes over", { command: ending.command.join(" ") });
    const leave = async (): Promise<Replacement> => {
      const left = await group.handOver();
      await Promise.all([metrics.stop(), run.kept.stop(), flushLog()]);
      const { command, request } = ending;
      return { command, handover: { ...left, lock: lock.toDescriptor(), sockets, version, request } };
    };
    // Someone who stops the server meanwhile means the next program, too.
    const replacement = await Promise.race([signals.first, leave()]);
    if (replacement !== undefined) return replacement;
  }
  await endReplaced();
  const isHurried = !(ending instanceof Error) && (await drain(config, group, signals.second));
  // Once no process accepts any more, clients must be refused rather than wait for one.
  closeSockets(sockets);
  const isOrderly = await group.stop(isHurried ? signals.third : signals.second);
  const records = findRecordsFile(enginePlaces(config).records);
  if (isOrderly && records !== null) await eraseRemains(records);
  if (ending instanceof Error) throw ending;
  return isOrderly ? 0 : 1;
}

interface Replacement {
  readonly command: readonly string[];
  readonly handover: Handover;
}

/** Tells `kurz reload` about this server, which goes on if nobody can be told. */
function describeServer(lock: DataLock, about: Pick<ServerNote, "version" | "run" | "mustRestart">) {
  return (state: Pick<ServerNote, "isSettled" | "request" | "refused">): void => {
    try {
      lock.describe({ ...about, ...state });
    } catch (error) {
      logProblem("the server can't write down its state for kurz reload", error);
    }
  };
}

function restartReasonOf(config: Config, sockets: readonly number[]): string | undefined {
  const reason = findRestartReason(config);
  if (reason !== undefined || sockets.length === config.redirectProcesses) return reason;
  return `a server that listens on a name (KURZ_HOST=${config.host}) instead of an address can't be reloaded`;
}

/** Why a program can't take over, found out while nothing has happened yet. */
async function findObstacle({ check }: Successor, lock: DataLock): Promise<string | undefined> {
  try {
    lock.toDescriptor();
  } catch (error) {
    return reasonOf(error);
  }
  return findSuccessorProblem(check, [CLICKS_VERSION]);
}

/** Sockets that outlive redirect processes. The runtime's HTTP server can only open its own. */
function openSockets({ fastLane, host, port, redirectProcesses }: Config, handover: Handover | undefined): number[] {
  const left = handover?.sockets ?? [];
  const wanted = fastLane ? redirectProcesses : 0;
  closeSockets(left.slice(wanted));
  const more = openListeningSockets(host, port, Math.max(0, wanted - left.length)) ?? [];
  const sockets = [...left.slice(0, wanted), ...more];
  keepFromChildren(sockets);
  return sockets;
}

/** Returns why it couldn't. */
function replaceSupervisor({ command, handover }: Replacement): Error {
  keepForSuccessor([...handover.sockets, handover.lock]);
  return replaceProgram(command, childEnvironment(handoverVariable(handover)), HANDOVER_SIGNAL);
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
