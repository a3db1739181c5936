import { type Epochs, openEpochs } from "#clicks/journal/epochs.ts";
import { dataPaths } from "#config/data-paths.ts";
import type { Config } from "#config/settings.ts";
import { migrateSqlite } from "#engines/records/migrate-sqlite.ts";
import { afterMs } from "#runtime/after-ms.ts";
import { type DataLock, lockDataDirectory } from "#runtime/data-lock.ts";
import { flushLog, printNote } from "#runtime/log.ts";
import { formatAnnouncement } from "./announcement.ts";
import { probePort } from "./port-probe.ts";
import { openServerMetrics, type ServerMetrics } from "./server-metrics.ts";
import { listenForStop } from "./stop-signals.ts";
import { SupervisedChild } from "./supervised-child.ts";

export type Role = "redirect" | "control";
type Command = (role: Role) => readonly string[];

export interface SuperviseOptions {
  /** The command line of a role; by default this program with the role as its word. */
  readonly command?: Command;
  /** Further checks before any data is touched; what it throws is told in one line. */
  readonly prepare?: () => void;
  /** What a new operator should do next; asked once the schema is there. */
  readonly hint?: () => string | undefined;
}

// A hung redirect process swallows its share of connections; control may be busy for a moment.
const SILENCE_MS_MAX = { redirect: 1000, control: 10_000 } as const;
const FAILED_STARTS_MAX = 5;
const STOP_MS_MAX = 15_000;

/** Runs the server until a signal ends it, and returns the exit code. */
export async function supervise(
  config: Config,
  { command = ownCommand, prepare, hint }: SuperviseOptions = {},
): Promise<number> {
  const paths = dataPaths(config.dataDir);
  let lock: DataLock | undefined;
  let metrics: ServerMetrics | undefined;
  try {
    // Everything that may refuse the start without touching the data comes before the lock, which creates its directory.
    prepare?.();
    probePort(config.host, config.port);
    lock = lockDataDirectory(paths, { purpose: "server" });
    migrateSqlite(paths.records);
    const epochs = openEpochs(paths.epochs);
    metrics = await openServerMetrics(config, paths);
    return await runProcesses({ config, command, hint: hint?.(), epochs, metrics });
  } catch (error) {
    printNote(`kurz: ${error instanceof Error ? error.message : String(error)}`);
    return 1;
  } finally {
    await metrics?.stop();
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
}

async function runProcesses({ config, command, hint, epochs, metrics }: Run): Promise<number> {
  const signals = listenForStop();
  const failure = Promise.withResolvers<Error>();
  const awaited = new Set<Role>(["redirect", "control"]);

  const start = (role: Role, name: string, facts: () => readonly number[]): SupervisedChild => {
    const watch = metrics.processes.watch(name);
    return new SupervisedChild({
      ...watch,
      role,
      command: () => [...command(role), ...facts().map(String)],
      silenceMsMax: SILENCE_MS_MAX[role],
      onReady() {
        watch.onReady();
        if (awaited.delete(role) && awaited.size === 0) {
          printNote(
            formatAnnouncement({
              baseUrl: config.baseUrl,
              listens: `${config.host}:${config.port}`,
              dataDir: config.dataDir,
              metrics: metrics.served,
              hint,
            }),
          );
        }
      },
      onFailedStart(failures, reason) {
        // Once the server has served, one process that cannot start is no reason to end the others.
        if (awaited.size === 0 || failures < FAILED_STARTS_MAX) return;
        failure.resolve(new Error(`the ${role} process cannot start: ${reason}`));
      },
    });
  };
  // A click is known by its writer and that writer's epoch, which no other process ever has.
  const redirects = Array.from({ length: config.redirectProcesses }, (_, writer) =>
    start("redirect", `redirect-${writer}`, () => [writer, epochs.next()]),
  );
  const control = start("control", "control", () => [epochs.first]);

  const ending = await Promise.race([signals.first, failure.promise]);
  // Clicks and API calls that are on their way through a redirect process still need control.
  const stopped = Promise.all(redirects.map((child) => child.stop())).then(() => control.stop());
  const isOrderly = await Promise.race([
    stopped.then(() => true),
    Promise.race([signals.second, afterMs(STOP_MS_MAX)]).then(() => false),
  ]);
  if (!isOrderly) await Promise.all([...redirects, control].map((child) => child.kill()));
  signals.close();
  if (ending instanceof Error) throw ending;
  return isOrderly ? 0 : 1;
}

const ownCommand: Command = (role) => [process.execPath, ...process.execArgv, Bun.main, role];
