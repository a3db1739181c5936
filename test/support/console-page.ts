import { readFileSync } from "node:fs";
import type { Browser, BrowserContextOptions, Page } from "playwright-core";
import { openWatchedPage, type WatchedPage } from "./browser.ts";
import type { ConsoleClient } from "./console-client.ts";
import { until } from "./until.ts";

/** The console in a browser, with the session that a client has opened. */
export async function openConsolePage(
  browser: Browser,
  client: ConsoleClient,
  path: string,
  options: BrowserContextOptions = {},
): Promise<WatchedPage> {
  const watched = await openWatchedPage(browser, options);
  const cookies = await client.jar.getCookies(client.url);
  await watched.page.context().addCookies(cookies.map(({ key, value }) => ({ name: key, value, url: client.url })));
  await watched.page.goto(`${client.url}/console${path}`);
  return watched;
}

const AXE = readFileSync(Bun.resolveSync("axe-core/axe.min.js", import.meta.dir), "utf8");

/** No placeholder is left on the page. */
export const untilLoaded = (page: Page) =>
  until("everything is loaded", async () => (await page.locator(".animate-pulse").count()) === 0);

/** Whether something fades or slides, apart from endless animations. */
const IS_MOVING = `document.getAnimations().some(({ playState, effect }) =>
  playState === "running" && effect.getComputedTiming().endTime !== Infinity)`;

/** The accessibility checker's findings on the page as it is now, one line each. */
export async function findAxeViolations(page: Page): Promise<string[]> {
  // A page that is still fading in has other colours.
  await until("nothing moves", async () => !(await page.evaluate<boolean>(IS_MOVING)));
  // Evaluated, since the page's policy would refuse a script element.
  await page.evaluate(AXE);
  return page.evaluate(`
    axe.run(document, { runOnly: ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"] })
      .then(({ violations }) => violations.flatMap(({ id, nodes }) =>
        nodes.map(({ html, failureSummary }) => id + ": " + html.slice(0, 200) + " " + failureSummary)))`);
}
