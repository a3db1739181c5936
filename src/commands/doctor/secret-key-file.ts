import { statSync } from "node:fs";
import { type Check, ok, problem } from "./check.ts";

export const secretKeyFile: Check = {
  name: "secret key",
  run({ config, paths }) {
    if (config.secretKey !== null) return [ok("set by KURZ_SECRET_KEY")];
    const stat = statSync(paths.secretKey, { throwIfNoEntry: false });
    if (!stat) return [ok("not generated yet; the first start does that")];
    const mode = stat.mode & 0o777;
    if (mode === 0o600) return [ok("only its owner can read the file")];
    return [problem(`the file has mode ${mode.toString(8).padStart(4, "0")}; run chmod 600 ${paths.secretKey}`)];
  },
};
