import { KurzConnectionError, KurzError } from "../../sdk/src/kurz-error.ts";
import { showControls } from "../../shared/printable-text.ts";
import { CommandError, type ExitCode, exitCodes, SomeFailed } from "./exit-codes.ts";

export interface Failure {
  readonly exitCode: ExitCode;
  readonly code: string;
  /** The first line says what happened; more lines say what exactly. */
  readonly lines: readonly string[];
  readonly requestId: string | null;
  /** The one of several links that it is about. */
  readonly link?: string;
}

/** What went wrong, in words and as an exit code; with several links, for each that failed. */
export const describeFailures = (error: unknown): readonly Failure[] =>
  error instanceof SomeFailed
    ? error.failures.map((one) => ({ ...describeFailure(one.error), link: showControls(one.name) }))
    : [describeFailure(error)];

function describeFailure(error: unknown): Failure {
  if (error instanceof KurzError) {
    return {
      exitCode: exitCodeOf(error),
      code: error.code,
      lines: [textOf(error), ...fieldLines(error)].map(showControls),
      // It may come from the body of the answer.
      requestId: error.requestId === null ? null : showControls(error.requestId),
    };
  }
  if (error instanceof KurzConnectionError) {
    return failure(exitCodes.unreachable, error.reason, connectionText(error));
  }
  if (error instanceof CommandError) {
    return failure(error.exitCode, codes[error.exitCode] ?? "failed", error.message);
  }
  return failure(exitCodes.failed, "failed", error instanceof Error ? error.message : String(error));
}

/** For what the command itself finds wrong; what the service finds has codes of its own. */
const codes: Readonly<Partial<Record<ExitCode, string>>> = {
  [exitCodes.usage]: "usage",
  [exitCodes.notFound]: "not_found",
  [exitCodes.notAllowed]: "not_signed_in",
  [exitCodes.interrupted]: "interrupted",
};

const failure = (exitCode: ExitCode, code: string, text: string): Failure => ({
  exitCode,
  code,
  lines: [showControls(text)],
  requestId: null,
});

function exitCodeOf(error: KurzError): ExitCode {
  if (error.is("plan_limit")) return exitCodes.refused;
  // Proxies also answer for an instance that is away, with pages of their own.
  if (error.code === "unexpected_answer" && !isAway(error)) return exitCodes.failed;
  switch (error.status) {
    case 401:
    case 403:
      return exitCodes.notAllowed;
    case 404:
    case 410:
      return exitCodes.notFound;
    case 429:
      return exitCodes.unreachable;
    default:
      return error.status < 500 ? exitCodes.refused : exitCodes.unreachable;
  }
}

const isAway = ({ status }: KurzError): boolean => status === 429 || status >= 500;

function textOf(error: KurzError): string {
  if (error.code === "unexpected_answer") {
    if (isAway(error)) return `the instance isn't available right now (status ${error.status})`;
    return `this isn't an answer of Kurz (status ${error.status}); check the address: kurz whoami`;
  }
  if (error.is("insufficient_scope")) return `${error.message} Create one that has it, and sign in again: kurz login`;
  if (error.status === 401) return `${error.message} Sign in again: kurz login`;
  if (error.retryAfterSeconds === null || /\btry again\b/i.test(error.message)) return error.message;
  return `${error.message} Try again in ${error.retryAfterSeconds} seconds.`;
}

/** A request may be wrong in several places; if it is in one only, the message has it. */
function fieldLines(error: KurzError): readonly string[] {
  if (!error.is("validation_failed") || error.details.errors.length < 2) return [];
  return error.details.errors.map(({ field, message }) => (field === "" ? `  ${message}` : `  ${field}: ${message}`));
}

const connectionText = ({ reason, message, cause }: KurzConnectionError): string => {
  if (reason === "timeout") return `the instance doesn't answer: ${message}`;
  const detail = causeOf(cause);
  return `the instance can't be reached${detail === "" ? "" : `: ${detail}`}; check the address: kurz whoami`;
};

/** Runtimes wrap the error of the socket, sometimes twice. */
function causeOf(error: unknown): string {
  if (!(error instanceof Error)) return "";
  const deeper = causeOf(error.cause);
  if (deeper !== "") return deeper;
  const { code } = error as NodeJS.ErrnoException;
  return code !== undefined && !error.message.includes(code) ? `${error.message} (${code})` : error.message;
}
