import { statSync } from "node:fs";
import { enginePlaces } from "#config/engine-places.ts";
import type { Config } from "#config/settings.ts";
import { keyFingerprintIn } from "#engines/open-engines.ts";
import { describeKeyProblem } from "#runtime/secret-key.ts";
import { type Check, ok, problem } from "./check.ts";

export const secretKey: Check = {
  name: "secret key",
  async run({ config, paths }) {
    const mismatch = describeKeyProblem(config, paths, await findFingerprint(config));
    if (mismatch !== null) return [problem(mismatch)];
    if (config.secretKey !== null) return [ok("set by KURZ_SECRET_KEY")];
    const stat = statSync(paths.secretKey, { throwIfNoEntry: false });
    if (!stat) return [ok("not generated yet; the first start does that")];
    const mode = stat.mode & 0o777;
    if (mode === 0o600) return [ok("only its owner can read the file")];
    return [problem(`the file has mode ${mode.toString(8).padStart(4, "0")}; run chmod 600 ${paths.secretKey}`)];
  },
};

/** `null` if the records can't be read, which the schema check reports. */
async function findFingerprint(config: Config): Promise<string | null> {
  try {
    return await (await keyFingerprintIn(enginePlaces(config).records)).find();
  } catch {
    return null;
  }
}
