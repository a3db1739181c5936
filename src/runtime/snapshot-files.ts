import { existsSync, readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import type { DataPaths } from "#config/data-paths.ts";

const NAME = /^links-(\d+)\.db(?:-wal|-shm)?$/;

interface SnapshotFile {
  readonly path: string;
  /** Which of the node's redirect processes writes it. */
  readonly writer: number;
}

/** Whether any redirect process of the node has remembered links for when the records are away. */
export const hasSnapshot = (paths: DataPaths): boolean => list(paths).length > 0;

/**
 * Removes what processes remembered that the node doesn't have any more: nobody would remove deleted links from their
 * files. Only call it while the records are there: until then, all other processes use them.
 */
export function removeLeftSnapshots(paths: DataPaths, processes: number): void {
  for (const { path, writer } of list(paths)) if (writer >= processes) rmSync(path, { force: true });
}

function list({ snapshots }: DataPaths): SnapshotFile[] {
  if (!existsSync(snapshots)) return [];
  return readdirSync(snapshots).flatMap((name) => {
    const writer = NAME.exec(name)?.[1];
    return writer === undefined ? [] : [{ path: join(snapshots, name), writer: Number(writer) }];
  });
}
