import { chmodSync, existsSync, rmSync, statSync } from "node:fs";
import { markDurably, replaceDurably } from "../durable-files.ts";
import { openSqlite } from "./sqlite-connection.ts";

const markOf = (path: string): string => `${path}.erased`;

/**
 * Has the file rewritten by `rewriteErased` later. SQLite overwrites what it deletes (`secure_delete`), but when it
 * spreads the rows of a full page over its neighbours, copies of them stay behind in the unused part of that page.
 */
export const noteErasure = (path: string): void => markDurably(markOf(path));

/** How many bytes `rewriteErased` is about to write; 0 where it has nothing to do. */
export const bytesToRewrite = (path: string): number => (existsSync(markOf(path)) ? statSync(path).size : 0);

/**
 * Writes the file anew where something was erased from it, so that its unused parts hold nothing of that, and tells
 * whether it did. No other connection to the file may be open.
 */
export function rewriteErased(path: string): boolean {
  if (!existsSync(markOf(path))) return false;
  const draft = `${path}.rewritten`;
  removeDatabase(draft);
  try {
    const database = openSqlite({ path, readonly: false });
    try {
      database.run("vacuum into ?", [draft]);
    } finally {
      database.close();
    }
    // The last connection to leave removes it: whoever is still there would go on with a file that has no name.
    if (existsSync(`${path}-wal`)) throw new Error(`${path} is in use by another process`);
    chmodSync(draft, statSync(path).mode);
    openSqlite({ path: draft, readonly: false }).close();
    replaceDurably(draft, path);
  } catch (error) {
    removeDatabase(draft);
    throw error;
  }
  rmSync(markOf(path));
  return true;
}

function removeDatabase(path: string): void {
  for (const suffix of ["", "-wal", "-shm"]) rmSync(`${path}${suffix}`, { force: true });
}
