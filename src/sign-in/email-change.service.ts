import { createHash } from "node:crypto";
import { findUserId } from "#accounts/users.ts";
import { appendAudit } from "#audit/audit.service.ts";
import type { Sql } from "#engines/records/schema.ts";
import { ApiError, bodyProblem, validationFailed } from "#kernel/api-error.ts";
import { randomBase62 } from "#kernel/base62.ts";
import { emailChangeIdOf, endAllBut } from "./begin-session.ts";
import { findPerson, findTraces, removeTraces } from "./people.store.ts";
import type { SignInDeps } from "./sign-in-deps.ts";
import type { SignedInVisitor, Visitor } from "./visitor.ts";

interface EmailChangeDeps extends Pick<SignInDeps, "records" | "clock" | "throttle"> {
  readonly baseUrl: string;
  /** `null` where no mail is sent, so that nobody can be asked. */
  readonly mail: {
    askNew(email: string, url: string): void;
    tellOld(email: string): void;
  } | null;
}

/** What waits to be confirmed. */
interface Change {
  readonly userId: string;
  readonly email: string;
  /** The session that goes on. */
  readonly sessionId: string;
}

const LIFE_MS = 60 * 60_000;
const SECRET_CHARACTERS = 32;

/**
 * A new e-mail address counts once a link that was mailed to it is opened, and the old address is told. Without mail it
 * counts at once, and as an address of which nobody knows whose it is, as after a sign-up.
 */
export function emailChangeService({ records, clock, throttle, baseUrl, mail }: EmailChangeDeps) {
  const apply = async ({ userId, email, sessionId }: Change, isProven: boolean): Promise<void> => {
    const person = await findPerson(records.read, userId);
    if (!person) throw linkDead();
    const { email: before } = person;
    const traces = await findTraces(records.scan, userId, before);
    records.noteErasure();
    const at = clock();
    await records.write(async (tx) => {
      await assertFree(tx, email);
      const updated_at = new Date(at).toISOString();
      const address = { email, email_verified: isProven ? 1 : 0, updated_at };
      await tx.updateTable("users").set(address).where("id", "=", userId).execute();
      await tx.deleteFrom("invitations").where("email", "=", before).where("status", "=", "accepted").execute();
      await removeTraces(tx, traces, { userId, email: before });
      // Links to set a password that the old address has got are dead as well.
      await endAllBut(tx, userId, sessionId);
      const entry = { at, accountNo: null, actor: `user:${userId}`, action: "email.changed", subject: userId };
      await appendAudit(tx, { ...entry, details: { confirmed: isProven } });
    });
    mail?.tellOld(before);
  };

  return {
    async start({ session, clientAddress }: SignedInVisitor, address: string): Promise<{ confirmation_sent: boolean }> {
      const { userId, id: sessionId } = session;
      const email = address.toLowerCase();
      if (email === session.email) {
        throw validationFailed([bodyProblem("email", "invalid_format", "This is your e-mail address already.")]);
      }
      // The answer reveals whether an address is registered, and each request may send a mail to someone.
      throttle.beginMail(email, clientAddress);
      if (mail === null) {
        await apply({ userId, email, sessionId }, false);
        return { confirmation_sent: false };
      }
      const secret = randomBase62(SECRET_CHARACTERS);
      const at = clock();
      await records.write(async (tx) => {
        await assertFree(tx, email);
        const id = emailChangeIdOf(userId);
        await tx.deleteFrom("verifications").where("id", "=", id).execute();
        await tx
          .insertInto("verifications")
          .values({
            id,
            identifier: storedIdentifierOf(secret),
            value: JSON.stringify({ userId, email, sessionId } satisfies Change),
            expires_at: new Date(at + LIFE_MS).toISOString(),
            created_at: new Date(at).toISOString(),
            updated_at: new Date(at).toISOString(),
          })
          .execute();
        const entry = { at, accountNo: null, actor: `user:${userId}`, action: "email.change_requested" };
        await appendAudit(tx, { ...entry, subject: userId });
      });
      mail.askNew(email, `${baseUrl}/console/confirm-email/${secret}`);
      return { confirmation_sent: true };
    },

    /** Opened by whoever reads the mail of the new address, in any browser. */
    async confirm({ clientAddress }: Visitor, token: string): Promise<undefined> {
      const { tooMany, succeed } = throttle.tryFrom(clientAddress, "confirm-email");
      const found = await records.read
        .selectFrom("verifications")
        .select("value")
        .where("identifier", "=", storedIdentifierOf(token))
        .where("expires_at", ">", new Date(clock()).toISOString())
        .executeTakeFirst();
      if (!found) throw tooMany ?? linkDead();
      succeed();
      await apply(JSON.parse(found.value) as Change, true);
      return undefined;
    },
  };
}
export type EmailChangeService = ReturnType<typeof emailChangeService>;

async function assertFree(tx: Sql, email: string): Promise<void> {
  if ((await findUserId(tx, email)) === null) return;
  throw new ApiError("already_exists", "Someone else uses this e-mail address.", { field: "email" });
}

/** Whoever reads the database learns no link. */
const storedIdentifierOf = (secret: string): string =>
  createHash("sha256").update(`confirm-email:${secret}`).digest("base64url");

const linkDead = (): ApiError =>
  new ApiError("not_found", "This link has expired, was replaced or has been used. Ask for a new one.");
