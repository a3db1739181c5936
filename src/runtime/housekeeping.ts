import { pruneLinkAudit } from "#audit/link-audit.ts";
import type { SteadyClock } from "#clicks/ingestion/steady-clock.ts";
import { alwaysHeld, type Lease } from "#engines/coordination/leases.ts";
import { pruneChanges } from "#engines/records/changes.ts";
import { pruneIdempotencyKeys } from "#idempotency/idempotency.service.ts";
import { type Loop, startLoop } from "#kernel/loop.ts";
import { eraseOldTrash } from "#links/erase-trash.ts";
import { pruneSignIn } from "#sign-in/prune.ts";
import { logEvent } from "./log.ts";
import type { Services } from "./services.ts";

const FIRST_MS = 10_000;
const EVERY_MS = 600_000;
// A transaction blocks the event loop, so each is small and lets other writers in between.
const BATCH = 1000;
// Each event takes its deliveries and their attempts with it.
const EVENT_BATCH = 200;
const TRASH_BATCH = 200;

// Goes through the whole text index, so all deletions of a day share one run.
const TEXT_MS = 86_400_000;

interface Options {
  /** Only a clock that can be trusted decides that a deleted link is old: erasing can't be undone. */
  readonly steadyClock: SteadyClock;
  readonly lease?: Lease;
}

/** Removes what is out of date: expired keys and sessions, old changes and events, unused and ended tokens, old deleted links. */
export function startHousekeeping(
  { records, tokens, webhooks, clock }: Pick<Services, "records" | "tokens" | "webhooks" | "clock">,
  { steadyClock, lease = alwaysHeld }: Options,
): Loop {
  let textForgottenAt = Number.NEGATIVE_INFINITY;
  return startLoop({
    firstMs: FIRST_MS,
    intervalMs: EVERY_MS,
    async run(stopping) {
      const mayGoOn = (): boolean => !stopping.aborted && lease.isHeld();
      const repeat = async (prune: () => Promise<number>): Promise<void> => {
        while (mayGoOn() && (await prune()) > 0) await Bun.sleep(1);
      };
      await repeat(() => records.write((tx) => pruneIdempotencyKeys(tx, clock(), BATCH)));
      await repeat(() => records.write((tx) => pruneChanges(tx, BATCH)));
      await repeat(() => records.write((tx) => pruneLinkAudit(tx, clock(), BATCH)));
      await repeat(() => webhooks.deliveries.prune(EVENT_BATCH));
      await repeat(() => records.write((tx) => pruneSignIn(tx, clock(), BATCH)));
      // Read before the look: a clock that jumps from here on decides nothing.
      const now = clock();
      if (steadyClock.look() === "steady") {
        await repeat(() => records.write((tx) => eraseOldTrash(tx, now, TRASH_BATCH)));
      }
      if (mayGoOn()) await tokens.noteExpired();
      if (mayGoOn()) await tokens.revokeUnused();
      await repeat(() => tokens.deleteEnded(BATCH));
      // The clock may have been set back as well.
      if (mayGoOn() && Math.abs(clock() - textForgottenAt) >= TEXT_MS) {
        await records.forgetDeletedText(stopping);
        textForgottenAt = clock();
      }
      return false;
    },
    onFailure: (error) => logEvent("warn", "housekeeping failed and will be retried", { error: String(error) }),
  });
}
