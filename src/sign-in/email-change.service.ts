import { createHash } from "node:crypto";
import { findUserId } from "#accounts/users.ts";
import { appendAudit } from "#audit/audit.service.ts";
import type { Sql } from "#engines/records/schema.ts";
import { ApiError, bodyProblem, validationFailed } from "#kernel/api-error.ts";
import { randomBase62 } from "#kernel/base62.ts";
import { listMemberships } from "#members/memberships.ts";
import type { Requester, Session, SignedInRequester } from "./requester.ts";
import { emailChangeIdOf, endAllBut } from "./session-lifecycle.ts";
import type { SignInDeps } from "./sign-in-deps.ts";
import { deleteAcceptedInvitationsTo, findTraces, findUser, removeTraces, updateEmail } from "./users.store.ts";
import { deleteVerification, findLiveValue, insertVerification } from "./verifications.store.ts";

interface EmailChangeDeps extends Pick<SignInDeps, "records" | "clock" | "throttle"> {
  readonly baseUrl: string;
  /** `null`: mail is off, so nobody can be asked to confirm. */
  readonly mail: {
    sendConfirmation(email: string, url: string): void;
    sendNotice(email: string): void;
  } | null;
}

/** Stored until it is confirmed. */
interface Change {
  readonly userId: string;
  readonly email: string;
  /** The session that survives the change. */
  readonly sessionId: string;
  readonly signedInBy: Session["signedInBy"];
}

const LIFE_MS = 60 * 60_000;
const SECRET_CHARACTERS = 32;

/**
 * A new e-mail address takes effect once the link mailed to it is opened; the old address gets a notice. If mail is off
 * it takes effect at once, but stays unverified, as after a sign-up.
 */
export function emailChangeService({ records, clock, throttle, baseUrl, mail }: EmailChangeDeps) {
  const apply = async (change: Change, isConfirmed: boolean): Promise<void> => {
    const { userId, email, sessionId } = change;
    const user = await findUser(records.read, userId);
    if (!user) throw linkDead();
    const { email: before } = user;
    const traces = await findTraces(records.scan, userId, before);
    records.noteErasure();
    const at = clock();
    await records.write(async (tx) => {
      // An account may have begun to require it since the change was asked for.
      await assertSsoWhereRequired(tx, change);
      await assertFree(tx, email);
      await updateEmail(tx, userId, { email, verified: isConfirmed, at });
      await deleteAcceptedInvitationsTo(tx, before);
      await removeTraces(tx, traces, { userId, email: before });
      // Password reset links sent to the old address stop working, too.
      await endAllBut(tx, userId, sessionId);
      const entry = { at, accountNo: null, actor: `user:${userId}`, action: "email.changed", subject: userId };
      await appendAudit(tx, { ...entry, details: { confirmed: isConfirmed } });
    });
    mail?.sendNotice(before);
  };

  return {
    async start(
      { session, clientAddress }: SignedInRequester,
      address: string,
    ): Promise<{ confirmation_sent: boolean }> {
      const { userId, id: sessionId, signedInBy } = session;
      const email = address.toLowerCase();
      if (email === session.email) {
        throw validationFailed([bodyProblem("email", "invalid_format", "This is already your e-mail address.")]);
      }
      // The answer reveals whether an address is registered, and each request may send a mail to someone.
      await throttle.beginMail(email, clientAddress);
      if (mail === null) {
        await apply({ userId, email, sessionId, signedInBy }, false);
        return { confirmation_sent: false };
      }
      const secret = randomBase62(SECRET_CHARACTERS);
      const at = clock();
      await records.write(async (tx) => {
        await assertSsoWhereRequired(tx, session);
        await assertFree(tx, email);
        const id = emailChangeIdOf(userId);
        await deleteVerification(tx, id);
        await insertVerification(tx, {
          id,
          identifier: storedIdentifierOf(secret),
          value: JSON.stringify({ userId, email, sessionId, signedInBy } satisfies Change),
          at,
          expiresAt: new Date(at + LIFE_MS).toISOString(),
        });
        const entry = { at, accountNo: null, actor: `user:${userId}`, action: "email.change_requested" };
        await appendAudit(tx, { ...entry, subject: userId });
      });
      mail.sendConfirmation(email, `${baseUrl}/console/confirm-email/${secret}`);
      return { confirmation_sent: true };
    },

    /** Anyone with the mailed link can confirm, in any browser. */
    async confirm({ clientAddress }: Requester, token: string): Promise<undefined> {
      const { tooMany, succeed } = await throttle.tryFrom(clientAddress, "confirm-email");
      const change = await findLiveValue(records.read, storedIdentifierOf(token), clock());
      if (change === null) throw tooMany ?? linkDead();
      await succeed();
      await apply(JSON.parse(change) as Change, true);
      return undefined;
    },
  };
}
export type EmailChangeService = ReturnType<typeof emailChangeService>;

async function assertFree(tx: Sql, email: string): Promise<void> {
  if ((await findUserId(tx, email)) === null) return;
  throw new ApiError("already_exists", "Someone else uses this e-mail address.", { field: "email" });
}

/**
 * The provider's next person with the address gets the user. So with a stolen password alone, anyone at the provider
 * could open an account that requires single sign-on.
 */
async function assertSsoWhereRequired(
  tx: Sql,
  { userId, signedInBy }: Pick<Session, "userId" | "signedInBy">,
): Promise<void> {
  const memberships = await listMemberships(tx, userId, signedInBy === "sso");
  if (!memberships.some(({ needs_sso }) => needs_sso)) return;
  throw new ApiError(
    "sso_required",
    "Sign in with single sign-on, then change your e-mail address: one of your accounts requires it.",
  );
}

/** Hashed, so that the database contains no working link. */
const storedIdentifierOf = (secret: string): string =>
  createHash("sha256").update(`confirm-email:${secret}`).digest("base64url");

const linkDead = (): ApiError =>
  new ApiError("not_found", "This link has expired, was replaced or has been used. Ask for a new one.");
