import { isExposedPlainHttp } from "#config/plain-http.ts";
import { type Check, ok, warning } from "./check.ts";

export const baseUrl: Check = {
  name: "base URL",
  run({ config }) {
    if (!isExposedPlainHttp(config.baseUrl)) return [ok(config.baseUrl)];
    return [
      warning(
        `${config.baseUrl} is plain http, so tokens and passwords travel unencrypted; ` +
          "put a proxy with TLS in front and set KURZ_BASE_URL to its https address",
      ),
    ];
  },
};
