import { createHmac, randomBytes } from "node:crypto";
import { existsSync } from "node:fs";
import { type DataPaths, dataPaths } from "#config/data-paths.ts";
import { enginePlaces } from "#config/engine-places.ts";
import type { Config } from "#config/settings.ts";
import { keyFingerprintIn } from "#engines/open-engines.ts";
import { OperatorMistake } from "#kernel/operator-mistake.ts";
import { readKeptText } from "./kept-text.ts";

const KEY_BYTES = 32;
// Enough to notice a mistake; a longer one would only help someone who tries keys.
const FINGERPRINT_DIGITS = 16;

/** The configured key, or one made on the first start and kept in the data directory for good. */
export const readSecretKey = (configured: string | null, path: string): string =>
  configured ?? readKeptText(path, () => randomBytes(KEY_BYTES).toString("base64url"));

/**
 * Refuses a key other than that of the first start. With it, this node could read none of the stored secrets, and others
 * none of those that it stores. The records must have the newest schema.
 */
export async function assertSecretKey(config: Config): Promise<void> {
  const paths = dataPaths(config.dataDir);
  const fingerprint = await keyFingerprintIn(enginePlaces(config).records);
  const problem = describeKeyProblem(config, paths, await fingerprint.find());
  if (problem !== null) throw new OperatorMistake(problem);
  const key = readSecretKey(config.secretKey, paths.secretKey);
  const later = describeKeyProblem(config, paths, await fingerprint.agreeOn(fingerprintOf(key)));
  if (later !== null) throw new OperatorMistake(later);
}

/** Makes this node's key the deployment's, whatever it was before. Returns whether it was another one. */
export async function adoptSecretKey(config: Config): Promise<boolean> {
  const fingerprint = await keyFingerprintIn(enginePlaces(config).records);
  const own = fingerprintOf(readSecretKey(config.secretKey, dataPaths(config.dataDir).secretKey));
  if ((await fingerprint.agreeOn(own)) === own) return false;
  await fingerprint.replaceBy(own);
  return true;
}

/** In one line and with the remedy; `null` if the key fits the stored fingerprint, or there is none yet. */
export function describeKeyProblem(
  { secretKey }: Pick<Config, "secretKey">,
  paths: DataPaths,
  stored: string | null,
): string | null {
  if (stored === null) return null;
  const where = secretKey === null ? paths.secretKey : "KURZ_SECRET_KEY";
  const remedy =
    secretKey === null
      ? "restore it from a backup, or set KURZ_SECRET_KEY if that is where the key was"
      : "set the same one on every node";
  const isMissing = secretKey === null && !existsSync(paths.secretKey);
  if (!isMissing && fingerprintOf(readSecretKey(secretKey, paths.secretKey)) === stored) return null;
  const state = isMissing ? "is missing" : "isn't the key that the stored secrets were encrypted with";
  return `${where} ${state}; ${remedy} ("The secret key" in docs/operations.md says how to use another one)`;
}

const fingerprintOf = (key: string): string =>
  createHmac("sha256", key).update("kurz: fingerprint of the secret key").digest("hex").slice(0, FINGERPRINT_DIGITS);
