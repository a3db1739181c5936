import { findTwoFactor, markStepUsed } from "./credentials.store.ts";
import type { SignInDeps } from "./sign-in-deps.ts";
import { findStep } from "./totp.ts";

/** Accepts each code of an authenticator app once, even if two requests send it at the same moment. */
export async function takeStep(deps: SignInDeps, userId: string, code: string): Promise<boolean> {
  const step = await findStepOf(deps, userId, code);
  return step !== null && deps.records.write((tx) => markStepUsed(tx, userId, step));
}

/** The time step of a user's code, or `null` if the code is wrong. */
export async function findStepOf(
  { auth, records, clock }: SignInDeps,
  userId: string,
  code: string,
): Promise<number | null> {
  const row = await findTwoFactor(records.read, userId);
  if (!row) return null;
  const [{ secretConfig }, { symmetricDecrypt }] = await Promise.all([
    auth().then(({ $context }) => $context),
    import("better-auth/crypto"),
  ]);
  return findStep(await symmetricDecrypt({ key: secretConfig, data: row.secret }), code, clock());
}
