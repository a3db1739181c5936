import { rm } from "node:fs/promises";
import { basename } from "node:path";
import { inspectSegment, readSlice } from "#clicks/journal/journal-reader.ts";
import { listJournal, type NamedEntry, quarantineSegment, type Segment } from "#clicks/journal/segments.ts";
import { backoffMs } from "#kernel/backoff.ts";
import { reasonOf } from "#kernel/error-text.ts";
import { type Loop, startLoop } from "#kernel/loop.ts";
import { Pausable } from "#kernel/pausable.ts";
import type { JournalConsumer } from "./journal-consumer.ts";
import { JournalFollower } from "./journal-follower.ts";
import type { JournalLag } from "./journal-lag.ts";
import { SegmentTexts } from "./segment-texts.ts";
import { type ReadSlice, shareSlices } from "./shared-slices.ts";

interface Options {
  readonly directory: string;
  /** The first epoch of the running server: what has a lower one was written by processes that are gone. */
  readonly liveFromEpoch: number;
  readonly consumers: readonly JournalConsumer[];
  /** Throws while no consumer may take a click. */
  readonly before?: () => Promise<void>;
  readonly onProblem: (message: string, error: unknown) => void;
  readonly intervalMs?: number;
  /** How long a stop may take for what is left in the journal. */
  readonly restMs?: number;
  /** Tests hand in one that fails. */
  readonly readSlice?: typeof readSlice;
}

// A click is to be seen within two seconds. The longer it may wait, the more share the cost of a batch, which matters as
// soon as there are many: at 5000 a second it is a third of all that they cost.
const INTERVAL_MS = 1000;
const BUSY_TIMES = 1.5;
const BUSY_CLICKS = 1000;

// A server that refuses batches would otherwise get the same megabytes every second. Once it is back, a click is seen
// after this many intervals at the latest.
const RETRY_INTERVALS_MAX = 10;

// Most of the time the rest is a second's worth of clicks; behind by more, the next start goes on with it.
const REST_MS = 3000;

/** What is left when it stops is taken up at the next start. */
export interface Ingestion extends Loop {
  stats(): IngestionStats;
  /** Processes with lower epochs than that are gone, too. */
  noteAlone(fromEpoch: number): void;
  /** From when it resolves until the function it returns is called, every segment stays where it is. */
  keepSegments(): Promise<() => void>;
  /** How much of the journal a consumer lacks, and how many segments there are. */
  measureRest(): Promise<JournalRest>;
}

export interface JournalRest {
  readonly bytes: number;
  readonly segments: number;
  /** Those of the segments that can't be read, so nobody knows what is in them. */
  readonly unreadable: number;
}

export interface IngestionStats {
  readonly consumers: readonly ConsumerStats[];
  /** What damaged segments should have held and did not. */
  readonly missingClicks: number;
  readonly failures: number;
  /** Segments that could not be read in the last turn, or whose clicks an engine refuses; their clicks wait. */
  readonly unreadableSegments: number;
  /** Texts of clicks that are in memory, for lines that refer to them. */
  readonly texts: number;
}

export interface ConsumerStats {
  readonly name: string;
  readonly clicks: number;
  /** As it was before its last step; null where that is not known. */
  readonly lag: JournalLag | null;
}

/** Carries clicks from the journal into every consumer, and deletes what all of them have. */
export function startIngestion({
  directory,
  liveFromEpoch: firstEpoch,
  consumers,
  before = async () => {},
  onProblem,
  intervalMs = INTERVAL_MS,
  restMs = REST_MS,
  readSlice: readAny = readSlice,
}: Options): Ingestion {
  let liveFromEpoch = firstEpoch;
  const texts = new SegmentTexts(readAny);
  const followers = consumers.map(
    (consumer) =>
      new JournalFollower(consumer, {
        onRefused: (segment, error) =>
          fail(`the journal segment ${segment} is kept, but its clicks are missing in ${consumer.name}`, error),
        // While another consumer is away, segments pile up. It reads their texts again when it gets to them.
        onEnded: ({ path }) => texts.forget(path),
      }),
  );
  const lags = new Map<JournalFollower, JournalLag>();
  const removals = new Pausable();
  // One that takes longer than a turn is left to it, and the others go on.
  const advancing = new Map<JournalFollower, Promise<boolean>>();
  const setbacks = new Map<JournalFollower, Setback>();
  let missingClicks = 0;
  let failures = 0;
  let isBusy = false;
  let unreadable = new Set<string>();

  const fail = (message: string, error: unknown): false => {
    failures += 1;
    onProblem(message, error);
    return false;
  };

  /** If it cannot be measured, the consumer is about to fail with the same error. */
  const measure = async (follower: JournalFollower, segments: readonly Segment[]): Promise<void> => {
    const lag = await follower.lagBehind(segments).catch(() => null);
    if (lag) lags.set(follower, lag);
    else lags.delete(follower);
  };

  const holdBack = (follower: JournalFollower): void => {
    const failures = (setbacks.get(follower)?.failures ?? 0) + 1;
    const pauseMs = backoffMs(failures, intervalMs, intervalMs * RETRY_INTERVALS_MAX);
    setbacks.set(follower, { failures, retryAtMs: performance.now() + pauseMs });
  };

  const isHeldBack = (follower: JournalFollower): boolean =>
    performance.now() < (setbacks.get(follower)?.retryAtMs ?? Number.NEGATIVE_INFINITY);

  /** A consumer that fails is tried again, less and less often; nothing is deleted meanwhile. */
  const advance = async (
    follower: JournalFollower,
    segments: readonly Segment[],
    readSlice: ReadSlice,
  ): Promise<boolean> => {
    // Before it moves, so that it is known of a consumer that gets stuck.
    await measure(follower, segments);
    try {
      const hasMore = await follower.advance(segments, readSlice);
      setbacks.delete(follower);
      return hasMore;
    } catch (error) {
      holdBack(follower);
      return fail("clicks wait in the journal", error);
    }
  };

  const turn = async (gather: Gather, { isLast = false } = {}): Promise<boolean> => {
    await before();
    const listing = await listJournal(directory, { liveFromEpoch });
    const { segments } = listing;
    for (const entry of listing.foreignEntries) await putAside(entry);
    const found = new Set<string>();
    const onUnreadable = (path: string, reason: string): void => {
      found.add(path);
      fail(`the journal segment ${path} cannot be read; its clicks wait, the others go on`, reason);
    };
    for (const { path, reason } of listing.unreadable) onUnreadable(path, reason);
    const readShared = shareSlices({
      readSlice: readAny,
      texts,
      onUnreadable: (path, error) => onUnreadable(path, reasonOf(error)),
    });
    const clicksBefore = followers.map(({ clicks }) => clicks);
    const free = followers.filter((follower) => !advancing.has(follower) && (isLast || !isHeldBack(follower)));
    const steps = free.map((follower) => {
      const step = advance(follower, segments, readShared).finally(() => advancing.delete(follower));
      advancing.set(follower, step);
      return step;
    });
    const hasMore = await gather(steps);
    isBusy = followers.some(({ clicks }, index) => clicks - (clicksBefore[index] ?? 0) >= BUSY_CLICKS);
    const refused = segments.filter(({ path }) => followers.some((one) => one.refused.has(basename(path))));
    unreadable = new Set([...found, ...refused.map(({ path }) => path)]);
    const done = segments.filter((segment) => followers.every((one) => one.hasPassed(segment)));
    if (done.length > 0) await removals.run(() => remove(done));
    return hasMore;
  };

  const remove = async (segments: readonly Segment[]): Promise<void> => {
    for (const segment of segments) {
      try {
        missingClicks += await removeSegment(segment, onProblem);
        for (const follower of followers) follower.forget([segment]);
        texts.forget(segment.path);
      } catch (error) {
        fail(`the journal segment ${segment.path} cannot be removed`, reasonOf(error));
      }
    }
  };

  /** No process of ours made it, and where it cannot be moved either, it is passed over. */
  const putAside = async (entry: NamedEntry): Promise<void> => {
    try {
      await quarantineSegment(entry);
      onProblem(`${entry.path} is no journal segment and was put aside`, entry.reason);
    } catch (error) {
      fail(`${entry.path} is no journal segment (${entry.reason}) and cannot be put aside`, reasonOf(error));
    }
  };

  /**
   * Redirect processes end before control and seal what they wrote, so its rest is taken now instead of lying on the disk
   * until the next start. Steps are waited for, however slow, because only a later turn removes what they have passed.
   */
  const takeRest = async (): Promise<void> => {
    const endsAt = performance.now() + restMs;
    let hasMore = true;
    while (hasMore && performance.now() < endsAt) hasMore = await turn(anyOf, { isLast: true });
    if (hasMore) await turn(anyOf, { isLast: true });
  };

  const tidyUp = async (): Promise<void> => {
    const { segments, unreadable } = await listJournal(directory, { liveFromEpoch });
    // Without its position, a segment that comes back would be counted twice.
    if (unreadable.length > 0) return;
    await Promise.all(followers.map((follower) => follower.tidyUp(segments)));
  };

  const loop = startLoop({
    run: () => turn((steps) => anyWithin(intervalMs, steps, loop.wake)),
    intervalMs,
    longerMs: () => (isBusy ? intervalMs * BUSY_TIMES : intervalMs),
    onFailure: (error) => fail("clicks wait in the journal", error),
  });
  return {
    stats: () => ({
      consumers: followers.map((one) => ({ name: one.name, clicks: one.clicks, lag: lags.get(one) ?? null })),
      missingClicks,
      failures,
      unreadableSegments: unreadable.size,
      texts: texts.size,
    }),
    noteAlone(fromEpoch) {
      liveFromEpoch = fromEpoch;
    },
    keepSegments: () => removals.pause(),
    async measureRest() {
      const { segments, unreadable } = await listJournal(directory, { liveFromEpoch });
      const lags = await Promise.all(followers.map((follower) => follower.lagBehind(segments)));
      return {
        bytes: Math.max(...lags.map(({ bytes }) => bytes)),
        segments: segments.length + unreadable.length,
        unreadable: unreadable.length,
      };
    },
    async stop() {
      await loop.stop();
      await Promise.all(advancing.values());
      await takeRest().catch((error: unknown) => fail("the journal cannot be read", error));
      await tidyUp().catch((error: unknown) => fail("deleted segments are not forgotten", error));
    },
  };
}

/** Of a consumer that failed last time. */
interface Setback {
  /** In a row. */
  readonly failures: number;
  readonly retryAtMs: number;
}

/** Whether one of the followers has more to read. */
type Gather = (steps: readonly Promise<boolean>[]) => Promise<boolean>;

const anyOf: Gather = async (answers) => (await Promise.all(answers)).includes(true);

/** Whether one of them says so in time; `onLate` is called for each that does later. */
async function anyWithin(ms: number, answers: readonly Promise<boolean>[], onLate: () => void): Promise<boolean> {
  const late = Promise.withResolvers<false>();
  let isOver = false;
  const timer = setTimeout(() => {
    isOver = true;
    late.resolve(false);
  }, ms);
  for (const answer of answers) void answer.then((yes) => yes && isOver && onLate());
  const inTime = await Promise.all(answers.map((answer) => Promise.race([answer, late.promise])));
  clearTimeout(timer);
  return inTime.includes(true);
}

/** A damaged segment is kept aside: what could not be read may still be of use. Returns how many clicks it lacks. */
async function removeSegment(segment: Segment, onProblem: Options["onProblem"]): Promise<number> {
  const { skippedBytes, missingLines } = await inspectSegment(segment);
  if (skippedBytes === 0) {
    await rm(segment.path, { force: true });
    return 0;
  }
  onProblem(`a journal segment is damaged and was put aside (${missingLines} clicks missing)`, segment.path);
  await quarantineSegment(segment);
  return missingLines;
}
