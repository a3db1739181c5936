/** The operator typed something that cannot be meant; nothing was done. */
export class UsageError extends Error {}
