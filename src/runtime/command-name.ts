import { resolve } from "node:path";

const INSTALLED_IN = "/usr/local/bin:/usr/bin";
const THROUGH_NPM = "npm run -s kurz --";
const DEFAULT_DATA_DIR = "data";

/**
 * How an operator runs commands on the data of this server: by name where the program is installed for everyone, which
 * knows its data, otherwise through npm.
 */
export function commandFor(dataDir: string, path = INSTALLED_IN): string {
  if (Bun.which("kurz", { PATH: path }) !== null) return "kurz";
  return resolve(dataDir) === resolve(DEFAULT_DATA_DIR)
    ? THROUGH_NPM
    : `KURZ_DATA_DIR=${Bun.$.escape(dataDir)} ${THROUGH_NPM}`;
}
