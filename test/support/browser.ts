import { existsSync } from "node:fs";
import { type Browser, type BrowserContext, type BrowserContextOptions, chromium, type Page } from "playwright-core";
import { HEADLESS_SHELL } from "./headless-shell.ts";
import { SLOW_PAGES, slowDown } from "./slow-pages.ts";

/** As much as `until` has. */
const WAIT_MS_MAX = 60_000;
const WHOLE = Bun.which("chromium") ?? "/usr/bin/chromium";
const FLAGS = [
  "--headless",
  "--no-sandbox",
  "--disable-gpu",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
  // A name for this machine that a browser doesn't trust like localhost.
  "--host-resolver-rules=MAP elsewhere.test 127.0.0.1",
];

export const launchBrowser = (): Promise<Browser> => launch(existsSync(HEADLESS_SHELL) ? HEADLESS_SHELL : WHOLE);

/** The browser as people have it. */
export const launchWholeBrowser = (): Promise<Browser> => launch(WHOLE);

const launch = (executablePath: string): Promise<Browser> => chromium.launch({ executablePath, args: FLAGS });

/** A page, and everything it did. */
export interface WatchedPage {
  readonly page: Page;
  /** Every request, the page itself first. */
  readonly requests: string[];
  readonly consoleErrors: string[];
  readonly scriptErrors: string[];
  /** Each as the directive and the refused address. */
  readonly policyViolations: string[];
  close(): Promise<void>;
}

export async function openWatchedPage(browser: Browser, options: BrowserContextOptions = {}): Promise<WatchedPage> {
  // Playwright scrolls what it can't press because it is still moving, and what it pressed then isn't there any more.
  const context: BrowserContext = await browser.newContext({ reducedMotion: "reduce", ...options });
  context.setDefaultTimeout(WAIT_MS_MAX);
  if (SLOW_PAGES) slowDown(context);
  const page = await context.newPage();
  const watched = {
    page,
    requests: [] as string[],
    consoleErrors: [] as string[],
    scriptErrors: [] as string[],
    policyViolations: [] as string[],
    close: () => context.close(),
  };
  page.on("request", (request) => watched.requests.push(request.url()));
  page.on("pageerror", (error) => watched.scriptErrors.push(error.message));
  page.on("console", (message) => {
    if (message.type() === "error" || message.type() === "warning") watched.consoleErrors.push(message.text());
  });
  await page.exposeFunction("reportViolation", (text: string) => watched.policyViolations.push(text));
  // A string, since it runs in the page, which has other globals.
  await page.addInitScript(
    `document.addEventListener("securitypolicyviolation", (event) =>
      reportViolation(event.effectiveDirective + " " + event.blockedURI));`,
  );
  return watched;
}
