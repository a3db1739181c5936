import { randomBytes } from "node:crypto";
import type { Sql } from "#engines/records/schema.ts";
import { ApiError, bodyProblem, notFound, validationFailed } from "#kernel/api-error.ts";
import { randomBase62 } from "#kernel/base62.ts";
import { newId } from "#kernel/ids.ts";
import { changeCredential } from "./change-credential.ts";
import {
  deleteTwoFactor,
  enableTwoFactor,
  findTwoFactor,
  markStepUsed,
  replaceTwoFactor,
  updateBackupCodes,
} from "./credentials.store.ts";
import type { SignedInRequester } from "./requester.ts";
import type { SignInDeps } from "./sign-in-deps.ts";
import { toBase32, totpUri } from "./totp.ts";
import { findStepOf } from "./two-factor-step.ts";

const BACKUP_CODES = 10;
const HALF_CODE = 5;
const SECRET_BYTES = 24;

/** Authenticator app codes as the second factor. Rows are written the way the sign-in library reads them. */
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
    /** Sign-in asks for a code only after a first one has shown that the app works. */
    async start({ session }: SignedInRequester) {
      const { userId, email } = session;
      const secret = randomBytes(SECRET_BYTES).toString("base64url");
      const codes = newBackupCodes();
      const [encryptedSecret, encryptedCodes] = await Promise.all([encrypt(secret), encrypt(JSON.stringify(codes))]);
      await records.write(async (tx) => {
        if ((await findTwoFactor(tx, userId))?.verified === 1) {
          throw new ApiError("already_exists", "You already use an authenticator app.", { field: "two_factor" });
        }
        await replaceTwoFactor(tx, {
          id: newId("tfa"),
          user_id: userId,
          secret: encryptedSecret,
          backup_codes: encryptedCodes,
          verified: 0,
          last_step: null,
        });
      });
      return { uri: totpUri(secret, email), secret: toBase32(secret), backup_codes: codes };
    },

    async confirm(requester: SignedInRequester, code: string): Promise<undefined> {
      const { userId } = requester.session;
      const step = await findStepOf(deps, userId, code);
      if (step === null) throw wrongCode();
      const change = async (tx: Sql): Promise<void> => {
        if (!(await markStepUsed(tx, userId, step))) throw wrongCode();
        await enableTwoFactor(tx, userId);
      };
      await changeCredential(deps, requester, { action: "two_factor.started", change });
      return undefined;
    },

    /** For someone who has few left, or whose codes may have been seen. */
    async renewCodes(requester: SignedInRequester): Promise<{ backup_codes: string[] }> {
      const codes = newBackupCodes();
      const encrypted = await encrypt(JSON.stringify(codes));
      const change = async (tx: Sql): Promise<void> => {
        if (!(await updateBackupCodes(tx, requester.session.userId, encrypted))) throw notFound();
      };
      await changeCredential(deps, requester, { action: "two_factor.codes_renewed", change });
      return { backup_codes: codes };
    },

    async end(requester: SignedInRequester): Promise<undefined> {
      const { userId } = requester.session;
      const change = async (tx: Sql): Promise<void> => {
        await deleteTwoFactor(tx, userId);
      };
      await changeCredential(deps, requester, { action: "two_factor.ended", change });
      return undefined;
    },
  };
}
export type TwoFactorService = ReturnType<typeof twoFactorService>;

const newBackupCodes = (): string[] => Array.from({ length: BACKUP_CODES }, newBackupCode);
const newBackupCode = (): string => `${randomBase62(HALF_CODE)}-${randomBase62(HALF_CODE)}`;

const wrongCode = (): ApiError =>
  validationFailed([bodyProblem("code", "invalid_format", "This isn't the code the app shows right now.")]);
