/**
 * Whether an operation needs re-authentication: the password or a passkey given within the last minutes, so that a
 * browser left open or a stolen session is not enough. Every operation of the console says so, with the reason.
 */
export interface Sudo {
  readonly required: boolean;
  readonly why: string;
}

export const sudoFor = (why: string): Sudo => ({ required: true, why });
export const noSudo = (why: string): Sudo => ({ required: false, why });

/** For what only reads. */
export const reading = noSudo("Reads only, and shows no secret.");
