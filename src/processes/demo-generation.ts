import { rmSync } from "node:fs";
import { openEpochs } from "#clicks/journal/epochs.ts";
import { dataPaths } from "#config/data-paths.ts";
import { generationConfig } from "#config/demo-generation.ts";
import type { Config } from "#config/settings.ts";
import { errorText } from "#kernel/error-text.ts";
import type { Figures } from "#metrics/figures.ts";
import { type DataLock, lockDataDirectory } from "#runtime/data-lock.ts";
import { logEvent } from "#runtime/log.ts";
import { type ProcessGroup, startProcesses } from "./process-group.ts";
import { openServerMetrics, type ServerMetrics } from "./server-metrics.ts";
import { ownCommand } from "./supervisor.ts";

export interface Generation {
  readonly number: number;
  readonly socketPath: string;
  readFigures(): Promise<Figures>;
  /** Ends its processes and deletes its data; tells whether they ended in order. */
  end(impatience?: Promise<void>): Promise<boolean>;
}

export interface GenerationOptions {
  readonly number: number;
  /** The data is as of this time. */
  readonly asOfMs: number;
  readonly signal: AbortSignal;
}

/** Makes the data and starts the processes that serve it. What fails leaves nothing behind. */
export async function openGeneration(root: Config, options: GenerationOptions): Promise<Generation> {
  const { number } = options;
  const config = generationConfig(root, number);
  const paths = dataPaths(config.dataDir);
  let lock: DataLock | undefined;
  let metrics: ServerMetrics | undefined;
  let group: ProcessGroup | undefined;
  const end = async (impatience?: Promise<void>): Promise<boolean> => {
    const isOrderly = (await group?.stop(impatience)) ?? true;
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

/** In a process of its own: that keeps this one free to answer, and gives all its memory back. */
async function seedGeneration({ number, asOfMs, signal }: GenerationOptions): Promise<void> {
  const child = Bun.spawn([...ownCommand("seed-demo"), String(number), String(asOfMs)], {
    stdio: ["ignore", "inherit", "inherit"],
    signal,
  });
  const code = await child.exited;
  signal.throwIfAborted();
  if (code !== 0) throw new Error(`the data of the demo could not be made (exit code ${code})`);
}

/** Data that cannot be deleted is a waste of disk, and no reason to end the demo. */
function removeAll(path: string): void {
  try {
    rmSync(path, { recursive: true, force: true });
  } catch (error) {
    logEvent("warn", "old data of the demo could not be deleted", { path, error: errorText(error) });
  }
}
