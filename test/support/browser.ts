import { type Browser, type BrowserContext, type BrowserContextOptions, chromium, type Page } from "playwright-core";

const EXECUTABLE = Bun.which("chromium") ?? "/usr/bin/chromium";
const FLAGS = [
  "--headless",
  "--no-sandbox",
  "--disable-gpu",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
  // A name for this machine that a browser does not trust as it does localhost.
  "--host-resolver-rules=MAP elsewhere.test 127.0.0.1",
];

export const launchBrowser = (): Promise<Browser> => chromium.launch({ executablePath: EXECUTABLE, args: FLAGS });

/** What a page did, beside showing itself. */
export interface WatchedPage {
  readonly page: Page;
  /** Everything that it asked for, the page itself first. */
  readonly requests: string[];
  readonly consoleErrors: string[];
  readonly scriptErrors: string[];
  /** Each as directive and what was refused. */
  readonly policyViolations: string[];
  close(): Promise<void>;
}

export async function openWatchedPage(browser: Browser, options: BrowserContextOptions = {}): Promise<WatchedPage> {
  const context: BrowserContext = await browser.newContext(options);
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
  await page.exposeFunction("tellViolation", (text: string) => watched.policyViolations.push(text));
  // Text, since this runs in the page, which has other globals than this program.
  await page.addInitScript(
    `document.addEventListener("securitypolicyviolation", (event) =>
      tellViolation(event.effectiveDirective + " " + event.blockedURI));`,
  );
  return watched;
}
