import { type Loop, startLoop } from "#kernel/loop.ts";
import type { ChangePublisher } from "./change-publisher.ts";
import type { Signals } from "./signals.ts";

const TOPIC = "changes";
// For signals that got lost, and while there are none.
const POLL_MS = 500;

/** After a commit: other nodes read the change log at once, not only when they look by themselves. */
export const announceChanges = (signals: Signals): void => signals.publish(TOPIC, "");

interface Options {
  readonly signals: Signals;
  readonly publisher: Pick<ChangePublisher, "catchUp">;
  readonly onProblem: (message: string, error: unknown) => void;
  readonly pollMs?: number;
}

/** Tells the redirect processes of this node what other nodes have changed. */
export function followOtherNodes({ signals, publisher, onProblem, pollMs = POLL_MS }: Options): Loop {
  const loop = startLoop({
    intervalMs: pollMs,
    async run() {
      await publisher.catchUp();
      return false;
    },
    onFailure: (error) => onProblem("changes of other nodes can't be read", error),
  });
  const unsubscribe = signals.subscribe(TOPIC, { onSignal: loop.wake, onResumed: loop.wake });
  return {
    stop() {
      unsubscribe();
      return loop.stop();
    },
  };
}
