import type { Locator, Page } from "playwright-core";

/**
 * Clicks a button that copies, and returns what it copied once the page says so by an element with this label. The page
 * watches for it itself: it is shown only briefly, and a slow machine could look too late.
 */
export async function copiedBy(page: Page, button: Locator, label: { readonly startsWith: string }): Promise<string> {
  const selector = `[aria-label^=${JSON.stringify(label.startsWith)}]`;
  await page.evaluate(`
    window.copied = new Promise((resolve) => {
      const look = () => document.querySelector(${JSON.stringify(selector)}) && resolve();
      new MutationObserver(look).observe(document.body, { subtree: true, childList: true, attributes: true });
    });
    undefined`);
  await button.click();
  await page.evaluate("window.copied");
  return page.evaluate<string>("navigator.clipboard.readText()");
}
