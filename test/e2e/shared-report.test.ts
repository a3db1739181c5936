import { describe, expect, test } from "bun:test";
import type { BrowserContextOptions } from "playwright-core";
import { createLink } from "#contract/links.ts";
import { revokeShare, type Share, shareLink } from "#contract/shares.ts";
import { openWatchedPage } from "#test/support/browser.ts";
import { launchBrowserBeside } from "#test/support/browser-beside.ts";
import { WIDTHS } from "#test/support/console-layout.ts";
import { findAxeViolations } from "#test/support/console-page.ts";
import { startWithClicks } from "#test/support/report-clicks.ts";
import { ReportPage } from "#test/support/report-page.ts";
import { until } from "#test/support/until.ts";

const TIMEOUT_MS = 600_000;

const site = await startWithClicks();
const { owner, sale } = site;
const browser = await launchBrowserBeside(site);

const share = (body: object = {}, id = sale.id): Promise<Share> => owner.do(shareLink, { params: { id }, body });
const plain = await share();

/** Someone without an account opens the address. */
async function visit(url: string, options: BrowserContextOptions, act: (report: ReportPage) => Promise<void>) {
  const watched = await openWatchedPage(browser, { locale: "en-GB", timezoneId: "America/New_York", ...options });
  try {
    await watched.page.goto(url);
    await act(new ReportPage(watched));
    expect(watched.scriptErrors).toEqual([]);
    expect(watched.policyViolations).toEqual([]);
    expect(
      watched.requests.filter((request) => !/^(?:data|blob):/.test(request) && !request.startsWith(site.url)),
    ).toEqual([]);
    expect(await watched.page.context().cookies()).toEqual([]);
  } finally {
    await watched.close();
  }
}

const SCROLLS = "document.documentElement.scrollWidth - document.documentElement.clientWidth";

test(
  "a stranger sees the report in the owner's time zone, filters it and goes back",
  () =>
    visit(plain.url, {}, async (report) => {
      const { page } = report;
      await report.headed("Spring sale");
      expect(await page.title()).toBe("Spring sale · Kurz");
      expect(await report.total("Clicks")).toStartWith("Clicks 18");
      expect(await report.rows("Clicks by country")).toEqual(["Germany 67% 12", "France 33% 6"]);
      expect(await page.getByText("example.com/sale").count()).toBe(1);
      expect(await page.getByText(/· UTC$/).count()).toBe(1);
      await report.row("Clicks by country", "France").click();
      await until("it is filtered", async () => (await report.total("Clicks")).startsWith("Clicks 6"));
      expect(new URL(page.url()).search).toBe("?country=FR");
      await page.goBack();
      await until("it isn't", async () => (await report.total("Clicks")).startsWith("Clicks 18"));
      await page.getByRole("button", { name: /^Time range/ }).click();
      await page.getByRole("menuitemradio", { name: "All time" }).click({ scroll: "none" });
      await until("all clicks are there", async () => (await report.total("Clicks")).startsWith("Clicks 38"));
    }),
  TIMEOUT_MS,
);

test(
  "nothing of the console is there: no navigation, live clicks, downloads or time zones",
  () =>
    visit(plain.url, {}, async (report) => {
      const { page } = report;
      await report.settled();
      expect(await page.getByRole("navigation").count()).toBe(0);
      expect(await page.getByText("Live").count()).toBe(0);
      await page.getByRole("button", { name: "Options" }).click();
      await page.getByRole("button", { name: /PNG/ }).waitFor();
      expect(await page.getByRole("button", { name: /CSV/ }).count()).toBe(0);
      expect(await page.getByLabel("Time zone").count()).toBe(0);
      const own = report.watched.requests.map((url) => new URL(url).pathname);
      expect(own.filter((path) => !/^\/(?:share|console\/assets)\//.test(path))).toEqual([]);
    }),
  TIMEOUT_MS,
);

/** Rows that can't be pressed. */
async function listed({ page }: ReportPage): Promise<string[]> {
  const rows = await page.getByRole("list", { name: "Clicks by country" }).getByRole("listitem").allInnerTexts();
  return rows.map((row) => row.replace(/\s+/g, " ").trim());
}

test(
  "with a minimum of visitors, rare values are missing and nothing can be filtered",
  async () => {
    const { url } = await share({ min_visitors: 7, expires_at: "2099-01-01T00:00:00Z" });
    await visit(`${url}?country=FR`, {}, async (report) => {
      await report.settled();
      const list = report.page.getByRole("list", { name: "Clicks by country" });
      expect(await listed(report)).toEqual(["Germany 67% 12", "Others 33% 6"]);
      expect(await list.getByRole("button").count()).toBe(0);
      expect(await report.total("Clicks")).toStartWith("Clicks 18");
      await report.page.getByText(/Values with fewer than 7 visitors/).waitFor();
      // In the reader's own time: New York.
      await report.page.getByText(/Available until 31 Dec 2098,? (at )?19:00/).waitFor();
      expect(await findAxeViolations(report.page)).toEqual([]);
    });
    // No value has as many visitors.
    const hidden = await share({ min_visitors: 1000 });
    await visit(hidden.url, {}, async (report) => {
      await report.settled();
      expect(await listed(report)).toEqual(["Others 100% 18"]);
      expect(await report.page.getByText("Nothing in this period").count()).toBe(0);
      // There is nothing that a dialog could list.
      expect(await report.page.getByRole("button", { name: /^(Show all|Details)/ }).count()).toBe(0);
    });
  },
  TIMEOUT_MS,
);

test(
  "a password is asked for once per tab, in the reader's language",
  async () => {
    const { url } = await share({ password: "tulip" });
    await visit(url, { locale: "de-DE" }, async (report) => {
      const { page } = report;
      await page.getByRole("heading", { name: "Dieser Bericht ist geschützt" }).waitFor();
      expect(await findAxeViolations(page)).toEqual([]);
      await page.getByLabel("Passwort").fill("rose");
      await page.keyboard.press("Enter");
      await page.getByText("Das Passwort ist falsch.").waitFor();
      await page.getByLabel("Passwort").fill("tulip");
      await page.keyboard.press("Enter");
      await page.getByRole("heading", { level: 1, name: "Spring sale" }).waitFor();
      await page.reload();
      await page.getByRole("heading", { level: 1, name: "Spring sale" }).waitFor();
      expect(await page.locator("html").getAttribute("lang")).toBe("de");
    });
  },
  TIMEOUT_MS,
);

test(
  "a report that is revoked while it is open says so",
  async () => {
    const gone = await share();
    await visit(gone.url, {}, async (report) => {
      await report.settled();
      await owner.do(revokeShare, { params: { id: gone.id } });
      await report.page.getByRole("tab", { name: "Languages" }).click();
      await report.page.getByRole("heading", { name: "This report isn’t available" }).waitFor();
      expect(await findAxeViolations(report.page)).toEqual([]);
      await report.page.reload();
      await report.page.getByRole("heading", { name: "This report isn’t available" }).waitFor();
    });
  },
  TIMEOUT_MS,
);

describe("the accessibility checker finds nothing, and nothing scrolls sideways", () => {
  test.each([
    ["light", 1280],
    ["dark", 1280],
    ["light", 375],
    ["dark", 375],
  ] as const)(
    "%s, %i px",
    (colorScheme, width) =>
      visit(plain.url, { colorScheme, viewport: { width, height: 900 } }, async (report) => {
        await report.settled();
        expect(await findAxeViolations(report.page)).toEqual([]);
      }),
    TIMEOUT_MS,
  );

  test(
    "at every width, with a long title and destination",
    async () => {
      const { id } = await owner.do(createLink, {
        body: {
          slug: "a-very-long-slug-that-nobody-types-but-that-somebody-pasted-here",
          title: `${"A title that goes on and on ".repeat(5)}and${"on".repeat(40)}`,
          destination_url: `https://example.com/${"path/".repeat(60)}`,
        },
      });
      const { url } = await share({}, id);
      await visit(url, {}, async ({ page }) => {
        await page.getByText("No clicks").first().waitFor();
        for (const width of WIDTHS) {
          await page.setViewportSize({ width, height: 800 });
          expect([width, Math.max(0, await page.evaluate<number>(SCROLLS))]).toEqual([width, 0]);
        }
      });
      await visit(plain.url, {}, async (report) => {
        await report.settled();
        for (const width of WIDTHS) {
          await report.page.setViewportSize({ width, height: 800 });
          expect([width, Math.max(0, await report.page.evaluate<number>(SCROLLS))]).toEqual([width, 0]);
        }
      });
    },
    TIMEOUT_MS,
  );
});
