import { afterAll } from "bun:test";
import type { Browser } from "playwright-core";
import { launchBrowser } from "./browser.ts";

const END_MS_MAX = 20_000;

/** A browser for all tests of a file. It ends with them, and so does what it looks at, also where it does not start. */
export async function launchBrowserBeside(site: { stop(): Promise<unknown> }, endMsMax = END_MS_MAX): Promise<Browser> {
  const browser = await launchBrowser().catch(async (error) => {
    await site.stop();
    throw error;
  });
  afterAll(async () => {
    await browser.close();
    await site.stop();
  }, endMsMax);
  return browser;
}
