import type { Sql } from "#engines/records/schema.ts";
import type { SignInDeps } from "./sign-in-deps.ts";
import { findStep } from "./totp.ts";

/** Takes each code of an authenticator app once only, also when the same one arrives twice at the same moment. */
export async function takeStep(deps: SignInDeps, userId: string, code: string): Promise<boolean> {
  const step = await findStepOf(deps, userId, code);
  return step !== null && deps.records.write((tx) => markStep(tx, userId, step));
}

/** The step of a code for a person's secret, or `null` where the code is wrong. */
export async function findStepOf(
  { auth, records, clock }: SignInDeps,
  userId: string,
  code: string,
): Promise<number | null> {
  const row = await records.read
    .selectFrom("two_factors")
    .select("secret")
    .where("user_id", "=", userId)
    .executeTakeFirst();
  if (!row) return null;
  const [{ secretConfig }, { symmetricDecrypt }] = await Promise.all([
    auth().then(({ $context }) => $context),
    import("better-auth/crypto"),
  ]);
  return findStep(await symmetricDecrypt({ key: secretConfig, data: row.secret }), code, clock());
}

/** False when this step, or a later one, was used before. */
export async function markStep(tx: Sql, userId: string, step: number): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable("two_factors")
    .set({ last_step: step })
    .where("user_id", "=", userId)
    .where((eb) => eb.or([eb("last_step", "is", null), eb("last_step", "<", step)]))
    .executeTakeFirstOrThrow();
  return numUpdatedRows > 0n;
}
