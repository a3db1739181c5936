import type { Sql } from "#engines/records/schema.ts";
import { findSessionEnd } from "./sessions.store.ts";

/** Whether a session has neither ended nor expired. */
export async function isLiveSession(sql: Sql, id: string, now: number): Promise<boolean> {
  const expiresAt = await findSessionEnd(sql, id);
  return expiresAt !== null && Date.parse(expiresAt) > now;
}
