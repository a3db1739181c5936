import type { Selectable } from "kysely";
import type { SessionsTable, Sql } from "#engines/records/schema.ts";

export type SessionKey = { readonly id: string } | { readonly token: string };

export async function findSessionEnd(sql: Sql, id: string): Promise<string | null> {
  const session = await sql.selectFrom("sessions").select("expires_at").where("id", "=", id).executeTakeFirst();
  return session?.expires_at ?? null;
}

/** What the session proves, and until when. */
export const findProof = (sql: Sql, id: string) =>
  sql.selectFrom("sessions").select(["sudo_until", "signed_in_by"]).where("id", "=", id).executeTakeFirst();

export interface SessionProof {
  /** Until when sensitive changes need no re-authentication, in Unix milliseconds. */
  readonly sudoUntil: number;
  readonly signedInBy: Selectable<SessionsTable>["signed_in_by"];
}

/** Returns the session that was changed; nothing if it has ended. */
export function updateProof(tx: Sql, key: SessionKey, { sudoUntil, signedInBy }: SessionProof) {
  const [column, value] = "id" in key ? (["id", key.id] as const) : (["token", key.token] as const);
  return tx
    .updateTable("sessions")
    .set({ sudo_until: sudoUntil, signed_in_by: signedInBy })
    .where(column, "=", value)
    .returning(["id", "user_id", "user_agent"])
    .executeTakeFirst();
}

export async function extendSession(tx: Sql, id: string, usedAt: number, endsAt: number): Promise<void> {
  await tx
    .updateTable("sessions")
    .set({ updated_at: new Date(usedAt).toISOString(), expires_at: new Date(endsAt).toISOString() })
    .where("id", "=", id)
    .execute();
}

export const listLiveSessions = (sql: Sql, userId: string, now: number) =>
  sql
    .selectFrom("sessions")
    .select(["id", "user_agent", "created_at", "updated_at", "expires_at", "signed_in_by"])
    .where("user_id", "=", userId)
    .where("expires_at", ">", new Date(now).toISOString())
    .orderBy("updated_at", "desc")
    .execute();

export async function deleteSession(tx: Sql, key: SessionKey): Promise<void> {
  const [column, value] = "id" in key ? (["id", key.id] as const) : (["token", key.token] as const);
  await tx.deleteFrom("sessions").where(column, "=", value).execute();
}

/** Returns false if the user has no such session. */
export async function deleteSessionOf(tx: Sql, userId: string, id: string): Promise<boolean> {
  const deleted = await tx
    .deleteFrom("sessions")
    .where("id", "=", id)
    .where("user_id", "=", userId)
    .returning("id")
    .executeTakeFirst();
  return deleted !== undefined;
}

/** `null` spares none. Returns how many were deleted. */
export async function deleteSessionsExcept(tx: Sql, userId: string, sessionId: string | null): Promise<number> {
  const { numDeletedRows } = await tx
    .deleteFrom("sessions")
    .where("user_id", "=", userId)
    .where("id", "!=", sessionId ?? "")
    .executeTakeFirstOrThrow();
  return Number(numDeletedRows);
}
