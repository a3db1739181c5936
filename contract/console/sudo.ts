/**
 * Whether an operation requires re-authentication within the last minutes, with password (and a code, for users with an
 * authenticator app), passkey or single sign-on, so an unattended browser or a stolen session isn't enough. Every console
 * operation decides, and gives a reason.
 */
export interface Sudo {
  readonly required: boolean;
  readonly why: string;
}

export const sudoFor = (why: string): Sudo => ({ required: true, why });
export const noSudo = (why: string): Sudo => ({ required: false, why });

export const everydayWork = noSudo("Everyday work on links, which API tokens can do too.");
export const reading = noSudo("Read-only, and shows no secrets.");
