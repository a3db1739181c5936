import { dataPaths } from "#config/data-paths.ts";
import { demoCountryHeader, nextResetMs } from "#config/demo-generation.ts";
import { findUnexpectedAddress } from "#config/reachable-address.ts";
import type { Config } from "#config/settings.ts";
import { demoAccess } from "#demo/demo-access.ts";
import { claimDemoDirectory, clearGenerations, setCurrentGeneration } from "#demo/demo-directory.ts";
import { startDemoProxy } from "#demo/demo-proxy.ts";
import { type Generation, openGeneration } from "#demo/generation.ts";
import { isResetRequestedBefore, listenForResetRequests, pauseUntil } from "#demo/reset-requests.ts";
import { startSampleTraffic } from "#demo/sample-traffic.ts";
import { systemClock } from "#kernel/clock.ts";
import { errorText, reasonOf } from "#kernel/error-text.ts";
import { type PublishedMetrics, publishMetrics } from "#monitoring/server-metrics.ts";
import { explainDataFailure } from "#runtime/data-directory.ts";
import { type DataLock, lockDataDirectory } from "#runtime/data-lock.ts";
import { flushLog, logEvent, printNote } from "#runtime/log.ts";
import { probePort } from "#runtime/port-probe.ts";
import { formatAnnouncement } from "#supervision/announcement.ts";
import { listenForStop } from "#supervision/stop-signals.ts";

/** The next generation is prepared this long in advance, so that the reset is on time. */
const LEAD_MS_MAX = 60_000;
const RETRY_MS = 5000;

/** Runs the demo until a signal ends it; returns the exit code. */
export async function serveDemo(config: Config): Promise<number> {
  let lock: DataLock | undefined;
  try {
    claimDemoDirectory(config.dataDir);
    probePort(config.host, config.port);
    lock = lockDataDirectory(dataPaths(config.dataDir), { purpose: "server" });
    clearGenerations(config.dataDir);
    return await runDemo(config);
  } catch (error) {
    printNote(`kurz: ${reasonOf(explainDataFailure(error, config.dataDir))}`);
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
  const { signal } = stopping;
  const resetRequests = listenForResetRequests();

  const asOfMs = systemClock();
  const first = await openGeneration(config, { number: 1, asOfMs, signal }).catch(unlessStopped(signal));
  if (!first) return 0;
  let dueMs = nextResetMs(asOfMs, config);
  const leadMs = Math.min(LEAD_MS_MAX, (config.demoResetMinutes * 60_000) / 2);
  let current = first;
  setCurrentGeneration(config.dataDir, current.number);
  const proxy = startDemoProxy(config, { socketPath: current.socketPath, resetsAtMs: () => dueMs });
  const traffic = startSampleTraffic({
    socketPath: () => current.socketPath,
    host: new URL(config.baseUrl).host,
    countryHeader: demoCountryHeader(config),
    visitsPerHour: config.demoVisitsPerHour,
  });
  const metrics = await publishMetrics(config.metricsAddress, () => current.readFigures());
  printNote(announcementOf(config, metrics));

  const replaceBy = async (next: Generation): Promise<void> => {
    const old = current;
    await proxy.switchTo(next.socketPath);
    dueMs = nextResetMs(Math.max(dueMs, systemClock()), config);
    current = next;
    setCurrentGeneration(config.dataDir, next.number);
    await old.end();
    logEvent("info", "the demo was reset", { generation: next.number });
  };

  for (let number = 2; ; number += 1) {
    if (await isResetRequestedBefore(dueMs - leadMs, resetRequests, signal)) dueMs = systemClock();
    if (signal.aborted) break;
    try {
      const next = await openGeneration(config, { number, asOfMs: dueMs, signal });
      await pauseUntil(dueMs, signal);
      if (signal.aborted) {
        await next.end(signals.second);
        break;
      }
      await replaceBy(next);
    } catch (error) {
      if (signal.aborted) break;
      logEvent("error", "the demo could not be reset and keeps its data for now", { error: errorText(error) });
      await pauseUntil(systemClock() + RETRY_MS, signal);
      dueMs = Math.max(dueMs, systemClock());
    }
  }

  traffic.stop();
  await proxy.stop();
  await metrics.stop();
  const isOrderly = await current.end(signals.second);
  return isOrderly ? 0 : 1;
}

const unlessStopped = (signal: AbortSignal) => (error: unknown) => {
  if (signal.aborted) return null;
  throw error;
};

function announcementOf(config: Config, { served }: PublishedMetrics): string {
  const { email, password, token } = demoAccess;
  return formatAnnouncement({
    baseUrl: config.baseUrl,
    roles: config.roles,
    listens: `${config.host}:${config.port}`,
    unexpectedAddress: findUnexpectedAddress(config),
    dataDir: config.dataDir,
    metrics: served,
    hint: `This is the demo: all data is fictional and is reset every ${config.demoResetMinutes} minutes.
  E-mail    ${email}
  Password  ${password}
  Token     ${token.value}`,
  });
}
