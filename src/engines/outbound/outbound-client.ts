import type { FieldCode } from "#contract/errors.ts";

export interface OutboundRequest {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Uint8Array;
  /** For everything together: DNS, connecting, TLS, the head and the body of the answer. */
  readonly timeoutMs: number;
  readonly readBytesMax: number;
  /** Ends the call with the signal's reason, unless the head of the answer has arrived. */
  readonly signal?: AbortSignal;
}

export interface OutboundAnswer {
  readonly status: number;
  readonly retryAfter: string | null;
  /** The first `readBytesMax` bytes as they came, which may be fewer than were sent, and compressed. */
  readonly body: Uint8Array;
  readonly durationMs: number;
}

const texts = {
  blocked_address: "The address of the host is not allowed",
  invalid_url: "The URL is not valid",
  dns: "The host name could not be resolved",
  connect: "No connection could be made",
  tls: "No secure connection could be made",
  timeout: "There was no answer in time",
  reset: "The connection broke off before the answer",
  protocol: "The answer is not valid HTTP",
  skipped_demo: "The demo sends nothing",
} as const;

export type OutboundProblem = keyof typeof texts;

/** There was no answer. The message may be shown to whoever gave the URL. */
export class OutboundError extends Error {
  override readonly name = "OutboundError";
  readonly problem: OutboundProblem;
  readonly durationMs: number;

  constructor(problem: OutboundProblem, durationMs: number, cause?: unknown) {
    super(`${texts[problem]}${codeOf(problem, cause)}.`, { cause });
    this.problem = problem;
    this.durationMs = durationMs;
  }
}

export interface UrlProblem {
  readonly code: Extract<
    FieldCode,
    "invalid_url" | "scheme_not_allowed" | "credentials_not_allowed" | "host_not_allowed" | "too_long"
  >;
  readonly message: string;
}

/** The only way out of the process for addresses that users give. */
export interface OutboundClient {
  /** Follows no redirect. Throws an `OutboundError` when no head of an answer arrives. */
  post(request: OutboundRequest): Promise<OutboundAnswer>;
  /** What is wrong with a URL already when it is saved, or null. */
  findUrlProblem(url: string): UrlProblem | null;
}

/** The system's code, such as `CERT_HAS_EXPIRED`; of a blocked host nothing is told that its owner does not know. */
function codeOf(problem: OutboundProblem, cause: unknown): string {
  if (problem === "blocked_address" || !(cause instanceof Error) || !("code" in cause)) return "";
  return typeof cause.code === "string" ? ` (${cause.code})` : "";
}
