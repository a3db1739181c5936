/** What an engine's error says about its file. */
export type FileFailure = "disk full" | "no permission" | "disk error" | "damaged";

const FAILURES: readonly (readonly [codes: RegExp, failure: FileFailure])[] = [
  [/^SQLITE_FULL$/, "disk full"],
  [/^SQLITE_(?:CANTOPEN|PERM|READONLY)/, "no permission"],
  [/^SQLITE_IOERR/, "disk error"],
  [/^SQLITE_(?:CORRUPT|NOTADB)/, "damaged"],
];

/** Whether the code is that of an engine with a file, rather than of the system. */
export const isEngineCode = (code: string): boolean => /^SQLITE_\w+$/.test(code);

export const findFileFailure = (code: string): FileFailure | undefined =>
  FAILURES.find(([codes]) => codes.test(code))?.[1];
