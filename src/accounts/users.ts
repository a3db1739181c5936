import type { Sql } from "#engines/records/schema.ts";
import { newId } from "#kernel/ids.ts";
import { findUserIdByEmail, hasCredential, insertUser } from "./accounts.store.ts";

interface Password {
  readonly passwordHash: string;
}

/** Someone as an OpenID Connect provider knows them. */
export interface Subject {
  readonly issuer: string;
  readonly subject: string;
}

interface NewPerson {
  readonly email: string;
  readonly name: string;
  /** Whether someone trustworthy vouches that the address belongs to this person. */
  readonly emailVerified: boolean;
  readonly at: number;
}

/** A person and their first credential. */
export type NewUser = NewPerson & (Password | Subject);

/** Addresses are stored and compared in lower case. */
export const findUserId = (sql: Sql, email: string): Promise<string | null> =>
  findUserIdByEmail(sql, email.toLowerCase());

/** For people of whom only the address is known, until they change it. Histories name them by it. */
export const nameFromEmail = (email: string): string => email.split("@", 1)[0] || email;

/** Writes the rows the sign-in library would write, so that the user can sign in to the console. Returns the id. */
export async function createUser(tx: Sql, user: NewUser): Promise<string> {
  const { email, name, emailVerified, at } = user;
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
      user_id: id,
      ...("issuer" in user
        ? { provider_id: providerIdOf(user.issuer), provider_account_id: user.subject, password: null }
        : { provider_id: "credential", provider_account_id: id, password: user.passwordHash }),
      ...times,
    },
  );
  return id;
}

/** By issuer: the same subject of another provider is someone else. */
export const providerIdOf = (issuer: string): string => `oidc:${issuer}`;

/** Whether the provider knows the user. */
export const hasIdentity = (sql: Sql, issuer: string, userId: string): Promise<boolean> =>
  hasCredential(sql, userId, providerIdOf(issuer));
