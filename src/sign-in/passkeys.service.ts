import { appendAudit } from "#audit/audit.service.ts";
import { isDuplicateKey } from "#engines/records/duplicate-key.ts";
import type { Sql } from "#engines/records/schema.ts";
import { ApiError, notFound } from "#kernel/api-error.ts";
import type { Auth } from "./auth.ts";
import { changeCredential } from "./change-credential.ts";
import { deletePasskey, listPasskeys, updatePasskeyName } from "./credentials.store.ts";
import { callLibrary } from "./library-call.ts";
import type { SignedInRequester } from "./requester.ts";
import type { SignInDeps } from "./sign-in-deps.ts";

type Json = Readonly<Record<string, unknown>>;
type RegistrationCall = NonNullable<Parameters<Auth["api"]["verifyPasskeyRegistration"]>[0]>;

export function passkeyService(deps: SignInDeps) {
  const { auth, records, clock } = deps;
  return {
    async list({ session }: SignedInRequester) {
      const rows = await listPasskeys(records.read, session.userId);
      return { data: rows.map(({ id, name, created_at }) => toPasskey(id, name, created_at)) };
    },

    async start(requester: SignedInRequester): Promise<Record<string, unknown>> {
      const { api } = await auth();
      const { headers } = requester;
      const call = api.generatePasskeyRegistrationOptions({ headers, query: {}, returnHeaders: true });
      const result = await callLibrary(requester, call);
      if ("refusal" in result) throw refused();
      return { ...result.value };
    },

    async add(requester: SignedInRequester, { name, response }: { name: string; response: Json }) {
      const { api } = await auth();
      const { headers } = requester;
      // Only the library checks what the browser sent.
      const body = { name, response: response as unknown as RegistrationCall["body"]["response"] };
      const result = await callLibrary(
        requester,
        api.verifyPasskeyRegistration({ body, headers, returnHeaders: true }).catch(toTaken),
      );
      if ("refusal" in result || !result.value) throw refused();
      const { id, createdAt } = result.value;
      // The library has already stored it.
      const change = async () => {};
      await changeCredential(deps, requester, { action: "passkey.added", details: { passkey: id }, change });
      return toPasskey(id, name, createdAt.toISOString());
    },

    /** The name is only a label; signing in stays the same. */
    async rename({ session }: SignedInRequester, id: string, name: string) {
      const { userId } = session;
      return records.write(async (tx) => {
        const renamed = await updatePasskeyName(tx, { id, userId, name });
        if (!renamed) throw notFound();
        const entry = { at: clock(), accountNo: null, actor: `user:${userId}`, action: "passkey.renamed" };
        await appendAudit(tx, { ...entry, subject: userId, details: { passkey: id } });
        return toPasskey(id, name, renamed.created_at);
      });
    },

    async remove(requester: SignedInRequester, id: string): Promise<undefined> {
      const change = async (tx: Sql): Promise<void> => {
        if (!(await deletePasskey(tx, { id, userId: requester.session.userId }))) throw notFound();
      };
      await changeCredential(deps, requester, { action: "passkey.removed", details: { passkey: id }, change });
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
  if (isDuplicateKey(error)) {
    throw new ApiError("already_exists", "This passkey is already in use.", { field: "response" });
  }
  throw error;
}

const refused = (): ApiError => new ApiError("bad_request", "The passkey could not be added. Try again.");
