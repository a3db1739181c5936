import { type Check, ok, warning } from "./check.ts";

const OWN_MACHINE = /^(localhost|.*\.localhost|127\.\d+\.\d+\.\d+|\[::1\])$/;

export const baseUrl: Check = {
  name: "base URL",
  run({ config }) {
    const { protocol, hostname } = new URL(config.baseUrl);
    if (protocol === "https:" || OWN_MACHINE.test(hostname)) return [ok(config.baseUrl)];
    return [
      warning(
        `${config.baseUrl} is plain http, so tokens and passwords travel unencrypted; ` +
          "put a proxy with TLS in front and set KURZ_BASE_URL to its https address",
      ),
    ];
  },
};
