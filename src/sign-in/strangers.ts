import { HASHES_WAITING_MAX, tooManyHashes } from "#accounts/password.ts";
import { gate } from "#kernel/gate.ts";

const RESERVED_FOR_KNOWN = 16;

/**
 * For passwords from unknown browsers. They can't fill the whole queue for hashes, so a flood of them locks out neither
 * known browsers nor sessions.
 */
export const strangersTurn = gate(HASHES_WAITING_MAX - RESERVED_FOR_KNOWN, { waitingMax: 0, refusal: tooManyHashes });
