import type { Browser, Page, Request } from "playwright-core";
import type { ConsoleClient } from "#test/support/console-client.ts";

/** Bytes transferred, compressed and with headers. */
export interface Loaded {
  readonly script: number;
  readonly style: number;
  /** Everything else: API calls and the page itself. */
  readonly data: number;
}

export interface Work {
  /** The longest task of the page in milliseconds; those below 50 don't count. */
  readonly longest: number;
  /** CPU of all tasks, in milliseconds. */
  readonly cpu: number;
}

/** A console page in a browser with an empty cache. */
export interface ConsoleVisit {
  readonly page: Page;
  loaded(): Promise<Loaded>;
  /** What kept the page busy since the last call. */
  takeWork(): Promise<Work>;
  close(): Promise<void>;
}

// Runs in the page, which has other globals. Times are since the start of the navigation.
const PROBE = `
  const probe = (globalThis.probe = { longestTask: 0, keyAt: 0 });
  new PerformanceObserver((list) => {
    for (const { duration } of list.getEntries()) probe.longestTask = Math.max(probe.longestTask, duration);
  }).observe({ type: "longtask", buffered: true });
  probe.takeLongest = () => {
    const longest = probe.longestTask;
    probe.longestTask = 0;
    return longest;
  };
  addEventListener("keydown", ({ timeStamp }) => { probe.keyAt = timeStamp; }, true);

  /**
   * Returns when the first frame that matches was on screen. It looks whenever the page changes: to look in every frame
   * would make frames that the page doesn't need, and count them as its work.
   */
  probe.when = (holds) => new Promise((resolve) => {
    const look = () => {
      if (!holds()) return;
      changes.disconnect();
      removeEventListener("input", look);
      requestAnimationFrame(() => setTimeout(() => resolve(performance.now())));
    };
    const changes = new MutationObserver(look);
    changes.observe(document, { subtree: true, childList: true, attributes: true, characterData: true });
    addEventListener("input", look);
    look();
  });
`;

export async function visitConsole(
  browser: Browser,
  client: ConsoleClient,
  { path, watch }: { readonly path: string; readonly watch: string },
): Promise<ConsoleVisit> {
  const context = await browser.newContext({ timezoneId: "UTC", locale: "en-US" });
  const cookies = await client.jar.getCookies(client.url);
  await context.addCookies(cookies.map(({ key, value }) => ({ name: key, value, url: client.url })));
  const page = await context.newPage();
  const finished: Request[] = [];
  page.on("requestfinished", (request) => finished.push(request));
  const devTools = await context.newCDPSession(page);
  await devTools.send("Performance.enable", { timeDomain: "threadTicks" });
  const readCpu = async (): Promise<number> => {
    const { metrics } = await devTools.send("Performance.getMetrics");
    const secondsOf = (name: string): number => metrics.find((metric) => metric.name === name)?.value ?? Number.NaN;
    // Work caused by this program isn't the page's own.
    return (secondsOf("TaskDuration") - secondsOf("DevToolsCommandDuration")) * 1000;
  };
  let cpuMs = 0;
  await page.addInitScript(PROBE + watch);
  await page.goto(`${client.url}/console/a/${client.account}/${path}`);
  return {
    page,
    async loaded() {
      const loaded = { script: 0, style: 0, data: 0 };
      for (const request of finished) {
        const { responseBodySize, responseHeadersSize } = await request.sizes();
        loaded[kindOf(request)] += responseBodySize + responseHeadersSize;
      }
      return loaded;
    },
    async takeWork() {
      const longest = await page.evaluate<number>("probe.takeLongest()");
      const before = cpuMs;
      cpuMs = await readCpu();
      return { longest, cpu: cpuMs - before };
    },
    close: () => context.close(),
  };
}

function kindOf(request: Request): keyof Loaded {
  const type = request.resourceType();
  return type === "script" ? "script" : type === "stylesheet" ? "style" : "data";
}
