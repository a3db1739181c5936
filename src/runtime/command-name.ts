import { realpathSync } from "node:fs";
import { basename, dirname, resolve } from "node:path";
import { isOneFile } from "#kernel/shipped-files.ts";

const INSTALLED_IN = "/usr/local/bin:/usr/bin";
const THROUGH_NPM = "npm run -s kurz --";
const DEFAULT_DATA_DIR = "data";

interface Program {
  /** Where a `kurz` for everyone may be. */
  readonly path?: string;
  /** The one-file program that runs; `null` in a clone. */
  readonly oneFile?: string | null;
}

/**
 * How an operator runs commands on the data of this server: by name where a script for everyone is installed, which
 * knows its data, otherwise by the path of the program or through npm.
 */
export function commandFor(
  dataDir: string,
  { path = INSTALLED_IN, oneFile = isOneFile ? process.execPath : null }: Program = {},
): string {
  const installed = Bun.which("kurz", { PATH: path });
  const isProgramItself = installed !== null && oneFile !== null && realpathSync(installed) === oneFile;
  if (installed !== null && !isProgramItself) return "kurz";
  const program = isProgramItself ? "kurz" : pathOf(oneFile);
  return resolve(dataDir) === resolve(DEFAULT_DATA_DIR) ? program : `KURZ_DATA_DIR=${Bun.$.escape(dataDir)} ${program}`;
}

/** Quotes what a shell would not take as it is. */
const escapeWord = (word: string): string => (/^[\w./-]+$/.test(word) ? word : Bun.$.escape(word));

function pathOf(oneFile: string | null): string {
  if (oneFile === null) return THROUGH_NPM;
  return escapeWord(dirname(oneFile) === process.cwd() ? `./${basename(oneFile)}` : oneFile);
}
