import { lstatSync } from "node:fs";
import { lstat } from "node:fs/promises";
import { basename, dirname } from "node:path";
import { undefinedIfMissing } from "#kernel/error-codes.ts";
import { type Loop, startLoop } from "#kernel/loop.ts";
import { makeRunDirectory } from "./data-lock.ts";
import { logEvent } from "./log.ts";
import { logProblem } from "./problem-log.ts";

/** A file through which other processes find this one. */
export interface KeptFile {
  readonly path: string;
  /** Creates it again, whatever is there now. */
  restore(): void;
}

const CHECK_MS = 1000;

/** Notices when such a file was deleted or replaced, and creates it again: without it, no one could find this process. */
export function keepFiles(files: readonly KeptFile[]): Loop {
  const inodes = new Map(files.map(({ path }) => [path, inodeOf(path)]));
  const check = async (file: KeptFile, stopping: AbortSignal): Promise<void> => {
    const { path } = file;
    try {
      // Asynchronous, since a disk that does not answer must not block the process.
      const found = await lstat(path).catch(undefinedIfMissing);
      if (stopping.aborted || found?.ino === inodes.get(path)) return;
      makeRunDirectory(dirname(path));
      file.restore();
      inodes.set(path, inodeOf(path));
      logEvent("warn", "a file of the running server was deleted and has been restored", { file: basename(path) });
    } catch (error) {
      logProblem(`${basename(path)} may be deleted and cannot be restored`, error);
    }
  };
  return startLoop({
    firstMs: CHECK_MS,
    intervalMs: CHECK_MS,
    async run(stopping) {
      for (const file of files) await check(file, stopping);
      return false;
    },
    onFailure: (error) => logProblem("the files of the running server cannot be checked", error),
  });
}

const inodeOf = (path: string): number | undefined => lstatSync(path, { throwIfNoEntry: false })?.ino;
