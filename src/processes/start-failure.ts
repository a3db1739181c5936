import { errorText, reasonOf } from "#kernel/error-text.ts";

// What the system or SQLite says of the machine or the data, not of our code.
const SYSTEM_CODE = /^(?:E[A-Z0-9]+|SQLITE_\w+)$/;

const remedies: readonly [code: RegExp, remedy: string][] = [
  [/^(?:EACCES|EPERM|SQLITE_READONLY|SQLITE_CANTOPEN)/, "check that the user that runs Kurz owns the data directory"],
  [/^EROFS/, "mount the file system of the data directory for writing"],
  [/^(?:ENOSPC|EDQUOT|SQLITE_FULL)/, "free some space on the disk of the data directory"],
  [/^(?:EMFILE|ENFILE)/, "raise the limit of open files (ulimit -n, LimitNOFILE)"],
  [/^EADDRINUSE/, "end the program that listens on this address, or choose another KURZ_PORT"],
  [/^(?:EIO|SQLITE_IOERR)/, "check the disk of the data directory"],
  [/^SQLITE_(?:CORRUPT|NOTADB)/, "see 'A missing or damaged records file' in docs/operations.md"],
];

/** Why a process cannot start: one line with a remedy for what an operator can mend, a stack for what is a bug. */
export function startFailureText(error: unknown): string {
  const code = (error as { code?: unknown } | null)?.code;
  if (typeof code !== "string" || !SYSTEM_CODE.test(code)) return errorText(error);
  const remedy = remedies.find(([pattern]) => pattern.test(code))?.[1];
  const reason = reasonOf(error).replaceAll("\n", " ");
  return [reason.includes(code) ? reason : `${reason} (${code})`, ...(remedy === undefined ? [] : [remedy])].join("; ");
}
