/**
 * Something is wrong with the provider or with our settings for it. The message is for the operator, and contains no
 * secret.
 */
export class ProviderFailure extends Error {
  override readonly name = "ProviderFailure";
  /** Whether it can't be reached, as opposed to an answer that makes no sense. */
  readonly isAway: boolean;

  constructor(message: string, { isAway = false, cause }: { isAway?: boolean; cause?: unknown } = {}) {
    super(message, { cause });
    this.isAway = isAway;
  }
}
