import type { IncomingHttpHeaders } from "node:http";
import type { FieldCode } from "#contract/errors.ts";

export interface OutboundQuestion {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  /** For the whole call: DNS, connecting, TLS, response headers and body. */
  readonly timeoutMs: number;
  readonly readBytesMax: number;
  /** Aborts the call with the signal's reason, unless the response headers have arrived. */
  readonly signal?: AbortSignal;
}

export interface OutboundRequest extends OutboundQuestion {
  readonly body: Uint8Array;
  /** For the response's body, if the status decides the outcome and the body must not delay the next call. */
  readonly bodyMsMax?: number;
}

/** For a body that doesn't fit into memory. Here the timeout ends with the response headers. */
export interface DownloadQuestion extends OutboundQuestion {
  /** How long the other side may send nothing while the body is read. The signal aborts that, too. */
  readonly idleMsMax: number;
}

export interface OutboundDownload extends Pick<OutboundResponse, "status" | "headers"> {
  /**
   * To be read once, and at once. Throws an `OutboundError` if it breaks off, stalls or is longer than `readBytesMax`.
   * Ending it early closes the connection.
   */
  readonly body: AsyncGenerator<Uint8Array>;
}

export interface OutboundResponse {
  readonly status: number;
  readonly headers: Readonly<IncomingHttpHeaders>;
  readonly retryAfter: string | null;
  /** At most the first `readBytesMax` bytes, possibly truncated and compressed. */
  readonly body: Uint8Array;
  /** Whether `body` is all there is. */
  readonly isComplete: boolean;
  readonly durationMs: number;
}

const texts = {
  blocked_address: "The host's IP address is not allowed",
  invalid_url: "The URL is not valid",
  dns: "The host name couldn't be resolved",
  connect: "The connection failed",
  tls: "The secure connection failed",
  timeout: "The request timed out",
  reset: "The connection closed before the response",
  protocol: "The response is not valid HTTP",
  skipped_demo: "The demo sends nothing",
} as const;

export type OutboundProblem = keyof typeof texts;

/** There was no response. The message may be shown to the user who entered the URL. */
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

/** The only way to call URLs that users enter. */
export interface OutboundClient {
  /** None follows redirects. All throw an `OutboundError` if no response headers arrive. */
  post(request: OutboundRequest): Promise<OutboundResponse>;
  get(question: OutboundQuestion): Promise<OutboundResponse>;
  download(question: DownloadQuestion): Promise<OutboundDownload>;
  /** What is wrong with a URL regardless of DNS, or null. */
  findUrlProblem(url: string): UrlProblem | null;
}

/** The system's code, such as `CERT_HAS_EXPIRED`. Reveals nothing about blocked hosts. */
function codeOf(problem: OutboundProblem, cause: unknown): string {
  if (problem === "blocked_address" || !(cause instanceof Error) || !("code" in cause)) return "";
  return typeof cause.code === "string" ? ` (${cause.code})` : "";
}
