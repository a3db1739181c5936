/** Every UTC offset in use since 1972 is a multiple of 15 minutes, and so is every bucket of a report. */
export const SLOT_MS = 900_000;
export const SLOTS_PER_DAY = 96;
export const DAY_MS = SLOT_MS * SLOTS_PER_DAY;

export const slotOf = (ms: number): number => Math.floor(ms / SLOT_MS);
export const dayOf = (ms: number): number => Math.floor(ms / DAY_MS);
