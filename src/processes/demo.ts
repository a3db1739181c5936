import { rmSync } from "node:fs";
import { openEpochs } from "#clicks/journal/epochs.ts";
import { dataPaths } from "#config/data-paths.ts";
import { generationConfig, nextResetMs } from "#config/demo-generation.ts";
import type { Config } from "#config/settings.ts";
import { demoAccess } from "#demo/demo-access.ts";
import { claimDemoDirectory, clearGenerations } from "#demo/demo-directory.ts";
import { startFront } from "#demo/front.ts";
import { systemClock } from "#kernel/clock.ts";
import { errorText } from "#kernel/error-text.ts";
import { type DataLock, lockDataDirectory } from "#runtime/data-lock.ts";
import { flushLog, logEvent, printNote } from "#runtime/log.ts";
import { formatAnnouncement } from "./announcement.ts";
import { probePort } from "./port-probe.ts";
import { ProcessFigures } from "./process-figures.ts";
import { type ProcessGroup, startProcesses } from "./process-group.ts";
import { listenForStop } from "./stop-signals.ts";
import { ownCommand } from "./supervisor.ts";

interface Generation {
  readonly socketPath: string;
  /** Ends its processes and deletes its data. */
  end(impatience?: Promise<void>): Promise<boolean>;
}

/** The next generation is made in time, since the reset itself is to be on time. */
const LEAD_MS_MAX = 60_000;
const RETRY_MS = 5000;

/** Runs the demo until a signal ends it, and returns the exit code. */
export async function serveDemo(config: Config): Promise<number> {
  let lock: DataLock | undefined;
  try {
    claimDemoDirectory(config.dataDir);
    probePort(config.host, config.port);
    lock = lockDataDirectory(dataPaths(config.dataDir), { purpose: "server" });
    clearGenerations(config.dataDir);
    return await runDemo(config);
  } catch (error) {
    printNote(`kurz: ${error instanceof Error ? error.message : String(error)}`);
    return 1;
  } finally {
    lock?.release();
    await flushLog();
  }
}

async function runDemo(config: Config): Promise<number> {
  const signals = listenForStop();
  const stopping = new AbortController();
  void signals.first.then(() => stopping.abort());
  const wishes = listenForWishes();
  const { signal } = stopping;
  let number = 1;
  let asOfMs = systemClock();
  let current = await openGeneration(config, number, asOfMs, signal).catch(unlessStopped(signal));
  if (!current) return 0;
  const front = startFront(config, current.socketPath);
  printNote(announcementOf(config));

  while (!signal.aborted) {
    asOfMs = await waitForReset(config, asOfMs, wishes, signal);
    if (signal.aborted) break;
    try {
      number += 1;
      const next = await openGeneration(config, number, asOfMs, signal);
      await pauseUntil(asOfMs, signal);
      await front.switchTo(next.socketPath);
      const old = current;
      current = next;
      await old.end();
      logEvent("info", "the demo started anew", { generation: number });
    } catch (error) {
      if (signal.aborted) break;
      logEvent("error", "the demo could not start anew and goes on as it is", { error: errorText(error) });
      await pauseUntil(systemClock() + RETRY_MS, signal);
      wishes.add();
    }
  }

  await front.stop();
  const isOrderly = await current.end(signals.second);
  signals.close();
  return isOrderly ? 0 : 1;
}

const unlessStopped = (signal: AbortSignal) => (error: unknown) => {
  if (signal.aborted) return null;
  throw error;
};

interface Wishes {
  add(): void;
  /** Aborts when there is one. */
  readonly next: AbortSignal;
  fulfil(): void;
}

/** The operator may have the demo start anew at any time; wishes that come while it does are one more. */
function listenForWishes(): Wishes {
  let wish = new AbortController();
  const add = (): void => wish.abort();
  process.on("SIGUSR2", add);
  return {
    add,
    get next() {
      return wish.signal;
    },
    fulfil() {
      wish = new AbortController();
    },
  };
}

/** Until it is time to make the generation after that of `lastMs`, or somebody wants one at once; returns its time. */
async function waitForReset(config: Config, lastMs: number, wishes: Wishes, signal: AbortSignal): Promise<number> {
  const resetMs = nextResetMs(Math.max(lastMs, systemClock()), config);
  const leadMs = Math.min(LEAD_MS_MAX, (config.demoResetMinutes * 60_000) / 2);
  await pauseUntil(resetMs - leadMs, AbortSignal.any([signal, wishes.next]));
  if (!wishes.next.aborted) return resetMs;
  wishes.fulfil();
  return systemClock();
}

async function openGeneration(root: Config, number: number, asOfMs: number, signal: AbortSignal): Promise<Generation> {
  const config = generationConfig(root, number);
  const paths = dataPaths(config.dataDir);
  const remove = () => {
    for (const path of [paths.run, paths.dataDir]) rmSync(path, { recursive: true, force: true });
  };
  let group: ProcessGroup | undefined;
  let lock: DataLock | undefined;
  try {
    await seedGeneration(number, asOfMs, signal);
    lock = lockDataDirectory(paths, { purpose: "server" });
    group = startProcesses({
      config,
      command: ownCommand,
      facts: [number],
      epochs: openEpochs(paths.epochs),
      figures: new ProcessFigures(),
    });
    const problem = await Promise.race([group.ready, group.failed]);
    if (problem) throw problem;
  } catch (error) {
    await group?.stop();
    lock?.release();
    remove();
    throw error;
  }
  const { stop } = group;
  return {
    socketPath: paths.visitorsSocket,
    async end(impatience) {
      const isOrderly = await stop(impatience);
      lock.release();
      remove();
      return isOrderly;
    },
  };
}

/** In a process of its own: that keeps this one free to answer, and gives all its memory back. */
async function seedGeneration(number: number, asOfMs: number, signal: AbortSignal): Promise<void> {
  const child = Bun.spawn([...ownCommand("seed-demo"), String(number), String(asOfMs)], {
    stdio: ["ignore", "inherit", "inherit"],
    signal,
  });
  const code = await child.exited;
  signal.throwIfAborted();
  if (code !== 0) throw new Error(`the data of the demo could not be made (exit code ${code})`);
}

/** Timers reach 24 days, and no reset is further away than one. */
async function pauseUntil(ms: number, signal: AbortSignal): Promise<void> {
  const pause = Promise.withResolvers<void>();
  if (signal.aborted) return;
  const timer = setTimeout(pause.resolve, Math.max(0, ms - systemClock()));
  const end = (): void => pause.resolve();
  signal.addEventListener("abort", end);
  await pause.promise;
  clearTimeout(timer);
  signal.removeEventListener("abort", end);
}

function announcementOf(config: Config): string {
  const { email, password, token } = demoAccess;
  return formatAnnouncement({
    baseUrl: config.baseUrl,
    listens: `${config.host}:${config.port}`,
    dataDir: config.dataDir,
    metrics: null,
    hint: `This is the demo: all data is fictional and starts anew every ${config.demoResetMinutes} minutes.
  E-mail    ${email}
  Password  ${password}
  Token     ${token.value}`,
  });
}
