import { existsSync } from "node:fs";
import { basename } from "node:path";
import { listSegments, type Segment } from "#clicks/journal/segments.ts";
import { enginePlaces } from "#config/engine-places.ts";
import { type ClicksEngine, ClicksMigrating, ForeignClicks } from "#engines/clicks/clicks-engine.ts";
import type { ClicksFacts } from "#engines/clicks/clicks-facts.ts";
import { inspectClicks } from "#engines/open-engines.ts";
import { isShared } from "#engines/places.ts";
import { reasonOf } from "#kernel/error-text.ts";
import { bytesText } from "./amount-text.ts";
import { type Check, type Finding, ok, problem, warning } from "./check.ts";
import { readClickCounts } from "./doctor.store.ts";

// A 13-digit time, the account and link numbers, the bot flag, and separators.
const CLICK_BYTES_MIN = 20;
const FREE_SHARE_MIN = 0.1;
const WAIT = "clicks wait in the journal";
const REMEDY = "restore it from a backup as described in docs/operations.md";

export interface ClickFigures {
  /** The sum of all link counts. Reports have at least as many: they also include bots and links about to be erased. */
  readonly counted: number;
  /** Clicks in the engine, individual or compacted; `null` without a file. */
  readonly stored: number | null;
  /** Journal bytes that the engine has not ingested. */
  readonly unreadBytes: number;
  /** Whether links may have counted clicks of other nodes, too, which those have in files of their own. */
  readonly hasSharedLinks: boolean;
}

/** Whether the file behind reports can be read, and has all clicks that the links have counted. */
export const clicks: Check = {
  name: "clicks",
  needsRecords: true,
  async run({ config, paths, services }) {
    const { clicks, records } = await services();
    const place = enginePlaces(config).clicks;
    if ("url" in place) return judgeServer(await inspectClicks(place), clicks);
    const file = place.path;
    // In this order, because a counted click is in the journal until the engine has it.
    const { counted, deletions } = await readClickCounts(records.scan);
    const segments = await listSegments(paths.journal, { liveFromEpoch: 0 });
    // Using the engine would create a missing file.
    const engine = existsSync(file) ? clicks : null;
    const held = await readEngine(segments, engine).catch(judgeFailure);
    if ("level" in held) return [held];
    // If a link was deleted in the meantime, its counted clicks may already be erased.
    const isSettled = (await readClickCounts(records.scan)).deletions === deletions;
    const hasSharedLinks = isShared(enginePlaces(config).records);
    return [judgeClicks({ counted: isSettled ? counted : 0, ...held, hasSharedLinks })];
  },
};

function judgeFailure(error: unknown): Finding {
  if (error instanceof ClicksMigrating) {
    return warning(
      `the file is being migrated after an upgrade, ${error.percent} % are done; there are no reports yet`,
    );
  }
  if (error instanceof ForeignClicks) return problem(reasonOf(error));
  return problem(`the file can't be read: ${reasonOf(error)}; if it is damaged, ${REMEDY}`);
}

/** Other nodes have clicks in journals of their own, so the numbers can't be compared with those of links. */
async function judgeServer(facts: ClicksFacts, clicks: Pick<ClicksEngine, "stats">): Promise<Finding[]> {
  if ("problem" in facts) return [problem(`CLICKHOUSE_URL can't be used: ${facts.problem}; ${WAIT}`)];
  if (facts.versionMin !== null) {
    return [problem(`${facts.version} is too old: use ${facts.versionMin} or later; ${WAIT}`)];
  }
  const stored = await clicks.stats().then(
    ({ rows, compactedClicks, importedClicks }) =>
      ok(`${facts.version} has ${rows + compactedClicks + importedClicks} clicks in ${bytesText(facts.bytes)}`),
    (error: unknown) => problem(`${facts.version} answers, but ${reasonOf(error)}; ${WAIT}`),
  );
  return [stored, ...judgeServerSpace(facts)];
}

export function judgeServerSpace({
  disk,
  readOnlyTables,
}: Pick<Exclude<ClicksFacts, { readonly problem: string }>, "disk" | "readOnlyTables">): Finding[] {
  return [
    ...(readOnlyTables > 0
      ? [problem(`${readOnlyTables} tables are read-only: the server has lost its Keeper; ${WAIT}`)]
      : []),
    ...(disk !== null && disk.freeBytes < disk.totalBytes * FREE_SHARE_MIN
      ? [
          warning(
            `the server has only ${bytesText(disk.freeBytes)} of ${bytesText(disk.totalBytes)} of disk space left`,
          ),
        ]
      : []),
  ];
}

export function judgeClicks({ counted, stored, unreadBytes, hasSharedLinks }: ClickFigures): Finding {
  const isShort = counted > (stored ?? 0) + Math.ceil(unreadBytes / CLICK_BYTES_MIN);
  // No backup has what other nodes store, and restoring one would lose what this node has.
  if (isShort && hasSharedLinks) {
    return warning(
      `reports on this node have ${stored ?? 0} of the ${counted} clicks that links have counted: other nodes have the ` +
        "others, unless this is the only one; set CLICKHOUSE_URL on all nodes, so that they share reports and erasure",
    );
  }
  if (stored === null) {
    return isShort
      ? problem(`the file is missing, but links have counted ${counted} clicks; ${REMEDY}`)
      : ok("there is no file yet; the server creates it");
  }
  if (!isShort) return ok(`the file can be read and has ${stored} clicks`);
  return stored === 0
    ? problem(`the file is empty, but links have counted ${counted} clicks; ${REMEDY}`)
    : warning(`too few: ${stored} in reports, ${counted} counted by links; a backup may have the others`);
}

async function readEngine(
  segments: readonly Segment[],
  engine: ClicksEngine | null,
): Promise<Pick<ClickFigures, "stored" | "unreadBytes">> {
  let unreadBytes = 0;
  for (const { path, bytes } of segments) {
    const position = (await engine?.checkpoint(basename(path))) ?? 0;
    unreadBytes += Math.max(0, bytes - position);
  }
  if (!engine) return { stored: null, unreadBytes };
  const { rows, compactedClicks, importedClicks } = await engine.stats();
  return { stored: rows + compactedClicks + importedClicks, unreadBytes };
}
