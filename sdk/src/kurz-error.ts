import type { KurzErrorDetails } from "./generated.ts";

interface Details extends KurzErrorDetails {
  /** An answer that is not from the service, as of a proxy on the way. */
  readonly unexpected_answer: undefined;
}

/** Later versions of the service may send codes that are not listed here. */
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

/** The service answered with an error. */
export class KurzError<C extends KurzErrorCode = KurzErrorCode> extends Error {
  override readonly name = "KurzError";
  readonly code: C;
  readonly status: number;
  readonly headers: Headers;
  /** Quote it when you ask the operator for help. */
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

  /** Narrows the error to one code, and so `details` to what that code carries. */
  is<K extends KurzErrorCode>(code: K): this is KurzError<K> {
    return (this.code as KurzErrorCode) === code;
  }
}

/** The service could not be reached, or did not answer in time. */
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

/** Reads the error of an answer; what is not the service's envelope becomes `unexpected_answer`. */
export function readError(status: number, headers: Headers, body: unknown): KurzError {
  const { error } = isObject(body) ? body : {};
  const { code, message, request_id, details } = isObject(error) ? error : {};
  const isEnvelope = typeof code === "string" && typeof message === "string";
  return new KurzError({
    // The service's word is taken for what its contract says that a code carries.
    code: (isEnvelope ? code : "unexpected_answer") as KurzErrorCode,
    message: isEnvelope ? message : `unexpected answer with status ${status}`,
    status,
    headers,
    requestId: headers.get("X-Request-Id") ?? (typeof request_id === "string" ? request_id : null),
    details: (isEnvelope ? details : undefined) as Details[KurzErrorCode],
    retryAfterSeconds: readRetryAfter(headers),
  });
}
