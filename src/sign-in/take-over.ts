import type { Sql } from "#engines/records/schema.ts";
import { deleteIdentities, deletePasskeysOf, deletePassword, deleteTwoFactor } from "./credentials.store.ts";
import { endAllBut } from "./session-lifecycle.ts";
import { findUser, markEmailVerified } from "./users.store.ts";

/**
 * Anyone may have signed up with an unverified address, or changed theirs to it: their passkeys, authenticator app and
 * single sign-on stop working. Returns which of them there were.
 */
export async function takeOver(tx: Sql, userId: string): Promise<string[]> {
  const removed = {
    passkeys: await deletePasskeysOf(tx, userId),
    two_factor: await deleteTwoFactor(tx, userId),
    sso: await deleteIdentities(tx, userId),
  };
  await markEmailVerified(tx, userId);
  return Object.entries(removed).flatMap(([what, existed]) => (existed ? [what] : []));
}

/**
 * For the owner of the address, who comes without a password: nobody may go on with one that someone else has set.
 * Returns what was removed; `null` if the address is verified, and so the user's own.
 */
export async function takeOverIfUnverified(tx: Sql, userId: string): Promise<string[] | null> {
  const user = await findUser(tx, userId);
  if (!user || user.email_verified === 1) return null;
  const removed = await takeOver(tx, userId);
  if (await deletePassword(tx, userId)) removed.push("password");
  await endAllBut(tx, userId, null);
  return removed;
}
