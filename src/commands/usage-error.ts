/** The arguments are wrong; nothing was done. */
export class UsageError extends Error {}
