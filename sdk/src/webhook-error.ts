export type WebhookErrorReason =
  /** A header that every delivery has is not there. */
  | "missing_header"
  /** `Service-Signature` is not `t=…,v1=…`. */
  | "malformed_signature"
  /** No signature fits: another secret, a changed body, or a forgery. */
  | "wrong_signature"
  /** Signed too long ago, or in the future: a replay, or a clock that is wrong. */
  | "wrong_time"
  /** Rightly signed, but not an event. */
  | "invalid_payload"
  /** `seen` knows this delivery. */
  | "duplicate";

/** A delivery that must not be processed. */
export class WebhookError extends Error {
  override readonly name = "WebhookError";
  readonly reason: WebhookErrorReason;

  constructor(reason: WebhookErrorReason, message: string) {
    super(message);
    this.reason = reason;
  }

  /** What to answer: a duplicate was received before and needs no further try. */
  get status(): 200 | 400 {
    return this.reason === "duplicate" ? 200 : 400;
  }
}
