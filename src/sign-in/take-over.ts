import type { Sql } from "#engines/records/schema.ts";
import { deletePasskeysOf, deletePassword, deleteTwoFactor } from "./credentials.store.ts";
import { endAllBut } from "./session-lifecycle.ts";
import { findUser, markEmailVerified } from "./users.store.ts";

/** Anyone may have signed up with an unverified address, so their passkeys and authenticator app stop working. */
export async function takeOver(tx: Sql, userId: string): Promise<void> {
  await deletePasskeysOf(tx, userId);
  await deleteTwoFactor(tx, userId);
  await markEmailVerified(tx, userId);
}

/** For the owner of the address, who comes without a password: nobody may go on with one that someone else has set. */
export async function takeOverIfUnverified(tx: Sql, userId: string): Promise<void> {
  const user = await findUser(tx, userId);
  if (!user || user.email_verified === 1) return;
  await takeOver(tx, userId);
  await deletePassword(tx, userId);
  await endAllBut(tx, userId, null);
}
