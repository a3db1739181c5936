import { isExposedPlainHttp } from "#config/plain-http.ts";
import { findUnexpectedAddress } from "#config/reachable-address.ts";
import { type Check, ok, warning } from "./check.ts";

export const baseUrl: Check = {
  name: "base URL",
  run({ config }) {
    const address = findUnexpectedAddress(config);
    if (address !== null) {
      return [
        warning(
          `${config.baseUrl} is only for this machine, but KURZ_HOST lets others in, who cannot sign in; ` +
            `set KURZ_BASE_URL to the address in the browser, such as ${address}`,
        ),
      ];
    }
    if (!isExposedPlainHttp(config.baseUrl)) return [ok(config.baseUrl)];
    return [
      warning(
        `${config.baseUrl} is plain http, so tokens and passwords travel unencrypted; ` +
          "put a proxy with TLS in front and set KURZ_BASE_URL to its https address",
      ),
    ];
  },
};
