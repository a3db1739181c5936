import { existsSync } from "node:fs";
import { basename } from "node:path";
import { listSegments, type Segment } from "#clicks/journal/segments.ts";
import { type ClicksEngine, ForeignClicks } from "#engines/clicks/clicks-engine.ts";
import { reasonOf } from "#kernel/error-text.ts";
import { type Check, type Finding, ok, problem, warning } from "./check.ts";
import { readClickCounts } from "./doctor.store.ts";

// A time of 13 digits, the numbers of account and link, the mark of bots, and what separates them.
const CLICK_BYTES_MIN = 20;
const REMEDY = "bring it back from a backup as docs/operations.md tells";

export interface ClickFigures {
  /** What the links have counted. Reports hold as much at least: besides, they know bots and links about to be erased. */
  readonly counted: number;
  /** What the engine holds, one by one or as counts; null without a file. */
  readonly stored: number | null;
  /** What the engine has not read of the journal. */
  readonly unreadBytes: number;
}

/** Whether the file behind reports can be read, and holds what the links have counted. */
export const clicks: Check = {
  name: "clicks",
  needsRecords: true,
  async run({ paths, services }) {
    const { clicks, records } = services();
    // In this order, because a click that was counted is in the journal until the engine has it.
    const { counted, deletions } = await readClickCounts(records.scan);
    const segments = await listSegments(paths.journal, { liveFromEpoch: 0 });
    // Asking the engine would make a file where there is none.
    const engine = existsSync(paths.clicks) ? clicks : null;
    const held = await readEngine(segments, engine).catch((error: unknown) =>
      error instanceof ForeignClicks
        ? problem(reasonOf(error))
        : problem(`the file cannot be read: ${reasonOf(error)}; if it is damaged, ${REMEDY}`),
    );
    if ("level" in held) return [held];
    // Clicks of a link that was deleted meanwhile may be erased by now, though they were counted before.
    const isSettled = (await readClickCounts(records.scan)).deletions === deletions;
    return [judgeClicks({ counted: isSettled ? counted : 0, ...held })];
  },
};

export function judgeClicks({ counted, stored, unreadBytes }: ClickFigures): Finding {
  const isShort = counted > (stored ?? 0) + Math.ceil(unreadBytes / CLICK_BYTES_MIN);
  if (stored === null) {
    return isShort
      ? problem(`the file is missing, but links have counted ${counted} clicks; ${REMEDY}`)
      : ok("there is no file yet; the server makes it");
  }
  if (!isShort) return ok(`the file can be read and holds ${stored} clicks`);
  return stored === 0
    ? problem(`the file is empty, but links have counted ${counted} clicks; ${REMEDY}`)
    : warning(`too few: ${stored} in reports, ${counted} counted on links; a backup may hold the others`);
}

async function readEngine(
  segments: readonly Segment[],
  engine: ClicksEngine | null,
): Promise<Omit<ClickFigures, "counted">> {
  let unreadBytes = 0;
  for (const { path, bytes } of segments) {
    const position = (await engine?.checkpoint(basename(path))) ?? 0;
    unreadBytes += Math.max(0, bytes - position);
  }
  if (!engine) return { stored: null, unreadBytes };
  const { rows, compactedClicks } = await engine.stats();
  return { stored: rows + compactedClicks, unreadBytes };
}
