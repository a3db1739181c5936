import { mkdir, readdir, rename, stat } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { type Clock, systemClock } from "#kernel/clock.ts";
import { absent } from "./journal-files.ts";
import { findSegmentName, type SegmentName } from "./segment-name.ts";

export interface Segment extends SegmentName {
  readonly path: string;
  readonly bytes: number;
  /** Nothing will be added to it. */
  readonly isLeft: boolean;
}

export interface ListOptions {
  /** The first epoch of the running server; what has a lower one was written by processes that are gone. */
  readonly liveFromEpoch: number;
  readonly clock?: Clock;
}

interface FoundSegment extends Segment {
  readonly changedAtMs: number;
}

// When a supervisor is killed, its children may still write down their last answers while the next one starts.
const QUIET_MS = 2000;
const QUARANTINE = "quarantine";

/** The segments of all processes, those of each in the order of writing. Some may be gone when they are opened. */
export async function listSegments(directory: string, options: ListOptions): Promise<Segment[]> {
  const { liveFromEpoch, clock = systemClock } = options;
  const names = (await readdir(directory).catch(absent)) ?? [];
  const found = await Promise.all(names.sort().map((name) => findSegment(directory, name)));
  const segments = found.filter((segment) => segment !== undefined);
  const latest = findLatest(segments);
  const now = clock();
  return segments.map(({ changedAtMs, ...segment }) => {
    const last = latest.get(writerOf(segment)) ?? segment;
    const isFollowed = last.epoch === segment.epoch ? last.segment > segment.segment : false;
    const isOfDeadProcess = segment.epoch < last.epoch || segment.epoch < liveFromEpoch;
    const isQuiet = Math.abs(now - changedAtMs) >= QUIET_MS;
    return { ...segment, isLeft: isFollowed || (isOfDeadProcess && isQuiet) };
  });
}

export const sumBytes = (segments: readonly Segment[]): number => segments.reduce((sum, { bytes }) => sum + bytes, 0);

/** Puts a damaged segment aside, where it is not read any more. Only after every consumer has passed its end. */
export async function quarantineSegment({ path }: Pick<Segment, "path">): Promise<void> {
  const directory = join(dirname(path), QUARANTINE);
  await mkdir(directory, { recursive: true, mode: 0o700 });
  await rename(path, join(directory, basename(path))).catch(absent);
}

/** The names of the segments that were put aside. */
export async function listQuarantine(directory: string): Promise<string[]> {
  return ((await readdir(join(directory, QUARANTINE)).catch(absent)) ?? []).filter(findSegmentName);
}

async function findSegment(directory: string, fileName: string): Promise<FoundSegment | undefined> {
  const name = findSegmentName(fileName);
  if (name === undefined) return undefined;
  const path = join(directory, fileName);
  const status = await stat(path).catch(absent);
  if (status === undefined) return undefined;
  return { ...name, path, bytes: status.size, isLeft: false, changedAtMs: status.mtimeMs };
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
