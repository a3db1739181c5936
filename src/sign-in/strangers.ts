import { HASHES_WAITING_MAX, tooManyHashes } from "#accounts/password.ts";
import { gate } from "#kernel/gate.ts";

const KEPT_FOR_OTHERS = 16;

/**
 * For passwords of people who were not here before. Not all places in line for a hash are theirs, so that a flood of
 * them keeps out neither a known browser nor a session.
 */
export const strangersTurn = gate(HASHES_WAITING_MAX - KEPT_FOR_OTHERS, { waitingMax: 0, refusal: tooManyHashes });
