import { RecordsUnavailable } from "#engines/records/records.ts";
import { errorText, reasonOf } from "#kernel/error-text.ts";
import { findFailure, findSystemCode } from "#runtime/failure-remedies.ts";

/** Why a process can't start: one line with a remedy for what an operator can fix, a stack for a bug. */
export function startFailureText(error: unknown): string {
  const code = findSystemCode(error);
  // A server that is away is no bug, and its message names the setting.
  if (code === undefined) return error instanceof RecordsUnavailable ? reasonOf(error) : errorText(error);
  const reason = reasonOf(error).replaceAll("\n", " ");
  const remedy = findFailure(code)?.remedy;
  return [reason.includes(code) ? reason : `${reason} (${code})`, ...(remedy === undefined ? [] : [remedy])].join("; ");
}
