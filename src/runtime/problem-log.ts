import { RecordsUnavailable } from "#engines/records/records.ts";
import type { Clock } from "#kernel/clock.ts";
import { errorText } from "#kernel/error-text.ts";
import { logEvent } from "./log.ts";

type Fields = { readonly error?: string; readonly times?: number };

interface Options {
  readonly clock: Clock;
  readonly log: (message: string, fields: Fields) => void;
}

interface Told {
  readonly atMs: number;
  times: number;
}

const QUIET_MS = 60_000;
// Beyond it, the one that was logged longest ago is forgotten, and would be logged again at once.
const PROBLEMS_MAX = 100;

/** Records that are away have a line of their own, and many notice: how each of them does is of no interest. */
const isAway = (error: unknown): error is RecordsUnavailable => error instanceof RecordsUnavailable;

/** Logs a new problem at once and a recurring one once a minute, with how often it came since the last line. */
export function problemLog({ clock, log }: Options): (message: string, error?: unknown) => void {
  const told = new Map<string, Told>();
  return (message, error) => {
    // Without the stack, which may differ from time to time.
    const problem = `${message}\n${isAway(error) ? "" : error}`;
    const now = clock();
    const last = told.get(problem);
    if (last) last.times += 1;
    if (last && now - last.atMs < QUIET_MS) return;
    told.delete(problem);
    told.set(problem, { atMs: now, times: 0 });
    const [oldest = ""] = told.keys();
    if (told.size > PROBLEMS_MAX) told.delete(oldest);
    log(message, {
      ...(error !== undefined && { error: isAway(error) ? error.message : errorText(error) }),
      ...(last && { times: last.times }),
    });
  };
}

/** Logs to standard error. */
export const logProblem = problemLog({
  clock: () => performance.now(),
  log: (message, fields) => logEvent("error", message, fields),
});
