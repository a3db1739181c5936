import { appendAudit } from "#audit/audit.service.ts";
import type { Sql } from "#engines/records/schema.ts";
import { callLibrary } from "./library-call.ts";
import type { SignedInRequester } from "./requester.ts";
import { endAllBut, sessionEnded } from "./session-lifecycle.ts";
import { updateProof } from "./sessions.store.ts";
import type { SignInDeps } from "./sign-in-deps.ts";

type Deps = Pick<SignInDeps, "auth" | "records" | "clock">;

interface Change {
  /** For the audit log, such as `passkey.removed`. */
  readonly action: string;
  readonly details?: Readonly<Record<string, unknown>>;
  readonly change: (tx: Sql) => Promise<void>;
}

/** Changes how someone signs in; the same transaction writes the audit entry and ends their other sessions. */
export async function changeCredential(
  deps: Deps,
  requester: SignedInRequester,
  { action, details = {}, change }: Change,
): Promise<void> {
  const { id, userId, sudoUntil, signedInBy } = requester.session;
  await deps.records.write(async (tx) => {
    await change(tx);
    await endAllBut(tx, userId, id);
    const entry = { at: deps.clock(), accountNo: null, actor: `user:${userId}`, action, subject: userId };
    await appendAudit(tx, { ...entry, details });
  });
  const newId = await replaceSession(deps, requester);
  // Nobody has re-authenticated, so the new session proves what the old one did. If a parallel request has ended it by
  // now, the change is made all the same.
  await deps.records.write((tx) => updateProof(tx, { id: newId }, { sudoUntil, signedInBy }));
}

/** Gives the session a new id, as after every change of its rights. Returns the id. */
export async function replaceSession({ auth }: Deps, requester: SignedInRequester): Promise<string> {
  const { api } = await auth();
  const { headers } = requester;
  const result = await callLibrary(requester, api.replaceSession({ headers, returnHeaders: true }));
  if ("refusal" in result) throw sessionEnded();
  return result.value.id;
}
