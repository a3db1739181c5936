import { HASHES_AT_ONCE, HASHES_WAITING_MAX, tooManyHashes } from "#accounts/password.ts";
import { gate } from "#kernel/gate.ts";

const RESERVED_FOR_KNOWN = 16;
// Enough that the next hash can begin as soon as one ends.
const AT_ONCE = 2 * HASHES_AT_ONCE;

/**
 * For passwords from unknown browsers. They wait here instead of in the queue for hashes, so a flood of them neither
 * locks out known browsers and sessions nor makes them wait.
 */
export const strangersTurn = gate(AT_ONCE, {
  waitingMax: HASHES_WAITING_MAX - RESERVED_FOR_KNOWN - AT_ONCE,
  refusal: tooManyHashes,
});
