import { randomBytes } from "node:crypto";
import type { Sql } from "#engines/records/schema.ts";
import { ApiError, bodyProblem, notFound, validationFailed } from "#kernel/api-error.ts";
import { randomBase62 } from "#kernel/base62.ts";
import { newId } from "#kernel/ids.ts";
import { changeCredential } from "./change-credential.ts";
import type { SignInDeps } from "./sign-in-deps.ts";
import { toBase32, totpUri } from "./totp.ts";
import { findStepOf, markStep } from "./two-factor-step.ts";
import type { SignedInVisitor } from "./visitor.ts";

const BACKUP_CODES = 10;
const HALF_CODE = 5;
const SECRET_BYTES = 24;

/** Codes of an authenticator app as the second step. Rows are as the sign-in library reads them. */
export function twoFactorService(deps: SignInDeps) {
  const { auth, records } = deps;

  const encrypt = async (text: string): Promise<string> => {
    const [{ secretConfig }, { symmetricEncrypt }] = await Promise.all([
      auth().then(({ $context }) => $context),
      import("better-auth/crypto"),
    ]);
    return symmetricEncrypt({ key: secretConfig, data: text });
  };

  return {
    /** Nothing is asked for at sign-in before a first code has shown that the app works. */
    async start({ session }: SignedInVisitor) {
      const { userId, email } = session;
      const secret = randomBytes(SECRET_BYTES).toString("base64url");
      const codes = newBackupCodes();
      const [encryptedSecret, encryptedCodes] = await Promise.all([encrypt(secret), encrypt(JSON.stringify(codes))]);
      await records.write(async (tx) => {
        const known = await tx
          .selectFrom("two_factors")
          .select("verified")
          .where("user_id", "=", userId)
          .executeTakeFirst();
        if (known?.verified === 1) {
          throw new ApiError("already_exists", "You use an authenticator app already.", { field: "two_factor" });
        }
        await tx.deleteFrom("two_factors").where("user_id", "=", userId).execute();
        await tx
          .insertInto("two_factors")
          .values({
            id: newId("tfa"),
            user_id: userId,
            secret: encryptedSecret,
            backup_codes: encryptedCodes,
            verified: 0,
            last_step: null,
          })
          .execute();
      });
      return { uri: totpUri(secret, email), secret: toBase32(secret), backup_codes: codes };
    },

    async confirm(visitor: SignedInVisitor, code: string): Promise<undefined> {
      const { userId } = visitor.session;
      const step = await findStepOf(deps, userId, code);
      if (step === null) throw wrongCode();
      const change = async (tx: Sql): Promise<void> => {
        if (!(await markStep(tx, userId, step))) throw wrongCode();
        await tx.updateTable("two_factors").set({ verified: 1 }).where("user_id", "=", userId).execute();
        await tx.updateTable("users").set({ two_factor_enabled: 1 }).where("id", "=", userId).execute();
      };
      await changeCredential(deps, visitor, { action: "two_factor.started", change });
      return undefined;
    },

    /** For when few are left, or others may have seen them. */
    async renewCodes(visitor: SignedInVisitor): Promise<{ backup_codes: string[] }> {
      const codes = newBackupCodes();
      const backup_codes = await encrypt(JSON.stringify(codes));
      const change = async (tx: Sql): Promise<void> => {
        const used = tx.updateTable("two_factors").set({ backup_codes }).where("user_id", "=", visitor.session.userId);
        if (!(await used.where("verified", "=", 1).returning("id").executeTakeFirst())) throw notFound();
      };
      await changeCredential(deps, visitor, { action: "two_factor.codes_renewed", change });
      return { backup_codes: codes };
    },

    async end(visitor: SignedInVisitor): Promise<undefined> {
      const { userId } = visitor.session;
      const change = async (tx: Sql): Promise<void> => {
        await tx.deleteFrom("two_factors").where("user_id", "=", userId).execute();
        await tx.updateTable("users").set({ two_factor_enabled: 0 }).where("id", "=", userId).execute();
      };
      await changeCredential(deps, visitor, { action: "two_factor.ended", change });
      return undefined;
    },
  };
}
export type TwoFactorService = ReturnType<typeof twoFactorService>;

const newBackupCodes = (): string[] => Array.from({ length: BACKUP_CODES }, newBackupCode);
const newBackupCode = (): string => `${randomBase62(HALF_CODE)}-${randomBase62(HALF_CODE)}`;

const wrongCode = (): ApiError =>
  validationFailed([bodyProblem("code", "invalid_format", "This is not the code that the app shows now.")]);
