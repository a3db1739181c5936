import { lstatSync } from "node:fs";
import { lstat } from "node:fs/promises";
import { basename, dirname } from "node:path";
import { makeRunDirectory } from "#runtime/data-lock.ts";
import { logEvent } from "#runtime/log.ts";
import { logProblem } from "#runtime/problem-log.ts";

/** A file by which other processes find this one. */
export interface KeptFile {
  readonly path: string;
  /** Makes it again, whatever there is now. */
  restore(): void;
}

const CHECK_MS = 1000;

/** Notices that such a file was deleted or replaced, and makes it again: nobody else would find this process any more. */
export function keepFiles(files: readonly KeptFile[]): { stop(): void } {
  let isStopped = false;
  const inodes = new Map(files.map(({ path }) => [path, inodeOf(path)]));
  const check = async (file: KeptFile): Promise<void> => {
    const { path } = file;
    try {
      // A disk that does not answer must not hold up the process.
      const found = await lstat(path).catch(unlessMissing);
      if (isStopped || found?.ino === inodes.get(path)) return;
      makeRunDirectory(dirname(path));
      file.restore();
      inodes.set(path, inodeOf(path));
      logEvent("warn", "a file of the running server was deleted, and is there again", { file: basename(path) });
    } catch (error) {
      logProblem(`${basename(path)} may be deleted and cannot be made again`, error);
    }
  };
  const checkAll = async (): Promise<void> => {
    for (const file of files) await check(file);
    if (!isStopped) timer = setTimeout(checkAll, CHECK_MS);
  };
  let timer = setTimeout(checkAll, CHECK_MS);
  return {
    stop() {
      isStopped = true;
      clearTimeout(timer);
    },
  };
}

function unlessMissing(error: unknown): undefined {
  if ((error as NodeJS.ErrnoException).code !== "ENOENT") throw error;
}

const inodeOf = (path: string): number | undefined => lstatSync(path, { throwIfNoEntry: false })?.ino;
