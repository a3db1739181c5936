import type { WebhookEvent } from "./generated.ts";
import { WebhookError } from "./webhook-error.ts";
import { isEqual, parseSignature, sign } from "./webhook-signature.ts";

const TOLERANCE_SECONDS = 300;

/** `Headers`, or an object such as Node's `request.headers`. */
export type WebhookHeaders = Headers | Readonly<Record<string, string | readonly string[] | undefined>>;

export interface VerifyWebhookOptions {
  /** A delivery that was signed this many seconds ago or more, or ahead, is refused; 300 when left out. */
  readonly toleranceSeconds?: number | undefined;
  /** The clock, in milliseconds as `Date.now` gives them. */
  readonly now?: (() => number) | undefined;
  /** Says whether a delivery was processed before; it is asked only for those that are genuine. */
  readonly seen?: ((deliveryId: string, event: WebhookEvent) => boolean | Promise<boolean>) | undefined;
}

/**
 * Checks that a delivery comes from the service and is fresh, and gives its event. Throws a `WebhookError` otherwise.
 * The body has to be the bytes that arrived: a body that was parsed and printed again has other bytes.
 */
export async function verifyWebhook(
  rawBody: Uint8Array | ArrayBuffer | string,
  headers: WebhookHeaders,
  secret: string,
  options: VerifyWebhookOptions = {},
): Promise<WebhookEvent> {
  const { toleranceSeconds = TOLERANCE_SECONDS, now = Date.now, seen } = options;
  const body = bytesOf(rawBody);
  if (typeof secret !== "string" || secret === "") throw new TypeError("verifyWebhook needs the endpoint's secret");
  // A tolerance that is not a number would compare as false, and so let every time pass.
  if (!(toleranceSeconds > 0)) throw new TypeError("toleranceSeconds has to be a positive number");

  const { timestamp, candidates } = parseSignature(getHeader(headers, "Service-Signature"));
  const deliveryId = getHeader(headers, "Service-Delivery");
  const expected = await sign(secret, timestamp, body);
  if (!candidates.some((candidate) => isEqual(expected, candidate))) {
    throw new WebhookError("wrong_signature", "No signature fits the body and this secret.");
  }
  if (Math.abs(now() / 1000 - Number(timestamp)) >= toleranceSeconds) {
    throw new WebhookError("wrong_time", `The delivery was signed ${toleranceSeconds} seconds or more from now.`);
  }
  const event = parseEvent(body);
  if (await seen?.(deliveryId, event)) throw new WebhookError("duplicate", `${deliveryId} was processed before.`);
  return event;
}

function bytesOf(rawBody: unknown): Uint8Array {
  if (typeof rawBody === "string") return new TextEncoder().encode(rawBody);
  if (ArrayBuffer.isView(rawBody)) return new Uint8Array(rawBody.buffer, rawBody.byteOffset, rawBody.byteLength);
  if (rawBody instanceof ArrayBuffer) return new Uint8Array(rawBody);
  throw new TypeError(
    "verifyWebhook needs the raw body, as a string or bytes: a parsed body has lost the bytes that were signed",
  );
}

function getHeader(headers: WebhookHeaders, name: string): string {
  const value = findHeader(headers, name);
  if (!value) throw new WebhookError("missing_header", `The header ${name} is missing.`);
  return value;
}

/** The class alone does not tell: a framework may bring `Headers` of its own. */
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
    // Signed by the service, which holds its payloads to these types before it stores them.
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
