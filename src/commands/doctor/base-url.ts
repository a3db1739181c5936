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
          `${config.baseUrl} only works on this machine, but KURZ_HOST accepts connections from others, who can't sign in; ` +
            `set KURZ_BASE_URL to the address in their browser, such as ${address}`,
        ),
      ];
    }
    if (!isExposedPlainHttp(config.baseUrl)) return [ok(config.baseUrl)];
    return [
      warning(
        `${config.baseUrl} is plain http, so tokens and passwords are sent unencrypted; ` +
          "put a proxy with TLS in front and set KURZ_BASE_URL to its https address",
      ),
    ];
  },
};
