import { reasonOf } from "#kernel/error-text.ts";
import { OperatorMistake } from "#kernel/operator-mistake.ts";

const DAMAGE = /^SQLITE_(?:CORRUPT|NOTADB)/;

/** Adds the file and the remedy to an error about a damaged file; returns other errors unchanged. */
export function explainDamage(path: string, error: unknown): unknown {
  const code = (error as { code?: unknown } | null)?.code;
  if (typeof code !== "string" || !DAMAGE.test(code)) return error;
  return new OperatorMistake(
    `${path} is damaged: ${reasonOf(error)} (${code}); restore a backup, or recover what can still be read, ` +
      `as "A missing or damaged records file" in docs/operations.md says`,
    { cause: error },
  );
}
