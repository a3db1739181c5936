import { getPriority, setPriority } from "node:os";
import { openSqlite } from "#engines/records/sqlite-connection.ts";
import type { CopyAnswer, CopyRequest } from "./records-copy.ts";

declare const self: Worker;

const NICENESS = 10;

// Of this thread alone: where cores are short, the server comes first.
setPriority(Math.max(getPriority(), NICENESS));

/** SQLite is synchronous; here it leaves the other thread free to bring what it writes to the disk. */
self.onmessage = ({ data: { from, to } }: MessageEvent<CopyRequest>) => {
  try {
    const database = openSqlite({ path: from, readonly: true });
    try {
      database.run("vacuum into ?", [to]);
    } finally {
      database.close();
    }
    self.postMessage({ problem: null } satisfies CopyAnswer);
  } catch (error) {
    self.postMessage({ problem: String(error) } satisfies CopyAnswer);
  }
};
