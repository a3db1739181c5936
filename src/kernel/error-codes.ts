/** The code that the system, SQLite or Bun gave an error, such as `ENOENT`. */
export const codeOf = (error: unknown): string | undefined => (error as NodeJS.ErrnoException | null)?.code;

/** For `catch`, where a file may be missing. */
export function undefinedIfMissing(error: unknown): undefined {
  if (codeOf(error) !== "ENOENT") throw error;
  return undefined;
}

/** Whether a compressed file is damaged or cut off. Some errors have a number as their code. */
export const isCompressionError = (error: unknown): boolean => String(codeOf(error)).startsWith("Z_");
