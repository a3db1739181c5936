import { openLinkSnapshot, openOtherSnapshots, openRedirectReader } from "#engines/open-engines.ts";
import type { RedirectReader } from "#engines/records/redirect-reader.ts";
import { reasonOf } from "#kernel/error-text.ts";
import { answerCalls } from "#kernel/worker-calls.ts";
import { type ChangeLog, newsSince } from "./change-news.ts";
import { KnownLinks } from "./known-links.ts";
import type { ThreadAnswer, ThreadRequest, ThreadRequests } from "./records-thread.ts";
import { createReopeningReader } from "./reopening-reader.ts";

interface Opened {
  readonly records: Pick<RedirectReader, "find"> & ChangeLog;
  readonly known: KnownLinks | null;
}

const SAVE_MS = 1000;

let opening: Promise<Opened> | undefined;
/** Told with the next answers. */
let snapshotProblem: string | undefined;

const noteSnapshotProblem = (error: unknown): void => {
  snapshotProblem = reasonOf(error);
};

answerCalls(async ({ place, snapshotPath, requests, changed }: ThreadRequests): Promise<readonly ThreadAnswer[]> => {
  opening ??= open(place, snapshotPath);
  const { records, known } = await opening;
  if (changed !== undefined) known?.forget(changed);
  const answers = await Promise.all(requests.map((request) => answer(records, known, request)));
  const problem = snapshotProblem;
  if (problem === undefined || answers.length === 0) return answers;
  snapshotProblem = undefined;
  return answers.map((each) => ({ ...each, snapshotProblem: problem }));
});

async function open(place: ThreadRequests["place"], snapshotPath: string | null): Promise<Opened> {
  const records = createReopeningReader({ open: () => openRedirectReader(place) });
  // Without a snapshot, as on a disk that is full, redirects still work while the records do.
  const snapshot = snapshotPath === null ? null : await openLinkSnapshot(snapshotPath).catch(noteSnapshotProblem);
  if (!snapshot || snapshotPath === null) return { records, known: null };
  const others = await openOtherSnapshots(snapshotPath);
  const known = new KnownLinks({ records, snapshot, others, onSnapshotLost: noteSnapshotProblem });
  setInterval(() => known.save().catch(() => {}), SAVE_MS);
  return { records: known, known };
}

async function answer(
  records: Opened["records"],
  known: KnownLinks | null,
  request: ThreadRequest,
): Promise<ThreadAnswer> {
  const { id } = request;
  try {
    if ("key" in request) return { id, value: await records.find(request.key, request.notBefore) };
    const value = await newsSince(records, request.seq, request.isBehind);
    // A process that starts knows no position, and everything is news to it; the snapshot has a position of its own.
    if (value !== null && request.seq !== null) known?.forget(value);
    return { id, value };
  } catch (error) {
    const old = "key" in request ? known?.findOld(request.key) : undefined;
    if (old !== undefined) return { id, value: old, isOld: true };
    return { id, problem: reasonOf(error), ...(known && { hasKnownLinks: !known.isEmpty }) };
  }
}
