import { ApiError } from "#kernel/api-error.ts";
import { gate } from "#kernel/gate.ts";
import { isCommonPassword } from "./common-passwords.ts";

/** OWASP's minimum for Argon2id; Bun fixes the parallelism at 1. */
export const PASSWORD_HASH = { algorithm: "argon2id", memoryCost: 19456, timeCost: 2 } as const;
// Each hash takes 19 MiB and a core for a moment; more at once would only slow down redirects.
export const HASHES_AT_ONCE = 4;
// Each waiting hash keeps a request open: a flood of sign-ins must leave room for everyone else's.
export const HASHES_WAITING_MAX = 128;
const RETRY_SECONDS = "5";

export const PASSWORD_LENGTH_MIN = 12;
export const PASSWORD_LENGTH_MAX = 128;

export const tooManyHashes = (): ApiError =>
  new ApiError("unavailable", "Too many people are signing in right now. Try again in a moment.").withHeader(
    "retry-after",
    RETRY_SECONDS,
  );

const turn = gate(HASHES_AT_ONCE, { waitingMax: HASHES_WAITING_MAX, refusal: tooManyHashes });

export const hashPassword = (password: string): Promise<string> =>
  turn(() => Bun.password.hash(password, PASSWORD_HASH));

export const verifyPassword = (password: string, hash: string): Promise<boolean> =>
  turn(() => Bun.password.verify(password, hash));

/** What is wrong with a new password, or `null`. Passwords are used byte for byte, without trimming or folding. */
export function findPasswordProblem(password: string, email: string): string | null {
  const { length } = password;
  if (length < PASSWORD_LENGTH_MIN || length > PASSWORD_LENGTH_MAX) {
    return `the password must have ${PASSWORD_LENGTH_MIN} to ${PASSWORD_LENGTH_MAX} characters; this one has ${length}`;
  }
  if (isCommonPassword(password)) return "the password is too common; choose another one";
  if (isMadeOfKnownWords(password, email)) {
    return "the password is little more than the e-mail address or the name of this service; choose another one";
  }
  return null;
}

/** Whether too little is left without the words anyone could guess. */
function isMadeOfKnownWords(password: string, email: string): boolean {
  const words = ["kurz", ...email.toLowerCase().split(/[^\p{L}\p{N}]+/u)].filter((word) => word.length > 2);
  const rest = words.reduce((text, word) => text.replaceAll(word, ""), password.toLowerCase());
  const isNamed = rest.length < password.length;
  return isNamed && rest.replaceAll(/[^\p{L}\p{N}]/gu, "").length < 5;
}
