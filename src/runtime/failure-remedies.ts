import { type FileFailure, findFileFailure, isEngineCode } from "#engines/file-failure.ts";

interface Failure {
  /** Error codes of the system. */
  readonly codes?: RegExp;
  /** What engines say about their files. */
  readonly file?: FileFailure;
  /** What it means for the data directory. */
  readonly problem: (dataDir: string) => string;
  readonly remedy: string;
}

export const FULL_DISK: Failure = {
  codes: /^(?:ENOSPC|EDQUOT)$/,
  file: "disk full",
  problem: (dataDir) => `the disk that holds ${dataDir} is full`,
  remedy: "free up space on it and try again",
};

export const NO_PERMISSION: Failure = {
  codes: /^(?:EACCES|EPERM)$/,
  file: "no permission",
  problem: (dataDir) => `${dataDir} can't be written`,
  remedy: "make sure that the user that runs Kurz owns the data directory",
};

export const DAMAGED_RECORDS: Failure = {
  file: "damaged",
  problem: (dataDir) => `the records file in ${dataDir} is damaged`,
  remedy: "see 'A missing or damaged records file' in docs/operations.md",
};

/** Errors that are about the machine or the data, not about our code. */
const failures: readonly Failure[] = [
  FULL_DISK,
  {
    codes: /^(?:ENOTDIR|EEXIST)$/,
    problem: (dataDir) => `${dataDir} is not a directory`,
    remedy: "set KURZ_DATA_DIR to a directory, or move the file out of the way",
  },
  {
    codes: /^EROFS$/,
    problem: (dataDir) => `${dataDir} is on a read-only file system`,
    remedy: "mount it writable, or set KURZ_DATA_DIR to another directory",
  },
  NO_PERMISSION,
  {
    codes: /^(?:EMFILE|ENFILE)$/,
    problem: (dataDir) => `too many files are open to use ${dataDir}`,
    remedy: "raise the open file limit (ulimit -n, LimitNOFILE)",
  },
  {
    codes: /^EADDRINUSE$/,
    problem: () => "another program listens on this address",
    remedy: "stop the other program, or choose another KURZ_PORT",
  },
  {
    codes: /^EIO$/,
    file: "disk error",
    problem: (dataDir) => `the disk that holds ${dataDir} reports errors`,
    remedy: "check the disk",
  },
  DAMAGED_RECORDS,
];

const SYSTEM_CODE = /^E[A-Z0-9]+$/;

/** The error code of the system or an engine; nothing for an error of our own code. */
export function findSystemCode(error: unknown): string | undefined {
  const code = (error as { code?: unknown } | null)?.code;
  return typeof code === "string" && (SYSTEM_CODE.test(code) || isEngineCode(code)) ? code : undefined;
}

export function findFailure(code: string): Failure | undefined {
  const ofFile = findFileFailure(code);
  return failures.find(({ codes, file }) => (ofFile === undefined ? codes?.test(code) : file === ofFile));
}
