import type { WebhookEvent } from "./generated.ts";
import { WebhookError } from "./webhook-error.ts";
import { isEqual, parseSignature, sign } from "./webhook-signature.ts";

const TOLERANCE_SECONDS = 300;

/** `Headers`, or an object such as Node's `request.headers`. */
export type WebhookHeaders = Headers | Readonly<Record<string, string | readonly string[] | undefined>>;

export interface VerifyWebhookOptions {
  /** Rejects deliveries signed this many seconds or more in the past or future. Defaults to 300. */
  readonly toleranceSeconds?: number | undefined;
  /** The clock in milliseconds. Defaults to `Date.now`. */
  readonly now?: (() => number) | undefined;
  /** Whether a delivery was already processed. Only called for genuine deliveries. */
  readonly seen?: ((deliveryId: string, event: WebhookEvent) => boolean | Promise<boolean>) | undefined;
}

/**
 * Verifies that a delivery comes from the service and is fresh, and returns its event. Throws a `WebhookError` otherwise.
 * Pass the raw body: JSON that was parsed and serialized again has different bytes.
 */
export async function verifyWebhook(
  rawBody: Uint8Array | ArrayBuffer | string,
  headers: WebhookHeaders,
  secret: string,
  options: VerifyWebhookOptions = {},
): Promise<WebhookEvent> {
  const { toleranceSeconds = TOLERANCE_SECONDS, now = Date.now, seen } = options;
  const body = bytesOf(rawBody);
  if (typeof secret !== "string" || secret === "") throw new TypeError("verifyWebhook requires the endpoint's secret");
  // NaN compares as false, which would accept any time.
  if (!(toleranceSeconds > 0)) throw new TypeError("toleranceSeconds must be a positive number");

  const { timestamp, candidates } = parseSignature(getHeader(headers, "Service-Signature"));
  const deliveryId = getHeader(headers, "Service-Delivery");
  const expected = await sign(secret, timestamp, body);
  if (!candidates.some((candidate) => isEqual(expected, candidate))) {
    throw new WebhookError("wrong_signature", "No signature matches the body and this secret.");
  }
  if (Math.abs(now() / 1000 - Number(timestamp)) >= toleranceSeconds) {
    throw new WebhookError(
      "wrong_time",
      `The delivery was signed ${toleranceSeconds} seconds or more ago, or in the future.`,
    );
  }
  const event = parseEvent(body);
  if (await seen?.(deliveryId, event)) throw new WebhookError("duplicate", `${deliveryId} was already processed.`);
  return event;
}

function bytesOf(rawBody: unknown): Uint8Array {
  if (typeof rawBody === "string") return new TextEncoder().encode(rawBody);
  if (ArrayBuffer.isView(rawBody)) return new Uint8Array(rawBody.buffer, rawBody.byteOffset, rawBody.byteLength);
  if (rawBody instanceof ArrayBuffer) return new Uint8Array(rawBody);
  throw new TypeError(
    "verifyWebhook requires the raw body, as a string or bytes: a parsed body has lost the bytes that were signed",
  );
}

function getHeader(headers: WebhookHeaders, name: string): string {
  const value = findHeader(headers, name);
  if (!value) throw new WebhookError("missing_header", `The ${name} header is missing.`);
  return value;
}

/** `instanceof` isn't enough: a framework may have its own `Headers` class. */
const isHeaders = (headers: WebhookHeaders): headers is Headers => typeof headers.get === "function";

function findHeader(headers: WebhookHeaders, name: string): string | undefined {
  if (isHeaders(headers)) return headers.get(name) ?? undefined;
  const entry = Object.entries(headers).find(([key]) => key.toLowerCase() === name.toLowerCase());
  const value = entry?.[1];
  return typeof value === "string" ? value : value?.join(",");
}

function parseEvent(body: Uint8Array): WebhookEvent {
  const event = findJson(body);
  if (typeof event === "object" && event !== null && "id" in event && "type" in event) {
    // Signed by the service, which validates payloads before it stores them.
    return event as WebhookEvent;
  }
  throw new WebhookError("invalid_payload", "The body is not an event.");
}

function findJson(body: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(body));
  } catch {
    return undefined;
  }
}
