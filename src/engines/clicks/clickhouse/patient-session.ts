import { backoffMs } from "#kernel/backoff.ts";
import { ClicksUnavailable } from "../clicks-engine.ts";
import { type ClickHouseSession, isUnfinished } from "./session.ts";

/** Longer than a server takes to start again. */
const PATIENCE_MS = 300_000;
const FIRST_WAIT_MS = 1000;
const WAIT_MS_MAX = 10_000;

export interface Patience {
  /** How long after its first failure a statement is still tried again. */
  readonly patienceMs?: number;
  readonly firstWaitMs?: number;
  /** Called before each wait, with why the server couldn't be used. */
  readonly onWait?: (problem: string) => void;
}

/**
 * Tries again what fails because the server is away or late, which must not end hours of work. The server may have done it
 * all the same, so this is only for statements that do no harm if they take effect twice.
 */
export function patientSession(
  session: ClickHouseSession,
  { patienceMs = PATIENCE_MS, firstWaitMs = FIRST_WAIT_MS, onWait = () => {} }: Patience = {},
): ClickHouseSession {
  async function patiently<T>(statement: () => Promise<T>): Promise<T> {
    let givesUpAt = Number.POSITIVE_INFINITY;
    for (let failures = 1; ; failures += 1) {
      try {
        return await statement();
      } catch (error) {
        const now = performance.now();
        givesUpAt = Math.min(givesUpAt, now + patienceMs);
        if (!(error instanceof ClicksUnavailable) || isUnfinished(error) || now >= givesUpAt) throw error;
        onWait(error.message);
        await Bun.sleep(backoffMs(failures, firstWaitMs, WAIT_MS_MAX));
      }
    }
  }

  return {
    run: (...statement) => patiently(() => session.run(...statement)),
    rows: (...statement) => patiently(() => session.rows(...statement)),
    stream: (...statement) => patiently(() => session.stream(...statement)),
    insert: (...statement) => patiently(() => session.insert(...statement)),
    insertRows: (...statement) => patiently(() => session.insertRows(...statement)),
    close: () => session.close(),
  };
}
