import { type Check, warning } from "./check.ts";
import { findMetricsText } from "./metrics-text.ts";

/** Redirect processes count requests with headers that only a proxy adds, while no proxy is trusted. */
export const unknownProxy: Check = {
  name: "proxy",
  async run({ paths }) {
    const text = await findMetricsText(paths);
    const [, requests] = /^kurz_unknown_proxy_requests_total ([1-9]\d*)$/m.exec(text ?? "") ?? [];
    if (requests === undefined) return [];
    return [
      warning(
        `${requests} requests came through a proxy, but KURZ_TRUST_PROXY is 0: all clients share its address and its ` +
          "limits; set KURZ_TRUST_PROXY to the number of proxies in front",
      ),
    ];
  },
};
