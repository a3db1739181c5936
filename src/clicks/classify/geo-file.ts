import { readFile, stat } from "node:fs/promises";
import { codeOf } from "#kernel/error-codes.ts";
import { reasonOf } from "#kernel/error-text.ts";
import { startLoop } from "#kernel/loop.ts";
import { type Geo, NOWHERE, openBundledGeo, openGeo } from "./geo.ts";

export interface GeoFile extends Geo {
  /** Whether the operator's file is missing or bad, so that other data is used in its place. */
  isUnusable(): boolean;
  close(): void;
}

export interface GeoFileOptions {
  /** The operator's database; `null` for the bundled one. */
  readonly path: string | null;
  /** Called once for each new problem. */
  readonly onProblem: (message: string) => void;
  /** A file that has changed, or could not be read before, is now in use. */
  readonly onReload: () => void;
  readonly pollMs?: number;
}

const POLL_MS = 5000;
// A file on a hung disk must not keep links down; it is used as soon as it has been read.
const START_MS_MAX = 2000;
const FILE_BYTES_MAX = 2 ** 31;
const REASONS: Readonly<Record<string, string>> = {
  ENOENT: "there is no such file",
  EACCES: "the user that runs Kurz may not read it",
};

/** Reads the whole file without blocking the event loop. The error message is for the operator. */
export async function readGeoFile(path: string): Promise<Geo> {
  return openGeo(await readBytes(path));
}

/**
 * Reads the operator's database again whenever it changes. If there is something wrong with it, places come from the data
 * that was read before or, after a start, from the bundled data.
 */
export async function followGeoFile({ path, onProblem, onReload, pollMs = POLL_MS }: GeoFileOptions): Promise<GeoFile> {
  let problem: string | null = null;
  const report = (reason: string): void => {
    if (reason === problem) return;
    problem = reason;
    onProblem(reason);
  };
  let geo = openBundled(onProblem);
  if (path === null) return { find: (address) => geo.find(address), isUnusable: () => false, close() {} };

  let instead = "the bundled country data";
  /** The stamp of the content that was read last, good or bad. */
  let readStamp: string | null = null;
  let seenStamp = "";

  const read = async (stamp: string, isStart: boolean): Promise<void> => {
    try {
      readStamp = null;
      const bytes = await readBytes(path);
      readStamp = stamp;
      geo = openGeo(bytes);
      instead = "the data read before";
      if (!isStart || problem !== null) onReload();
      problem = null;
    } catch (error) {
      report(`KURZ_GEO_MMDB ${path}: ${reasonOf(error)}; using ${instead} until the file is fixed`);
    }
  };

  const look = async (isStart: boolean): Promise<void> => {
    const stamp = await stampOf(path);
    // A file that is still being written is read once it has stopped changing.
    const isSettled = isStart || stamp === seenStamp;
    seenStamp = stamp;
    if (isSettled && stamp !== readStamp) await read(stamp, isStart);
  };

  const firstLook = look(true);
  await Promise.race([firstLook, Bun.sleep(START_MS_MAX)]);
  if (readStamp === null && problem === null)
    report(`KURZ_GEO_MMDB ${path}: still being read; using ${instead} so far`);
  // Polled, not watched: tools replace the file, and a watch follows the old one.
  const polling = startLoop({
    firstMs: pollMs,
    intervalMs: pollMs,
    async run() {
      await firstLook;
      await look(false);
      return false;
    },
    onFailure: (error) => report(reasonOf(error)),
  });
  return {
    find: (address) => geo.find(address),
    isUnusable: () => problem !== null,
    close: () => void polling.stop(),
  };
}

function openBundled(onProblem: (message: string) => void): Geo {
  try {
    return openBundledGeo();
  } catch (error) {
    onProblem(`the bundled country data can't be read: ${reasonOf(error)}; install Kurz again`);
    return { find: () => NOWHERE };
  }
}

async function readBytes(path: string): Promise<Buffer> {
  try {
    const { size, isRegular } = await stat(path).then((found) => ({ size: found.size, isRegular: found.isFile() }));
    if (!isRegular) throw new Error("it is not a file");
    if (size > FILE_BYTES_MAX) throw new Error(`it is larger than ${FILE_BYTES_MAX} bytes`);
    return await readFile(path);
  } catch (error) {
    throw new Error(REASONS[codeOf(error) ?? ""] ?? reasonOf(error));
  }
}

/** Changes whenever the file or the permission to read it does; for a missing or forbidden file it is the error code. */
async function stampOf(path: string): Promise<string> {
  try {
    const { ino, size, mtimeNs, ctimeNs } = await stat(path, { bigint: true });
    return `${ino} ${size} ${mtimeNs} ${ctimeNs}`;
  } catch (error) {
    return codeOf(error) ?? "";
  }
}
