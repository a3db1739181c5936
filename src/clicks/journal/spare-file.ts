import { join } from "node:path";
import type { Clock } from "#kernel/clock.ts";
import { codeOf } from "#kernel/error-codes.ts";
import type { JournalFiles } from "./journal-files.ts";

export interface SpareFileOptions {
  readonly directory: string;
  readonly node: string;
  readonly writer: number;
  readonly epoch: number;
  readonly files: JournalFiles;
  readonly clock: Clock;
}

// Between attempts to create one.
const REST_MS = 100;

/**
 * An empty file that is opened in advance, under a name that readers ignore: even if connections use up all file
 * descriptors, the journal can continue in its next segment.
 */
export function keepSpareFile({ directory, node, writer, epoch, files, clock }: SpareFileOptions) {
  const prefix = `${node}-${writer}-`;
  let spare: { readonly path: string; readonly fd: number } | undefined;
  let making: Promise<void> | undefined;
  let made = 0;
  let restUntil = Number.NEGATIVE_INFINITY;

  async function make(): Promise<void> {
    for (;;) {
      const path = join(directory, `${prefix}${epoch}-${made}.spare`);
      made += 1;
      try {
        spare = { path, fd: await files.create(path) };
        return;
      } catch (error) {
        if (codeOf(error) === "EEXIST") continue;
        restUntil = clock() + REST_MS;
        return;
      }
    }
  }

  /** Whether there is one now. */
  async function ready(): Promise<boolean> {
    if (spare === undefined && making === undefined && clock() >= restUntil) {
      making = make().finally(() => {
        making = undefined;
      });
    }
    await making;
    return spare !== undefined;
  }

  async function drop(): Promise<void> {
    await making;
    const dropped = spare;
    spare = undefined;
    if (dropped === undefined) return;
    await files.remove(dropped.path).catch(() => {});
    await files.close(dropped.fd).catch(() => {});
  }

  return {
    ready,
    drop,
    /** Renames the spare file and returns its descriptor, or nothing if there is none. Fails if the name exists. */
    async take(path: string): Promise<number | undefined> {
      await making;
      if (spare === undefined) return undefined;
      try {
        await files.rename(spare.path, path);
      } catch (error) {
        // The disk or the name is the problem; the spare file is still usable.
        if (["EEXIST", "ENOSPC", "EDQUOT", "EIO"].includes(codeOf(error) ?? "")) throw error;
        // The file was removed, or this file system doesn't support hard links.
        await drop();
        return undefined;
      }
      const { fd } = spare;
      spare = undefined;
      return fd;
    },
    /** Removes spare files of this writer's earlier processes. Any that still runs can do without. */
    async clearUp(): Promise<void> {
      const names = await files.list(directory).catch(() => []);
      for (const name of names) {
        const owner = name.startsWith(prefix) && /^(\d+)-\d+\.spare$/.exec(name.slice(prefix.length))?.[1];
        if (owner && Number(owner) < epoch) await files.remove(join(directory, name)).catch(() => {});
      }
    },
  };
}
