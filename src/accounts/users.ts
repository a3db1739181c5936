import type { Sql } from "#engines/records/schema.ts";
import { newId } from "#kernel/ids.ts";
import { findUserIdByEmail, insertUser } from "./accounts.store.ts";

export interface NewUser {
  readonly email: string;
  readonly name: string;
  readonly passwordHash: string;
  /** Whether someone trustworthy vouches that the address belongs to this person. */
  readonly emailVerified: boolean;
  readonly at: number;
}

/** Addresses are stored and compared in lower case. */
export const findUserId = (sql: Sql, email: string): Promise<string | null> =>
  findUserIdByEmail(sql, email.toLowerCase());

/** For people of whom only the address is known, until they change it. Histories name them by it. */
export const nameFromEmail = (email: string): string => email.split("@", 1)[0] || email;

/** Writes the rows the sign-in library would write, so that the user can sign in to the console. Returns the id. */
export async function createUser(tx: Sql, user: NewUser): Promise<string> {
  const { email, name, passwordHash, emailVerified, at } = user;
  const id = newId("usr");
  const times = { created_at: new Date(at).toISOString(), updated_at: new Date(at).toISOString() };
  await insertUser(
    tx,
    {
      id,
      name,
      email: email.toLowerCase(),
      email_verified: emailVerified ? 1 : 0,
      image: null,
      two_factor_enabled: 0,
      ...times,
    },
    {
      id: newId("crd"),
      provider_id: "credential",
      provider_account_id: id,
      user_id: id,
      password: passwordHash,
      ...times,
    },
  );
  return id;
}
