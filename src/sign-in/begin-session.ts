import { appendAudit } from "#audit/audit.service.ts";
import type { Sql } from "#engines/records/schema.ts";
import type { SignInDeps } from "./sign-in-deps.ts";
import type { Visitor } from "./visitor.ts";

/** How long after a password or passkey dangerous things are allowed without another. */
const SUDO_MS = 10 * 60_000;

/** An end that is further away than any that was ever given comes from a clock that was wrong. */
export const isFreshProof = (sudoUntil: number, now: number): boolean => sudoUntil > now && sudoUntil <= now + SUDO_MS;

interface Begun {
  /** The new session by the one or the other. */
  readonly by: { readonly id: string } | { readonly token: string };
  /** What was done, as `session.started`. */
  readonly action: string;
  readonly details?: Readonly<Record<string, unknown>>;
  /** A credential changed: nobody else may go on with the old one. */
  readonly endOthers?: boolean;
}

/**
 * What belongs to every new session: it counts as a fresh proof, the one it follows is ended, and its browser is known
 * from now on.
 */
export async function settleSession(
  { records, clock, devices }: Pick<SignInDeps, "records" | "clock" | "devices">,
  { session: before, headers, cookies }: Visitor,
  { by, action, details, endOthers = false }: Begun,
): Promise<void> {
  const at = clock();
  const email = await records.write(async (tx) => {
    const [column, value] = "id" in by ? (["id", by.id] as const) : (["token", by.token] as const);
    const session = await tx
      .updateTable("sessions")
      .set({ sudo_until: at + SUDO_MS })
      .where(column, "=", value)
      .returning(["id", "user_id", "user_agent"])
      .executeTakeFirstOrThrow();
    if (before && before.id !== session.id) await tx.deleteFrom("sessions").where("id", "=", before.id).execute();
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
    return (await tx.selectFrom("users").select("email").where("id", "=", userId).executeTakeFirstOrThrow()).email;
  });
  cookies.push(devices.renew(headers, email));
}

/** Ends what a person's old credentials have opened, but for one session, and what they have begun. */
export async function endAllBut(tx: Sql, userId: string, sessionId: string | null): Promise<void> {
  await tx
    .deleteFrom("sessions")
    .where("user_id", "=", userId)
    .where("id", "!=", sessionId ?? "")
    .execute();
  // Links that set a password, sign-ins that wait for their second step, and a new address that waits for its proof.
  await tx.deleteFrom("verifications").where("value", "=", userId).execute();
  await tx.deleteFrom("verifications").where("id", "=", emailChangeIdOf(userId)).execute();
}

/** Of a change of address that waits to be confirmed: a person has one at most. */
export const emailChangeIdOf = (userId: string): string => `ver_email_${userId}`;
