import { createHash } from "node:crypto";
import type { Endpoint } from "#contract/endpoint.ts";
import { ApiError } from "#kernel/api-error.ts";
import { canonicalJson } from "#kernel/canonical-json.ts";
import type { IdempotencyKey } from "./route.ts";

const VISIBLE_ASCII = /^[\x21-\x7e]{1,255}$/;

export function readIdempotencyKey(endpoint: Endpoint, headers: Headers): string | null {
  const key = endpoint.idempotencyKey ? headers.get("idempotency-key") : null;
  if (key !== null && !VISIBLE_ASCII.test(key)) {
    throw new ApiError("invalid_idempotency_key", "Idempotency-Key must be 1 to 255 visible ASCII characters.");
  }
  return key;
}

/** The fingerprint covers what the client sent, before defaults are filled in. */
export const toIdempotencyKey = (endpoint: Endpoint, key: string | null, body: unknown): IdempotencyKey | null =>
  key === null
    ? null
    : {
        operation: endpoint.id,
        key,
        fingerprint: createHash("sha256").update(canonicalJson(body)).digest("hex"),
      };
