import { rmSync } from "node:fs";
import { openEpochs } from "#clicks/journal/epochs.ts";
import { childEnvironment } from "#config/child-environment.ts";
import { dataPaths } from "#config/data-paths.ts";
import { generationConfig } from "#config/demo-generation.ts";
import type { Config } from "#config/settings.ts";
import { errorText } from "#kernel/error-text.ts";
import type { Figures } from "#metrics/figures.ts";
import { openServerMetrics, type ServerMetrics } from "#monitoring/server-metrics.ts";
import { type DataLock, lockDataDirectory } from "#runtime/data-lock.ts";
import { logEvent } from "#runtime/log.ts";
import { ownCommand } from "#supervision/own-command.ts";
import { type ProcessGroup, startProcesses } from "#supervision/process-group.ts";

export interface Generation {
  readonly number: number;
  readonly socketPath: string;
  readFigures(): Promise<Figures>;
  /** Stops its processes, killing them if `force` resolves first, and deletes its data; returns whether they stopped in order. */
  end(force?: Promise<void>): Promise<boolean>;
}

export interface GenerationOptions {
  readonly number: number;
  /** The time for which the data is generated. */
  readonly asOfMs: number;
  readonly signal: AbortSignal;
}

/** Generates the data and starts the processes that serve it. A failure leaves nothing behind. */
export async function openGeneration(root: Config, options: GenerationOptions): Promise<Generation> {
  const { number } = options;
  const config = generationConfig(root, number);
  const paths = dataPaths(config.dataDir);
  let lock: DataLock | undefined;
  let metrics: ServerMetrics | undefined;
  let group: ProcessGroup | undefined;
  const end = async (force?: Promise<void>): Promise<boolean> => {
    const isOrderly = (await group?.stop(force)) ?? true;
    await metrics?.stop();
    lock?.release();
    for (const path of [paths.run, paths.dataDir]) removeAll(path);
    return isOrderly;
  };
  try {
    await seedGeneration(options);
    lock = lockDataDirectory(paths, { purpose: "server" });
    metrics = await openServerMetrics(config, paths);
    group = startProcesses({
      config,
      command: ownCommand,
      facts: [number],
      epochs: openEpochs(paths.epochs),
      figures: metrics.processes,
    });
    const problem = await Promise.race([group.ready, group.failed]);
    if (problem) throw problem;
    return { number, socketPath: paths.visitorsSocket, readFigures: metrics.read, end };
  } catch (error) {
    await end();
    throw error;
  }
}

/** In a separate process, which keeps this one responsive and frees all its memory afterwards. */
async function seedGeneration({ number, asOfMs, signal }: GenerationOptions): Promise<void> {
  const child = Bun.spawn([...ownCommand("seed-demo"), String(number), String(asOfMs)], {
    stdio: ["ignore", "inherit", "inherit"],
    // By default, it would be this process's as it was at its start, without what `kurz demo` has set.
    env: childEnvironment(),
    signal,
  });
  const code = await child.exited;
  signal.throwIfAborted();
  if (code !== 0) throw new Error(`the demo data could not be generated (exit code ${code})`);
}

/** Data that cannot be deleted wastes disk space, but is no reason to stop the demo. */
function removeAll(path: string): void {
  try {
    rmSync(path, { recursive: true, force: true });
  } catch (error) {
    logEvent("warn", "old demo data could not be deleted", { path, error: errorText(error) });
  }
}
