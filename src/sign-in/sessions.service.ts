import { appendAudit } from "#audit/audit.service.ts";
import type { Sql } from "#engines/records/schema.ts";
import { notFound } from "#kernel/api-error.ts";
import type { SignedInRequester } from "./requester.ts";
import { deleteSessionOf, deleteSessionsExcept, listLiveSessions } from "./sessions.store.ts";
import type { SignInDeps } from "./sign-in-deps.ts";
import { updateName } from "./users.store.ts";

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
    async list({ session }: SignedInRequester) {
      const rows = await listLiveSessions(records.read, session.userId, clock());
      const data = rows.map((row) => ({
        id: row.id,
        current: row.id === session.id,
        device: row.user_agent,
        signed_in_by: row.signed_in_by,
        created_at: row.created_at,
        last_used_at: row.updated_at,
        expires_at: row.expires_at,
      }));
      return { data };
    },

    async end({ session }: SignedInRequester, id: string): Promise<undefined> {
      await records.write(async (tx) => {
        if (!(await deleteSessionOf(tx, session.userId, id))) throw notFound();
        await noteEnd(tx, session.userId, 1);
      });
      return undefined;
    },

    async endOthers({ session }: SignedInRequester): Promise<undefined> {
      await records.write(async (tx) => {
        await noteEnd(tx, session.userId, await deleteSessionsExcept(tx, session.userId, session.id));
      });
      return undefined;
    },

    async rename({ session }: SignedInRequester, name: string): Promise<void> {
      const { userId } = session;
      const at = clock();
      await records.write(async (tx) => {
        await updateName(tx, userId, name, at);
        const entry = { at, accountNo: null, actor: `user:${userId}`, action: "user.renamed", subject: userId };
        await appendAudit(tx, { ...entry, details: { name } });
      });
    },
  };
}
export type SessionService = ReturnType<typeof sessionService>;
