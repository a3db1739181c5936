/** OWASP's minimum for Argon2id; Bun fixes the parallelism at 1. */
export const PASSWORD_HASH = { algorithm: "argon2id", memoryCost: 19456, timeCost: 2 } as const;

export const PASSWORD_LENGTH_MIN = 12;
export const PASSWORD_LENGTH_MAX = 128;

/** What is wrong with a password, or `null`. It is used byte for byte: nothing is trimmed or folded. */
export function findPasswordProblem(password: string): string | null {
  const { length } = password;
  if (length >= PASSWORD_LENGTH_MIN && length <= PASSWORD_LENGTH_MAX) return null;
  return `the password must have ${PASSWORD_LENGTH_MIN} to ${PASSWORD_LENGTH_MAX} characters; this one has ${length}`;
}
