import { appendAudit } from "#audit/audit.service.ts";
import type { Sql } from "#engines/records/schema.ts";
import { ApiError } from "#kernel/api-error.ts";
import { endAllBut } from "./begin-session.ts";
import { callLibrary } from "./library-call.ts";
import type { SignInDeps } from "./sign-in-deps.ts";
import type { SignedInVisitor } from "./visitor.ts";

type Deps = Pick<SignInDeps, "auth" | "records" | "clock">;

interface Change {
  /** What was done, as `passkey.removed`. */
  readonly action: string;
  readonly details?: Readonly<Record<string, unknown>>;
  readonly change: (tx: Sql) => Promise<void>;
}

/** Changes how a person signs in, in one step with its trace in the audit log and the end of all that is open elsewhere. */
export async function changeCredential(
  deps: Deps,
  visitor: SignedInVisitor,
  { action, details = {}, change }: Change,
): Promise<void> {
  const { id, userId, sudoUntil } = visitor.session;
  await deps.records.write(async (tx) => {
    await change(tx);
    await endAllBut(tx, userId, id);
    const entry = { at: deps.clock(), accountNo: null, actor: `user:${userId}`, action, subject: userId };
    await appendAudit(tx, { ...entry, details });
  });
  const newId = await replaceSession(deps, visitor);
  // Nobody has shown anew who they are, so the proof before goes on counting and no longer.
  await deps.records.write(async (tx) => {
    await tx.updateTable("sessions").set({ sudo_until: sudoUntil }).where("id", "=", newId).execute();
  });
}

/** A new id for the same session, as after every change of what it may do. Returns it. */
export async function replaceSession({ auth }: Deps, visitor: SignedInVisitor): Promise<string> {
  const { api } = await auth();
  const { headers } = visitor;
  const result = await callLibrary(visitor, api.replaceSession({ headers, returnHeaders: true }));
  if ("refusal" in result) throw new ApiError("not_signed_in", "Your session has ended. Sign in again.");
  return result.value.id;
}
