import { rm } from "node:fs/promises";
import { inspectSegment } from "#clicks/journal/journal-reader.ts";
import { listSegments, quarantineSegment, type Segment } from "#clicks/journal/segments.ts";
import type { JournalConsumer } from "./journal-consumer.ts";
import { JournalFollower } from "./journal-follower.ts";

interface Options {
  readonly directory: string;
  /** The first epoch of the running server: what has a lower one was written by processes that are gone. */
  readonly liveFromEpoch: number;
  readonly consumers: readonly JournalConsumer[];
  readonly onProblem: (message: string, error: unknown) => void;
  readonly intervalMs?: number;
}

const INTERVAL_MS = 500;

export interface Ingestion {
  /** Ends after the turn under way; what is left is taken up at the next start. */
  stop(): Promise<void>;
}

/** Carries clicks from the journal into every consumer, and deletes what all of them have. */
export function startIngestion({
  directory,
  liveFromEpoch,
  consumers,
  onProblem,
  intervalMs = INTERVAL_MS,
}: Options): Ingestion {
  const followers = consumers.map((consumer) => new JournalFollower(consumer));
  const stopped = Promise.withResolvers<void>();
  let isStopping = false;

  /** A consumer that fails is tried again; it does not hold the others up, and nothing is deleted meanwhile. */
  const advance = async (follower: JournalFollower, segments: readonly Segment[]): Promise<boolean> => {
    try {
      return await follower.advance(segments);
    } catch (error) {
      onProblem("clicks wait in the journal", error);
      return false;
    }
  };

  const turn = async (): Promise<boolean> => {
    const segments = await listSegments(directory, { liveFromEpoch });
    let hasMore = false;
    for (const follower of followers) hasMore = (await advance(follower, segments)) || hasMore;
    const done = segments.filter((segment) => segment.isLeft && followers.every((one) => one.hasPassed(segment)));
    for (const segment of done) await removeSegment(segment, onProblem);
    if (done.length > 0) for (const follower of followers) await follower.forget(done);
    return hasMore;
  };

  const run = async (): Promise<void> => {
    while (!isStopping) {
      const hasMore = await turn().catch((error: unknown) => {
        onProblem("the journal cannot be read", error);
        return false;
      });
      await Promise.race([Bun.sleep(hasMore ? 0 : intervalMs), stopped.promise]);
    }
  };
  const running = run();
  return {
    stop() {
      isStopping = true;
      stopped.resolve();
      return running;
    },
  };
}

/** A damaged segment is kept aside: what could not be read may still be of use to somebody. */
async function removeSegment(segment: Segment, onProblem: Options["onProblem"]): Promise<void> {
  const { skippedBytes, missingLines } = await inspectSegment(segment);
  if (skippedBytes === 0) return rm(segment.path, { force: true });
  onProblem(`a journal segment is damaged and was put aside (${missingLines} clicks missing)`, segment.path);
  await quarantineSegment(segment);
}
