import { openSqlite } from "./sqlite/connection.ts";

/** Whether anyone has signed up, read without opening the whole engine. */
export function fileHasUsers(path: string): boolean {
  const database = openSqlite({ path, readonly: true });
  try {
    return database.query("select 1 from users limit 1").get() !== null;
  } finally {
    database.close();
  }
}
