import type { KurzErrorDetails } from "./generated.ts";

interface Details extends KurzErrorDetails {
  /** The response isn't from the service, but for example from a proxy. */
  readonly unexpected_answer: undefined;
}

/** Newer versions of the service may send other codes. */
export type KurzErrorCode = keyof Details;

interface KurzErrorInit<C extends KurzErrorCode> {
  readonly code: C;
  readonly message: string;
  readonly status: number;
  readonly headers: Headers;
  readonly requestId: string | null;
  readonly details: Details[C];
  readonly retryAfterSeconds: number | null;
}

/** The service returned an error. */
export class KurzError<C extends KurzErrorCode = KurzErrorCode> extends Error {
  override readonly name = "KurzError";
  readonly code: C;
  readonly status: number;
  readonly headers: Headers;
  /** Include it when you contact the operator. */
  readonly requestId: string | null;
  readonly details: Details[C];
  readonly retryAfterSeconds: number | null;

  constructor(init: KurzErrorInit<C>) {
    super(init.message);
    this.code = init.code;
    this.status = init.status;
    this.headers = init.headers;
    this.requestId = init.requestId;
    this.details = init.details;
    this.retryAfterSeconds = init.retryAfterSeconds;
  }

  /** Narrows the error to one code, and `details` to its type. */
  is<K extends KurzErrorCode>(code: K): this is KurzError<K> {
    return (this.code as KurzErrorCode) === code;
  }
}

/** The service couldn't be reached, or didn't respond in time. */
export class KurzConnectionError extends Error {
  override readonly name = "KurzConnectionError";
  readonly reason: "network" | "timeout";

  constructor(reason: "network" | "timeout", message: string, cause: unknown) {
    super(message, { cause });
    this.reason = reason;
  }
}

type Json = Partial<Record<string, unknown>>;

const isObject = (value: unknown): value is Json => typeof value === "object" && value !== null;

/** Seconds from `Retry-After`, which may also be a date (RFC 9110 §10.2.3). */
export function readRetryAfter(headers: Headers, nowMs = Date.now()): number | null {
  const value = headers.get("Retry-After");
  if (value === null) return null;
  if (/^\d+$/.test(value)) return Number(value);
  const atMs = Date.parse(value);
  return Number.isNaN(atMs) ? null : Math.max(0, Math.ceil((atMs - nowMs) / 1000));
}

/** Parses an error response; anything but the service's envelope becomes `unexpected_answer`. */
export function readError(status: number, headers: Headers, body: unknown): KurzError {
  const { error } = isObject(body) ? body : {};
  const { code, message, request_id, details } = isObject(error) ? error : {};
  const isEnvelope = typeof code === "string" && typeof message === "string";
  return new KurzError({
    // `details` isn't validated; the contract guarantees its type for each code.
    code: (isEnvelope ? code : "unexpected_answer") as KurzErrorCode,
    message: isEnvelope ? message : `unexpected answer with status ${status}`,
    status,
    headers,
    requestId: headers.get("X-Request-Id") ?? (typeof request_id === "string" ? request_id : null),
    details: (isEnvelope ? details : undefined) as Details[KurzErrorCode],
    retryAfterSeconds: readRetryAfter(headers),
  });
}
