import { expect } from "bun:test";
import { readFileSync } from "node:fs";
import type { Browser, BrowserContextOptions, Locator, Page } from "playwright-core";
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

/**
 * What stays in sight covers a part of what is scrolled under it, now of one control and now of another. That is no finding,
 * since people scroll; so the checker sees such bars where they are in the page.
 */
const UNSTUCK = ".sticky { position: static !important }";

/** The accessibility checker's findings on the page as it is now, one line each. */
export async function findAxeViolations(page: Page): Promise<string[]> {
  // A page that is still fading in has other colours.
  await until("nothing moves", async () => !(await page.evaluate<boolean>(IS_MOVING)));
  // Evaluated, since the page's policy would refuse a script element, and once: half a megabyte takes its time.
  if (await page.evaluate<boolean>("window.axe === undefined")) await page.evaluate(AXE);
  return page.evaluate(`(() => {
    const before = document.adoptedStyleSheets;
    const unstuck = new CSSStyleSheet();
    unstuck.replaceSync(${JSON.stringify(UNSTUCK)});
    document.adoptedStyleSheets = [...before, unstuck];
    return axe.run(document, {
      runOnly: ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"],
      // What passes isn't described in full, which takes as long as finding it, and no element gets a selector.
      resultTypes: ["violations"],
      selectors: false,
    })
      .then(({ violations }) => violations.flatMap(({ id, nodes }) =>
        nodes.map(({ html, failureSummary }) => id + ": " + html.slice(0, 200) + " " + failureSummary)))
      .finally(() => { document.adoptedStyleSheets = before; });
  })()`);
}

const THEMES = ["light", "dark"] as const;

/** The findings in both themes, one line each. */
export async function findInBothThemes(page: Page): Promise<string[]> {
  const found: string[] = [];
  for (const colorScheme of THEMES) {
    await page.emulateMedia({ colorScheme });
    found.push(...(await findAxeViolations(page)).map((finding) => `${colorScheme}: ${finding}`));
  }
  return found;
}

const WIDTHS = [375, 768, 1280];

/** In both themes and on every screen the accessibility checker finds nothing, and nothing is wider than its place. */
export async function expectAccessible(page: Page, place: Locator = page.locator("html")): Promise<void> {
  for (const colorScheme of THEMES) {
    await page.emulateMedia({ colorScheme });
    for (const width of WIDTHS) {
      await page.setViewportSize({ width, height: 900 });
      const found = await findAxeViolations(page);
      // A page keeps room for a scroll bar, so it may also be narrower.
      const excess = await place.evaluate((element) => Math.max(element.scrollWidth - element.clientWidth, 0));
      expect({ colorScheme, width, found, excess }).toEqual({ colorScheme, width, found: [], excess: 0 });
    }
  }
}
