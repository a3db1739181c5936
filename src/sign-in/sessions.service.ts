import { appendAudit } from "#audit/audit.service.ts";
import type { Sql } from "#engines/records/schema.ts";
import { notFound } from "#kernel/api-error.ts";
import type { SignInDeps } from "./sign-in-deps.ts";
import type { SignedInVisitor } from "./visitor.ts";

/** Where a person is signed in. */
export function sessionService({ records, clock }: Pick<SignInDeps, "records" | "clock">) {
  const noteEnd = (tx: Sql, userId: string, sessions: number) =>
    appendAudit(tx, {
      at: clock(),
      accountNo: null,
      actor: `user:${userId}`,
      action: "session.ended",
      subject: userId,
      details: { sessions },
    });

  return {
    async list({ session }: SignedInVisitor) {
      const rows = await records.read
        .selectFrom("sessions")
        .select(["id", "user_agent", "created_at", "updated_at", "expires_at"])
        .where("user_id", "=", session.userId)
        .where("expires_at", ">", new Date(clock()).toISOString())
        .orderBy("updated_at", "desc")
        .execute();
      const data = rows.map((row) => ({
        id: row.id,
        current: row.id === session.id,
        device: row.user_agent,
        created_at: row.created_at,
        last_used_at: row.updated_at,
        expires_at: row.expires_at,
      }));
      return { data };
    },

    async end({ session }: SignedInVisitor, id: string): Promise<undefined> {
      await records.write(async (tx) => {
        const ended = await tx
          .deleteFrom("sessions")
          .where("id", "=", id)
          .where("user_id", "=", session.userId)
          .returning("id")
          .execute();
        if (ended.length === 0) throw notFound();
        await noteEnd(tx, session.userId, ended.length);
      });
      return undefined;
    },

    async endOthers({ session }: SignedInVisitor): Promise<undefined> {
      await records.write(async (tx) => {
        const ended = await tx
          .deleteFrom("sessions")
          .where("user_id", "=", session.userId)
          .where("id", "!=", session.id)
          .returning("id")
          .execute();
        await noteEnd(tx, session.userId, ended.length);
      });
      return undefined;
    },

    async rename({ session }: SignedInVisitor, name: string): Promise<void> {
      const { userId } = session;
      const at = clock();
      await records.write(async (tx) => {
        const updated_at = new Date(at).toISOString();
        await tx.updateTable("users").set({ name, updated_at }).where("id", "=", userId).execute();
        const entry = { at, accountNo: null, actor: `user:${userId}`, action: "user.renamed", subject: userId };
        await appendAudit(tx, { ...entry, details: { name } });
      });
    },
  };
}
export type SessionService = ReturnType<typeof sessionService>;
