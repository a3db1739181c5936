import { chmodSync, existsSync, rmSync, statSync } from "node:fs";
import { markDurably, replaceDurably } from "../../durable-files.ts";
import { openSqlite } from "./connection.ts";

const markOf = (path: string): string => `${path}.erased`;

/**
 * Marks the file to be rewritten later by `rewriteErased`. SQLite overwrites deleted data (`secure_delete`), but when it
 * splits a full page, copies of the moved rows stay behind in the unused part of that page.
 */
export const noteErasure = (path: string): void => markDurably(markOf(path));

/** How many bytes `rewriteErased` will write; 0 if it has nothing to do. */
export const bytesToRewrite = (path: string): number => (existsSync(markOf(path)) ? statSync(path).size : 0);

/**
 * Rewrites the file if something was erased, so its unused parts contain nothing of it, and returns whether it did. No
 * other connection to the file may be open.
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
    // The last connection removes the log, so another one is still open and would keep using the replaced file.
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
