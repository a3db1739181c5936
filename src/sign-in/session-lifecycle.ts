import { appendAudit } from "#audit/audit.service.ts";
import type { Sql } from "#engines/records/schema.ts";
import { ApiError } from "#kernel/api-error.ts";
import type { Requester } from "./requester.ts";
import {
  deleteSession,
  deleteSessionsExcept,
  type SessionKey,
  type SessionProof,
  updateProof,
} from "./sessions.store.ts";
import type { SignInDeps } from "./sign-in-deps.ts";
import { findUser } from "./users.store.ts";
import { deleteVerification, deleteVerificationsOf } from "./verifications.store.ts";

/** How long a re-authentication counts before sensitive changes need another. */
export const SUDO_MS = 10 * 60_000;

/** A time further away than we ever set comes from a clock that was wrong. */
export const isFreshSudo = (sudoUntil: number, now: number): boolean => sudoUntil > now && sudoUntil <= now + SUDO_MS;

interface NewSession extends Partial<Pick<SessionProof, "sudoUntil">>, Pick<SessionProof, "signedInBy"> {
  readonly by: SessionKey;
  /** For the audit log, such as `session.started`. */
  readonly action: string;
  readonly details?: Readonly<Record<string, unknown>>;
  /** For a changed credential: nobody else may continue with the old one. */
  readonly endOthers?: boolean;
}

/**
 * Completes a session that begins with a credential: it counts as re-authentication unless `sudoUntil` says otherwise,
 * ends the session it replaces, and makes the browser a known device.
 */
export async function completeSession(
  { records, clock, devices }: Pick<SignInDeps, "records" | "clock" | "devices">,
  { session: before, headers, cookies }: Requester,
  { by, action, details, endOthers = false, sudoUntil, signedInBy }: NewSession,
): Promise<void> {
  const at = clock();
  const user = await records.write(async (tx) => {
    const session = await updateProof(tx, by, { sudoUntil: sudoUntil ?? at + SUDO_MS, signedInBy });
    // Another request may have ended it at the same moment.
    if (!session) throw sessionEnded();
    if (before && before.id !== session.id) await deleteSession(tx, { id: before.id });
    const { user_id: userId } = session;
    if (endOthers) await endAllBut(tx, userId, session.id);
    await appendAudit(tx, {
      at,
      accountNo: null,
      actor: `user:${userId}`,
      action,
      subject: userId,
      details: { ...details, ...(session.user_agent !== null && { device: session.user_agent }) },
    });
    return findUser(tx, userId);
  });
  if (user) cookies.push(devices.renew(headers, user.email));
}

export const sessionEnded = (): ApiError => new ApiError("not_signed_in", "Your session has ended. Sign in again.");

/** Ends every session of a user but one, and everything their old credentials have started. */
export async function endAllBut(tx: Sql, userId: string, sessionId: string | null): Promise<void> {
  await deleteSessionsExcept(tx, userId, sessionId);
  // Password reset links, sign-ins that wait for the second factor, and an unconfirmed change of e-mail address.
  await deleteVerificationsOf(tx, userId);
  await deleteVerification(tx, emailChangeIdOf(userId));
}

/** The id of an unconfirmed change of e-mail address; a user has at most one. */
export const emailChangeIdOf = (userId: string): string => `ver_email_${userId}`;
