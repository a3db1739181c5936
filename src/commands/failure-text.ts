import { ConfigError } from "#config/load-config.ts";
import { RecordsUnavailable } from "#engines/records/records.ts";
import { reasonOf } from "#kernel/error-text.ts";
import { showControls } from "#shared/printable-text.ts";

/** Messages about servers name the setting; those of files say less. */
const awayText = ({ message }: RecordsUnavailable): string =>
  message.startsWith("DATABASE_") ? message : `the records can't be used right now (${message})`;

/** What went wrong, as lines for the operator. */
export function failureLines(error: unknown): readonly string[] {
  if (error instanceof ConfigError) return error.lines.map(showControls);
  if (error instanceof RecordsUnavailable) return [showControls(awayText(error))];
  return [showControls(reasonOf(error)) || "the command failed"];
}
