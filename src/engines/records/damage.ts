import { reasonOf } from "#kernel/error-text.ts";
import { OperatorMistake } from "#kernel/operator-mistake.ts";

const DAMAGE = /^SQLITE_(?:CORRUPT|NOTADB)/;

/** Says of a damaged file which one it is and what to do; any other error stays as it is. */
export function explainDamage(path: string, error: unknown): unknown {
  const code = (error as { code?: unknown } | null)?.code;
  if (typeof code !== "string" || !DAMAGE.test(code)) return error;
  return new OperatorMistake(
    `${path} is damaged: ${reasonOf(error)} (${code}); restore a backup, or recover what can still be read, ` +
      `as "A missing or damaged records file" in docs/operations.md says`,
    { cause: error },
  );
}
