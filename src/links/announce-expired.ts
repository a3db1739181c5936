import { alwaysHeld, type Lease } from "#engines/coordination/leases.ts";
import type { Records } from "#engines/records/records.ts";
import type { Clock } from "#kernel/clock.ts";
import { type Loop, startLoop } from "#kernel/loop.ts";
import type { Outbox } from "#outbox/outbox.service.ts";
import { findExpiryMark, listExpired, saveExpiryMark } from "./expired-links.store.ts";
import { type ShortOrigin, toLink } from "./link-record.ts";

interface Deps {
  readonly records: Records;
  readonly clock: Clock;
  readonly outbox: Outbox;
  readonly origin: ShortOrigin;
}

const EVERY_MS = 15_000;
// Until then, what another node or an open transaction decided about an expiry has arrived.
const SETTLED_MS = 10_000;
// A transaction blocks the event loop, so each is small and lets other writers in between.
const BATCH = 100;

/**
 * Sends `link.expired` for links whose time has come since the last call, some of them, and returns whether there may be
 * more. How far it came is stored with the events, so a kill neither loses nor repeats one.
 */
export const announceExpired = ({ records, clock, outbox, origin }: Deps): Promise<boolean> =>
  records.write(
    async (tx) => {
      const now = clock();
      const until = now - SETTLED_MS;
      const mark = await findExpiryMark(tx);
      // What expired before there was anyone to notice is no news; nor is it where the clock was ahead.
      if (mark === undefined || mark.at > until) {
        await saveExpiryMark(tx, { at: until, no: 0 });
        return false;
      }
      const rows = await listExpired(tx, mark, until, BATCH);
      for (const row of rows) {
        const data = () => ({ link: toLink(row, origin, now) });
        await outbox.append(tx, { type: "link.expired", accountNo: row.account_no, at: now, data });
      }
      const last = rows.length === BATCH ? rows.at(-1) : undefined;
      await saveExpiryMark(tx, last ? { at: last.expires_at ?? until, no: last.no } : { at: until, no: 0 });
      return last !== undefined;
    },
    { queue: "expired links" },
  );

interface LoopDeps extends Deps {
  readonly onProblem: (message: string, error: unknown) => void;
  /** One node does it for all. */
  readonly lease?: Lease;
}

export const startAnnouncingExpired = ({ onProblem, lease = alwaysHeld, ...deps }: LoopDeps): Loop =>
  startLoop({
    intervalMs: EVERY_MS,
    async run(stopping) {
      while (!stopping.aborted && lease.isHeld() && (await announceExpired(deps))) await Bun.sleep(1);
      return false;
    },
    onFailure: (error) => onProblem("expired links could not be announced", error),
  });
