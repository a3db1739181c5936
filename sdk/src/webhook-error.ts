export type WebhookErrorReason =
  /** A header that every delivery has is missing. */
  | "missing_header"
  /** `Service-Signature` is not `t=…,v1=…`. */
  | "malformed_signature"
  /** No signature matches: wrong secret, changed body, or a forgery. */
  | "wrong_signature"
  /** Signed too long ago or in the future: a replay, or a wrong clock. */
  | "wrong_time"
  /** Correctly signed, but not an event. */
  | "invalid_payload"
  /** `seen` returned true for this delivery. */
  | "duplicate";

/** A delivery that must not be processed. */
export class WebhookError extends Error {
  override readonly name = "WebhookError";
  readonly reason: WebhookErrorReason;

  constructor(reason: WebhookErrorReason, message: string) {
    super(message);
    this.reason = reason;
  }

  /** The status to respond with. A duplicate was already processed and needs no retry. */
  get status(): 200 | 400 {
    return this.reason === "duplicate" ? 200 : 400;
  }
}
