import { appendAudit } from "#audit/audit.service.ts";
import type { Sql } from "#engines/records/schema.ts";
import { ApiError, notFound } from "#kernel/api-error.ts";
import type { Auth } from "./auth.ts";
import { changeCredential } from "./change-credential.ts";
import { callLibrary } from "./library-call.ts";
import type { SignInDeps } from "./sign-in-deps.ts";
import type { SignedInVisitor } from "./visitor.ts";

type Json = Readonly<Record<string, unknown>>;
type RegistrationCall = NonNullable<Parameters<Auth["api"]["verifyPasskeyRegistration"]>[0]>;

export function passkeyService(deps: SignInDeps) {
  const { auth, records, clock } = deps;
  return {
    async list({ session }: SignedInVisitor) {
      const rows = await records.read
        .selectFrom("passkeys")
        .select(["id", "name", "created_at"])
        .where("user_id", "=", session.userId)
        .orderBy("id")
        .execute();
      return { data: rows.map(({ id, name, created_at }) => toPasskey(id, name, created_at)) };
    },

    async start(visitor: SignedInVisitor): Promise<Record<string, unknown>> {
      const { api } = await auth();
      const { headers } = visitor;
      const call = api.generatePasskeyRegistrationOptions({ headers, query: {}, returnHeaders: true });
      const result = await callLibrary(visitor, call);
      if ("refusal" in result) throw refused();
      return { ...result.value };
    },

    async add(visitor: SignedInVisitor, { name, response }: { name: string; response: Json }) {
      const { api } = await auth();
      const { headers } = visitor;
      // What the browser made is checked by the library alone.
      const body = { name, response: response as unknown as RegistrationCall["body"]["response"] };
      const result = await callLibrary(
        visitor,
        api.verifyPasskeyRegistration({ body, headers, returnHeaders: true }).catch(toTaken),
      );
      if ("refusal" in result || !result.value) throw refused();
      const { id, createdAt } = result.value;
      // The library has stored it by now.
      const change = async () => {};
      await changeCredential(deps, visitor, { action: "passkey.added", details: { passkey: id }, change });
      return toPasskey(id, name, createdAt.toISOString());
    },

    /** Only a label for its owner: nothing about signing in changes. */
    async rename({ session }: SignedInVisitor, id: string, name: string) {
      const { userId } = session;
      return records.write(async (tx) => {
        const renamed = await tx
          .updateTable("passkeys")
          .set({ name })
          .where("id", "=", id)
          .where("user_id", "=", userId)
          .returning("created_at")
          .executeTakeFirst();
        if (!renamed) throw notFound();
        const entry = { at: clock(), accountNo: null, actor: `user:${userId}`, action: "passkey.renamed" };
        await appendAudit(tx, { ...entry, subject: userId, details: { passkey: id } });
        return toPasskey(id, name, renamed.created_at);
      });
    },

    async remove(visitor: SignedInVisitor, id: string): Promise<undefined> {
      const change = async (tx: Sql): Promise<void> => {
        const own = tx.deleteFrom("passkeys").where("id", "=", id).where("user_id", "=", visitor.session.userId);
        if (!(await own.returning("id").executeTakeFirst())) throw notFound();
      };
      await changeCredential(deps, visitor, { action: "passkey.removed", details: { passkey: id }, change });
      return undefined;
    },
  };
}
export type PasskeyService = ReturnType<typeof passkeyService>;

const toPasskey = (id: string, name: string | null, createdAt: string | null) => ({
  id,
  name: name ?? "Passkey",
  created_at: new Date(createdAt ?? 0).toISOString(),
});

function toTaken(error: unknown): never {
  if (error instanceof Error && /UNIQUE constraint failed/i.test(error.message)) {
    throw new ApiError("already_exists", "This passkey is in use already.", { field: "response" });
  }
  throw error;
}

const refused = (): ApiError => new ApiError("bad_request", "The passkey could not be added. Try again.");
