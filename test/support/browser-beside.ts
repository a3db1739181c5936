import { afterAll } from "bun:test";
import type { Browser } from "playwright-core";
import { launchBrowser } from "./browser.ts";

/** A browser for all tests of a file. It and the site stop after them; if it doesn't start, the site stops at once. */
export async function launchBrowserBeside(site: { stop(): Promise<unknown> }): Promise<Browser> {
  const browser = await launchBrowser().catch(async (error) => {
    await site.stop();
    throw error;
  });
  afterAll(async () => {
    await browser.close();
    await site.stop();
  });
  return browser;
}
