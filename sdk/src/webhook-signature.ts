import { WebhookError } from "./webhook-error.ts";

interface Signature {
  /** As sent, because it is part of the signed text. */
  readonly timestamp: string;
  readonly candidates: readonly string[];
}

const EPOCH_SECONDS = /^\d{1,12}$/;

/** Parses `t=<Unix seconds>,v1=<hex>`. There may be several `v1`; other schemes are ignored. */
export function parseSignature(header: string): Signature {
  const pairs = header.split(",").map((pair) => {
    const [name = "", ...value] = pair.trim().split("=");
    return { name, value: value.join("=") };
  });
  const [timestamp, ...more] = pairs.filter(({ name }) => name === "t");
  const candidates = pairs.filter(({ name }) => name === "v1").map(({ value }) => value);
  if (!timestamp || more.length > 0 || !EPOCH_SECONDS.test(timestamp.value) || candidates.length === 0) {
    throw new WebhookError("malformed_signature", "Service-Signature must be t=<Unix seconds>,v1=<signature>.");
  }
  return { timestamp: timestamp.value, candidates };
}

/** The lowercase hex HMAC-SHA256 of `<timestamp>.<body>`, keyed with the whole secret. */
export async function sign(secret: string, timestamp: string, body: Uint8Array): Promise<string> {
  const { subtle } = globalThis.crypto;
  const encoder = new TextEncoder();
  const prefix = encoder.encode(`${timestamp}.`);
  const message = new Uint8Array(prefix.length + body.length);
  message.set(prefix);
  message.set(body, prefix.length);
  const algorithm = { name: "HMAC", hash: "SHA-256" };
  const key = await subtle.importKey("raw", encoder.encode(secret), algorithm, false, ["sign"]);
  const digest = new Uint8Array(await subtle.sign("HMAC", key, message));
  return Array.from(digest, (byte) => byte.toString(16).padStart(2, "0")).join("");
}

/** Constant time for texts of equal length, so timing doesn't reveal where they differ. */
export function isEqual(expected: string, candidate: string): boolean {
  let difference = expected.length ^ candidate.length;
  for (let i = 0; i < expected.length; i += 1) difference |= expected.charCodeAt(i) ^ candidate.charCodeAt(i);
  return difference === 0;
}
