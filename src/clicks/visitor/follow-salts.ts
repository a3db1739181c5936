import type { Clock } from "#kernel/clock.ts";
import { type Loop, startLoop } from "#kernel/loop.ts";
import type { SaltReader } from "./salt-reader.ts";

const CHECK_MS = 60_000;
// The first click would find out as well, but it would have no visitor itself.
const MISSING_CHECK_MS = 500;

/** Without clicks, too: finds a salt that was missing within moments, and lets go of erased ones within a minute. */
export const followSalts = (salts: SaltReader, clock: Clock): Loop =>
  startLoop({
    intervalMs: MISSING_CHECK_MS,
    longerMs: () => (salts.has(clock()) ? CHECK_MS : MISSING_CHECK_MS),
    async run() {
      await salts.check(clock());
      return false;
    },
    // It never fails: a file that cannot be read has no salts.
    onFailure() {},
  });
