/** For logs only: a stack names code, which is nothing for a client to see. */
export const errorText = (error: unknown): string =>
  error instanceof Error ? (error.stack ?? error.message) : String(error);
