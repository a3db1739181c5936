import { reasonOf } from "#kernel/error-text.ts";
import { OperatorMistake } from "#kernel/operator-mistake.ts";
import { findFileFailure } from "../file-failure.ts";

export function isDamage(error: unknown): boolean {
  const code = (error as { code?: unknown } | null)?.code;
  return typeof code === "string" && findFileFailure(code) === "damaged";
}

/** Adds the file and the remedy to an error about a damaged file; returns other errors unchanged. */
export function explainDamage(path: string, error: unknown): unknown {
  if (!isDamage(error)) return error;
  return new OperatorMistake(
    `${path} is damaged: ${reasonOf(error)} (${(error as { code: string }).code}); restore a backup, or recover what can still be read, ` +
      `as "A missing or damaged records file" in docs/operations.md says`,
    { cause: error },
  );
}
