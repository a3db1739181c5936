import { createHash } from "node:crypto";
import { findUserId } from "#accounts/users.ts";
import { appendAudit } from "#audit/audit.service.ts";
import type { Records } from "#engines/records/records.ts";
import type { Sql } from "#engines/records/schema.ts";
import { randomBase62 } from "#kernel/base62.ts";
import type { Clock } from "#kernel/clock.ts";
import { newId } from "#kernel/ids.ts";
import { insertVerification } from "./verifications.store.ts";

interface Deps {
  readonly records: Records;
  readonly clock: Clock;
  readonly baseUrl: string;
}

export interface ResetLink {
  readonly email: string;
  readonly url: string;
  readonly expires_at: string;
}

const LIFE_MS = 60 * 60_000;
const SECRET_CHARACTERS = 32;

/** Links that set a new password, once and within an hour. Only the hash of a link's secret is stored. */
export function resetLinkService({ records, clock, baseUrl }: Deps) {
  const insert = async (tx: Sql, userId: string, email: string): Promise<ResetLink> => {
    const at = clock();
    const secret = randomBase62(SECRET_CHARACTERS);
    const expires_at = new Date(at + LIFE_MS).toISOString();
    const identifier = storedIdentifierOf(secret);
    await insertVerification(tx, { id: newId("ver"), identifier, value: userId, at, expiresAt: expires_at });
    return { email, url: `${baseUrl}/console/reset/${secret}`, expires_at };
  };

  return {
    /** For a mail; `null` if the address has no user. */
    createForMail: (address: string): Promise<ResetLink | null> =>
      records.write(async (tx) => {
        const email = address.toLowerCase();
        const userId = await findUserId(tx, email);
        return userId === null ? null : insert(tx, userId, email);
      }),

    /** For an operator to pass on. */
    createForOperator: (address: string): Promise<ResetLink> =>
      records.write(async (tx) => {
        const email = address.toLowerCase();
        const userId = await findUserId(tx, email);
        if (userId === null) throw new Error(`there is no user with the e-mail address "${email}"`);
        const entry = { at: clock(), accountNo: null, actor: "operator", action: "password.reset_link_created" };
        await appendAudit(tx, { ...entry, subject: userId });
        return insert(tx, userId, email);
      }),
  };
}

/** Hashed the way the sign-in library looks it up (`storeIdentifier: "hashed"`). */
const storedIdentifierOf = (secret: string): string =>
  createHash("sha256").update(`reset-password:${secret}`).digest("base64url");
