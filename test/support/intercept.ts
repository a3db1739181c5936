import type { Page, Route } from "playwright-core";
import { until } from "./until.ts";

const PROBE = "/is-intercepted";

/**
 * Answers requests of a page that is open in place of the server. Its browser may need a moment to send them that way:
 * until then, they would still reach the server.
 */
export async function intercept(
  page: Page,
  address: string | RegExp | ((url: URL) => boolean),
  handle: (route: Route) => unknown,
): Promise<void> {
  await page.route(address, handle);
  const probe = `**${PROBE}`;
  await page.route(probe, (route) => route.fulfill({ status: 204 }));
  const ask = `fetch("${PROBE}").then(({ status }) => status === 204)`;
  await until("the page's requests are intercepted", () => page.evaluate<boolean>(ask));
  await page.unroute(probe);
}
