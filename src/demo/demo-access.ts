import { toToken } from "#tokens/token-format.ts";

/** Public on purpose, and the same in every generation. */
export const demoAccess = {
  email: "demo@example.com",
  password: "look around freely",
  token: toToken("demo00000000", "thisTokenIsPublishedAndOpensFictionalData00"),
} as const;
