import { ConfigError } from "#config/load-config.ts";
import { RecordsUnavailable } from "#engines/records/records.ts";
import { reasonOf } from "#kernel/error-text.ts";
import { showControls } from "./printable-text.ts";

/** What went wrong, as lines for the operator. */
export function failureLines(error: unknown): readonly string[] {
  if (error instanceof ConfigError) return error.lines.map(showControls);
  if (error instanceof RecordsUnavailable) return [`the records can't be used right now (${error.message})`];
  return [showControls(reasonOf(error)) || "the command failed"];
}
