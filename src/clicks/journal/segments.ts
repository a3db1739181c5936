import { lstat, mkdir, readdir, rename, stat } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { type Clock, systemClock } from "#kernel/clock.ts";
import { codeOf, undefinedIfMissing } from "#kernel/error-codes.ts";
import { reasonOf } from "#kernel/error-text.ts";
import { findSegmentName, type SegmentName } from "./segment-name.ts";

export interface Segment extends SegmentName {
  readonly path: string;
  readonly bytes: number;
  /** Nothing will be added to it. */
  readonly isFinal: boolean;
}

export interface ListOptions {
  /** The first epoch of the running server; processes with lower ones are gone. */
  readonly liveFromEpoch: number;
  readonly clock?: Clock;
  /** Tests pass one that fails. */
  readonly stat?: typeof stat;
}

interface FoundSegment extends Segment {
  readonly changedAtMs: number;
}

// When a supervisor is killed, its children may still write their last clicks while the next one starts.
const QUIET_MS = 2000;
/** The folder for damaged segments and foreign entries, inside the journal. */
export const QUARANTINE = "quarantine";

/** An entry of the journal that is named like a segment, and what is wrong with it. */
export interface NamedEntry {
  readonly path: string;
  readonly reason: string;
}

export interface JournalListing {
  /** The segments of each process in the order of writing. Some may be gone by the time they are opened. */
  readonly segments: readonly Segment[];
  /** Not files, so none of our processes wrote them. */
  readonly foreignEntries: readonly NamedEntry[];
  /** These may be segments, even live ones: a disk or a network file system may fail for a while. */
  readonly unreadable: readonly NamedEntry[];
}

/** The segments of all processes. */
export const listSegments = async (directory: string, options: ListOptions): Promise<readonly Segment[]> =>
  (await listJournal(directory, options)).segments;

export async function listJournal(directory: string, options: ListOptions): Promise<JournalListing> {
  const { liveFromEpoch, clock = systemClock, stat: statOf = stat } = options;
  const names = (await readdir(directory).catch(undefinedIfMissing)) ?? [];
  const found = await Promise.all(names.sort().map((name) => findEntry(join(directory, name), statOf)));
  const segments = found.filter((one) => one?.kind === "segment").map(({ segment }) => segment);
  return {
    segments: markFinal(segments, liveFromEpoch, clock()),
    foreignEntries: found.filter((one) => one?.kind === "foreign"),
    unreadable: found.filter((one) => one?.kind === "unreadable"),
  };
}

function markFinal(segments: readonly FoundSegment[], liveFromEpoch: number, now: number): Segment[] {
  const latest = findLatest(segments);
  return segments.map(({ changedAtMs, ...segment }) => {
    const last = latest.get(writerOf(segment)) ?? segment;
    const isFollowed = last.epoch === segment.epoch ? last.segment > segment.segment : false;
    const isOfDeadProcess = segment.epoch < last.epoch || segment.epoch < liveFromEpoch;
    const isQuiet = Math.abs(now - changedAtMs) >= QUIET_MS;
    return { ...segment, isFinal: isFollowed || (isOfDeadProcess && isQuiet) };
  });
}

export const sumBytes = (segments: readonly Segment[]): number => segments.reduce((sum, { bytes }) => sum + bytes, 0);

/** Moves an entry to quarantine, where it isn't read; a segment only after every consumer has passed its end. */
export async function quarantineSegment({ path }: Pick<Segment, "path">): Promise<void> {
  const directory = join(dirname(path), QUARANTINE);
  await mkdir(directory, { recursive: true, mode: 0o700 });
  const target = join(directory, basename(path));
  // An entry of the same name is kept, too.
  const isTaken = (await lstat(target).catch(undefinedIfMissing)) !== undefined;
  await rename(path, isTaken ? `${target}.${Date.now()}` : target).catch(undefinedIfMissing);
}

/** The names of the entries in quarantine. */
export async function listQuarantine(directory: string): Promise<string[]> {
  return (await readdir(join(directory, QUARANTINE)).catch(undefinedIfMissing)) ?? [];
}

type Found =
  | { readonly kind: "segment"; readonly segment: FoundSegment }
  | ({ readonly kind: "foreign" } & NamedEntry)
  | ({ readonly kind: "unreadable" } & NamedEntry);

async function findEntry(path: string, statOf: typeof stat): Promise<Found | undefined> {
  const name = findSegmentName(basename(path));
  if (name === undefined) return undefined;
  try {
    const status = await statOf(path);
    if (!status.isFile()) return { kind: "foreign", path, reason: "it is not a file" };
    const segment = { ...name, path, bytes: status.size, isFinal: false, changedAtMs: status.mtimeMs };
    return { kind: "segment", segment };
  } catch (error) {
    const code = codeOf(error);
    if (code === "ENOENT") return undefined;
    return { kind: code === "ELOOP" ? "foreign" : "unreadable", path, reason: reasonOf(error) };
  }
}

/** The newest segment of each writer. */
function findLatest(segments: readonly FoundSegment[]): Map<string, FoundSegment> {
  const latest = new Map<string, FoundSegment>();
  for (const segment of segments) {
    const last = latest.get(writerOf(segment));
    if (last === undefined || isAfter(segment, last)) latest.set(writerOf(segment), segment);
  }
  return latest;
}

const isAfter = (a: SegmentName, b: SegmentName): boolean =>
  a.epoch === b.epoch ? a.segment > b.segment : a.epoch > b.epoch;

const writerOf = ({ node, writer }: SegmentName): string => `${node} ${writer}`;
