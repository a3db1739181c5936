import { statSync } from "node:fs";
import { type Check, ok, problem } from "./check.ts";

export const secretKeyFile: Check = {
  name: "secret key",
  run({ config, paths }) {
    if (config.secretKey !== null) return [ok("set by KURZ_SECRET_KEY")];
    const stat = statSync(paths.secretKey, { throwIfNoEntry: false });
    if (!stat) return [ok("not made yet; the first start makes it")];
    const mode = stat.mode & 0o777;
    if (mode === 0o600) return [ok("its file is the owner's alone")];
    return [problem(`its file has mode ${mode.toString(8).padStart(4, "0")}; run chmod 600 ${paths.secretKey}`)];
  },
};
