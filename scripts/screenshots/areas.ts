import { join } from "node:path";
import type { Browser, BrowserContextOptions, Page } from "playwright-core";
import { untilLoaded } from "#test/support/console-page.ts";
import { startDemo } from "#test/support/demo.ts";

interface Stage {
  readonly browser: Browser;
  readonly directory: string;
  /** Names of areas; none for all of them. */
  readonly only: readonly string[];
}

interface Area {
  readonly name: string;
  /** Below the account's address; that of a shared report is below the server's. */
  readonly path: string;
  readonly prepare: (page: Page) => Promise<void>;
}

// Twice as fine as a screen, so that they stay sharp on a landing page.
const desktop = { viewport: { width: 1360, height: 900 }, deviceScaleFactor: 2 };
/** Phones show no scroll bars. */
const phone = { viewport: { width: 390, height: 844 }, deviceScaleFactor: 2, isMobile: true };

const listed = (page: Page): Promise<void> =>
  page
    .getByRole("button", { name: /^Actions for / })
    .first()
    .waitFor();

const areas: readonly Area[] = [
  { name: "links", path: "/links", prepare: listed },
  {
    name: "reports",
    path: "/reports",
    prepare: (page) => page.getByRole("main").getByRole("list").getByRole("button").first().waitFor(),
  },
  {
    name: "qr",
    path: "/links",
    prepare: async (page) => {
      await listed(page);
      await page
        .getByRole("button", { name: /^Actions for / })
        .nth(1)
        .click();
      await page.getByRole("menuitem", { name: "QR code" }).click();
      await page.getByRole("dialog").getByRole("img").first().waitFor();
    },
  },
  {
    name: "history",
    path: "/links?q=tomatoes-guide",
    prepare: async (page) => {
      await page.getByRole("button", { name: /^Actions for .*tomatoes-guide/ }).click();
      await page.getByRole("menuitem", { name: "History" }).click();
      await page.getByRole("dialog").getByText("Version 1").waitFor();
    },
  },
  {
    name: "developer",
    path: "/developer/webhooks",
    prepare: (page) => page.getByRole("main").locator("a[href*='/webhooks/']").first().click(),
  },
  {
    name: "shared-report",
    path: "/share/demo0meadow0report000001",
    prepare: (page) => page.getByRole("list", { name: "Clicks by country" }).waitFor(),
  },
];

/** The console as the demo shows it: every area, in both themes; what people use on the go on a phone, too. */
export async function takeAreas({ browser, directory, only }: Stage): Promise<void> {
  const demo = await startDemo({ KURZ_SHORT_DOMAIN: "go.example.com", KURZ_DEMO_VISITS_PER_HOUR: "600" });
  const isWanted = ({ name }: Area): boolean => only.length === 0 || only.includes(name);
  try {
    for (const theme of ["light", "dark"] as const) {
      for (const area of areas.filter(isWanted))
        await take(`${area.name}-desktop-${theme}`, area, { ...desktop, colorScheme: theme });
      for (const area of areas.slice(0, 2).filter(isWanted)) {
        await take(`${area.name}-phone-${theme}`, area, { ...phone, colorScheme: theme });
      }
    }
  } finally {
    await demo.stop();
  }

  async function take(name: string, { path, prepare }: Area, options: BrowserContextOptions): Promise<void> {
    const context = await browser.newContext({ ...options, locale: "en-US", timezoneId: zoneInTheAfternoon() });
    // As for someone who has been here before.
    await context.addInitScript("localStorage.setItem('kurz.tour', 'done')");
    const page = await context.newPage();
    await page.goto(`${demo.url}/console`);
    await page.getByRole("button", { name: "Enter the demo" }).click();
    await page.waitForURL(/\/console\/a\/acc_/);
    await page.goto(path.startsWith("/share/") ? demo.url + path : page.url().replace(/\/links.*$/, path));
    await prepare(page);
    await untilLoaded(page);
    await page.mouse.move(0, 0);
    await page.evaluate("document.activeElement?.blur()");
    await page.screenshot({ path: join(directory, `${name}.png`), animations: "disabled" });
    await context.close();
    process.stderr.write(`${name}\n`);
  }
}

/** Where today has come so far that its clicks can be seen. */
function zoneInTheAfternoon(): string {
  const hourIn = (timeZone: string): number =>
    Number(new Intl.DateTimeFormat("en", { timeZone, hour: "numeric", hourCycle: "h23" }).format());
  const zones = ["Europe/Berlin", "America/New_York", "Asia/Kolkata", "Australia/Sydney", "Pacific/Honolulu"];
  const [nearest = "UTC"] = zones.toSorted((a, b) => Math.abs(hourIn(a) - 18) - Math.abs(hourIn(b) - 18));
  return nearest;
}
