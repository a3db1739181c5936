import { existsSync } from "node:fs";
import { join } from "node:path";
import { counterConsumer } from "#clicks/ingestion/counter-consumer.ts";
import { type JournalLag, measureLag } from "#clicks/ingestion/journal-lag.ts";
import { readSlice } from "#clicks/journal/journal-reader.ts";
import { listJournal, listQuarantine, listSegments, QUARANTINE, sumBytes } from "#clicks/journal/segments.ts";
import { enginePlaces } from "#config/engine-places.ts";
import { ClicksMigrating } from "#engines/clicks/clicks-engine.ts";
import { findClicksFile } from "#engines/places.ts";
import { reasonOf } from "#kernel/error-text.ts";
import { findLockHolder } from "#runtime/data-lock.ts";
import type { CommandContext } from "../command.ts";
import { bytesText, durationText } from "./amount-text.ts";
import { type Check, type Finding, ok, problem, warning } from "./check.ts";
import { findMetricsText } from "./metrics-text.ts";

const FULL_SHARE_WARNING = 0.5;
const LAG_MS_WARNING = 60_000;
const LISTED_MAX = 5;

/** How large the journal is, and whether its consumers keep up. */
export const journal: Check = {
  name: "journal",
  needsRecords: true,
  async run({ config, paths, services }) {
    const isServing = findLockHolder(paths)?.purpose === "server";
    const segments = await listSegments(paths.journal, { liveFromEpoch: 0 });
    const size = judgeJournalSize(sumBytes(segments), config.journalBytesMax);
    if (segments.length === 0) return [size];
    const { clicks, records, clock } = await services();
    // Using the engine would create a missing file.
    const file = findClicksFile(enginePlaces(config).clicks);
    const reportsPosition = file === null || existsSync(file) ? clicks.checkpoint : async () => 0;
    const consumers = { reports: reportsPosition, "link counts": counterConsumer(records).positionOf };
    const lags = Object.entries(consumers).map(async ([name, positionOf]) => {
      try {
        return judgeLag(name, await measureLag(segments, positionOf), { isServing, now: clock() });
      } catch (error) {
        if (error instanceof ClicksMigrating) return warning(`${name}: wait for the migration of the clicks file`);
        return problem(`${name}: can't be read: ${reasonOf(error)}`);
      }
    });
    return [size, ...(await Promise.all(lags))];
  },
};

/** Files that ingestion skips, or could not parse and has quarantined. */
export const journalFiles: Check = {
  name: "journal files",
  async run({ paths }) {
    const { segments, foreignEntries, unreadable } = await listJournal(paths.journal, { liveFromEpoch: 0 });
    const failing = [...unreadable];
    for (const { path } of segments) {
      const reason = await readSlice({ path, isFinal: false }, 0, 1).then(() => null, reasonOf);
      if (reason !== null) failing.push({ path, reason });
    }
    const findings = [
      ...foreignEntries.map(({ path, reason }) => problem(`${path} is not a segment: ${reason}; move it away`)),
      ...failing.map(({ path, reason }) =>
        problem(`${path} can't be read, so its clicks are not counted: ${reason}; make it readable`),
      ),
    ];
    const names = await listQuarantine(paths.journal);
    if (names.length === 0) return findings;
    const listed = names.slice(0, LISTED_MAX).join(", ") + (names.length > LISTED_MAX ? ", …" : "");
    const rest = `moved to ${join(paths.journal, QUARANTINE)} (${listed}); delete what you don't need`;
    return [
      ...findings,
      warning(`${names.length} damaged or foreign ${names.length === 1 ? "file was" : "files were"} ${rest}`),
    ];
  },
};

/** From the supervisor, which sums up the counts of all its processes, dead ones included. */
export const lostClicks: Check = {
  name: "lost clicks",
  async run({ paths }: CommandContext) {
    const metrics = await findMetricsText(paths);
    if (metrics === undefined) return [];
    const lost = [...metrics.matchAll(/^kurz_clicks_dropped_total\{reason="(\w+)"\} ([1-9]\d*)$/gm)];
    if (lost.length === 0) return [ok("none since the start")];
    const amounts = lost.map(([, reason, clicks]) => `${clicks} (${reason})`).join(", ");
    return [problem(`since the start: ${amounts}; the log says why`)];
  },
};

export function judgeJournalSize(bytes: number, bytesMax: number): Finding {
  const message = `${bytesText(bytes)} of at most ${bytesText(bytesMax)}`;
  if (bytes >= bytesMax) return problem(`full, so clicks are being lost: ${message}`);
  return bytes >= bytesMax * FULL_SHARE_WARNING ? warning(`filling up: ${message}`) : ok(message);
}

export function judgeLag(
  name: string,
  { bytes, oldestAtMs }: JournalLag,
  { isServing, now }: { readonly isServing: boolean; readonly now: number },
): Finding {
  if (oldestAtMs === null) return ok(`${name}: up to date`);
  const behindMs = Math.max(0, now - oldestAtMs);
  const message = `${name}: ${durationText(behindMs)} behind, ${bytesText(bytes)} to ingest`;
  if (!isServing) return ok(`${message} at the next start`);
  return behindMs > LAG_MS_WARNING ? warning(message) : ok(message);
}
