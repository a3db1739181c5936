import { createHmac } from "node:crypto";
import type { IdempotencyKey } from "#http/route.ts";

/** For a body with a password: whoever reads a fast hash of it could find a short one by trying. */
export const withSecretFingerprint = (key: IdempotencyKey, secret: string): IdempotencyKey => ({
  ...key,
  fingerprint: createHmac("sha256", secret).update(`fingerprint:${key.fingerprint}`).digest("hex"),
});
