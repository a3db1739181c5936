import { readdirSync, statSync } from "node:fs";
import { join } from "node:path";

/** Whether that process has the file open; false if that can't be found out, as in another container. Linux only. */
export function hasOpen(pid: number, path: string): boolean {
  const descriptors = `/proc/${pid}/fd`;
  try {
    const { dev, ino } = statSync(path);
    return readdirSync(descriptors).some((name) => {
      const found = statSync(join(descriptors, name), { throwIfNoEntry: false });
      return found !== undefined && found.dev === dev && found.ino === ino;
    });
  } catch {
    return false;
  }
}
