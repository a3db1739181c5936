/** For logs only: a stack names code, which is nothing for a client to see. */
export const errorText = (error: unknown): string =>
  error instanceof Error ? (error.stack ?? error.message) : String(error);

/** For people: what went wrong, without where in the code. */
export const reasonOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));
