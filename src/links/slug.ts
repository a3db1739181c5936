import { randomBytes } from "node:crypto";

/** No vowels, so no words; no 0, 1, i, l or o, so no misreading in print. */
export const SLUG_ALPHABET = "23456789bcdfghjkmnpqrstvwxyz";

// Larger bytes would favor the first symbols, so they are rejected.
const FAIR_BYTES_END = 256 - (256 % SLUG_ALPHABET.length);

// Slugs with a dot (robots.txt, .well-known) are always reserved.
const RESERVED_SLUGS: ReadonlySet<string> = new Set(
  (
    "api app login logout signup account settings developer docs assets static console " +
    "setup invite admin www qr share mcp healthz readyz metrics"
  ).split(" "),
);

export function newSlug(length = 8): string {
  let slug = "";
  while (slug.length < length) {
    for (const byte of randomBytes(length - slug.length)) {
      if (byte < FAIR_BYTES_END) slug += SLUG_ALPHABET.charAt(byte % SLUG_ALPHABET.length);
    }
  }
  return slug;
}

export function isReservedSlug(slug: string): boolean {
  return slug.includes(".") || RESERVED_SLUGS.has(slug.toLowerCase());
}
