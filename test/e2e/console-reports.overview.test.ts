import { expect, test } from "bun:test";
import { getAccountAnalytics } from "#contract/analytics.ts";
import { createLink } from "#contract/links.ts";
import { launchBrowserBeside } from "#test/support/browser-beside.ts";
import { startConsole } from "#test/support/console-client.ts";
import { WIDTHS } from "#test/support/console-layout.ts";
import { findInBothThemes } from "#test/support/console-page.ts";
import { eventually } from "#test/support/eventually.ts";
import { findNoonZone } from "#test/support/noon-zone.ts";
import { leavePastClicks } from "#test/support/past-clicks.ts";
import { onReport, type ReportPage } from "#test/support/report-page.ts";
import { until } from "#test/support/until.ts";

const TIMEOUT_MS = 600_000;
const HOUR_MS = 3_600_000;

const site = await startConsole();
const { owner, server } = site;
const browser = await launchBrowserBeside(site);
const timezoneId = findNoonZone();

const link = await owner.do(createLink, { body: { destination_url: "https://example.com/", slug: "noon" } });
const hoursAgo = (hours: number): Date => new Date(Date.now() - hours * HOUR_MS);
await leavePastClicks(server, [
  { link: link.id, at: hoursAgo(2), times: 5 },
  { link: link.id, at: hoursAgo(2), times: 2, source: "qr" },
  { link: link.id, at: hoursAgo(3), times: 4, bot: true },
  { link: link.id, at: hoursAgo(24 + 2), times: 3 },
  // Yesterday evening, which today has yet to see.
  { link: link.id, at: hoursAgo(24 - 4), times: 10 },
  // In the window of seven times 24 hours, but not on one of the last seven days.
  { link: link.id, at: hoursAgo(7 * 24 - 2), times: 40 },
  { link: link.id, at: hoursAgo(8 * 24), times: 60 },
]);
await until("the clicks are in reports", async () => {
  const { totals } = await owner.do(getAccountAnalytics, { query: { interval: "30d", include_bots: "true" } });
  return totals.clicks === 124;
});

function overviewTest(guarantee: string, search: string, act: (report: ReportPage) => Promise<void>): void {
  test(guarantee, () => onReport(browser, owner, { search, timezoneId }, act), TIMEOUT_MS);
}

/** What the line goes through. */
const lineOf = ({ page }: ReportPage, name: string): Promise<string> =>
  page
    .locator(`[data-line=${name}]`)
    .getAttribute("d")
    .then((path) => path ?? "");
const spotsOf = async (report: ReportPage, name: string): Promise<number> =>
  [...(await lineOf(report, name)).matchAll(/[ML]/g)].length;

overviewTest("a range is whole days, the last of which is marked as in progress", "?interval=7d", async (report) => {
  const slider = report.page.getByRole("slider", { name: "Clicks by day" });
  expect(await slider.getAttribute("aria-valuemax")).toBe("6");
  expect(await report.total("Clicks")).toStartWith("Clicks 20");
  expect(await slider.getAttribute("aria-valuetext")).toContain("7 clicks so far");
  // Six days that are over, and a dashed way to an open dot.
  expect(await spotsOf(report, "now")).toBe(6);
  expect(await spotsOf(report, "open")).toBe(2);
  expect(await report.page.locator("[data-open-dot]").count()).toBe(1);
  await report.page.getByRole("button", { name: "Show as table" }).click();
  const days = report.page.getByRole("table").locator("tbody tr");
  await eventually(async () => expect(await days.count()).toBe(7));
});

overviewTest("hours that haven't begun aren't drawn as zeros", "?interval=today", async (report) => {
  const slider = report.page.getByRole("slider", { name: "Clicks by hour" });
  // It is past noon, and not yet one.
  expect(Number(await slider.getAttribute("aria-valuemax"))).toBeWithin(12, 15);
  expect(await spotsOf(report, "now")).toBeWithin(12, 15);
  await report.page.getByRole("button", { name: "Time range: Today" }).waitFor();
});

overviewTest("today is compared with the same part of yesterday", "?interval=today", async (report) => {
  expect(await report.total("Clicks")).toBe("Clicks 7 up by 4");
  const header = await report.page.locator("main section").first().innerText();
  expect(header).toMatch(/until 1[23]:\d\d/);
});

overviewTest(
  "the period before is a line of its own, with both figures at the pointer",
  "?interval=7d",
  async (report) => {
    const { page } = report;
    expect(await spotsOf(report, "before")).toBe(7);
    const slider = page.getByRole("slider");
    await slider.hover({ position: { x: 2, y: 20 } });
    const tooltip = page.locator("[data-tooltip]");
    await eventually(async () => expect(await tooltip.innerText()).toMatch(/^0 clicks\s+.+\s+\d+ clicks\s+/));
    await slider.focus();
    await page.keyboard.press("ArrowLeft");
    await page.keyboard.press("End");
    const words = /: 7 clicks so far\. .+, until 1[23]:\d\d: \d+ clicks$/;
    await eventually(async () => expect(await slider.getAttribute("aria-valuetext")).toMatch(words));
    // The 40 clicks are of the same day, but later.
    expect(await report.total("Clicks")).toBe("Clicks 20 down by 67%");
  },
);

overviewTest("all time has nothing to compare with", "?interval=all", async (report) => {
  expect(await report.total("Clicks")).toBe("Clicks 120");
  expect(await lineOf(report, "before")).toBe("");
});

// With clicks, but without scans and bots.
const quietHours = `?from=${hoursAgo(28).toISOString()}&to=${hoursAgo(16).toISOString()}`;

overviewTest("figures are in one line, with or without a comparison", quietHours, async (report) => {
  expect(await report.total("Clicks")).toStartWith("Clicks 13 up");
  expect(await report.total("QR scans")).toBe("QR scans 0");
  const topOf = (label: string) =>
    report.page
      .getByRole("button", { name: label })
      .getByText(/^\d+$/)
      .evaluate((figure) => figure.getBoundingClientRect().top);
  expect(await topOf("QR scans")).toBe(await topOf("Unique visitors"));
});

overviewTest("each of the four figures shows its course in the chart", "?interval=7d", async (report) => {
  const { page } = report;
  const figures = [
    ["Unique visitors", "7 visitors so far", "?interval=7d&metric=unique_visitors"],
    ["QR scans", "2 scans so far", "?interval=7d&metric=qr_scans"],
    ["Bots", "4 bots so far", "?interval=7d&metric=bot_hits"],
    ["Clicks", "7 clicks so far", "?interval=7d"],
  ] as const;
  for (const [label, words, query] of figures) {
    const figure = page.getByRole("button", { name: new RegExp(`^${label} \\d`) });
    await figure.focus();
    await page.keyboard.press("Enter");
    const slider = page.getByRole("slider", { name: `${label} by day` });
    await slider.waitFor();
    await eventually(async () => {
      expect(await slider.getAttribute("aria-valuetext")).toContain(words);
      expect(await figure.getAttribute("aria-pressed")).toBe("true");
      expect(report.query).toBe(query);
    });
  }
});

test(
  "a comparison that can't be loaded says so, and can be retried",
  () =>
    onReport(browser, owner, { search: "?interval=90d", timezoneId }, async (report) => {
      const { page } = report;
      const refuse = { status: 500, json: { error: { code: "internal_error", message: "No.", request_id: "r" } } };
      // The period before is the one that ends during a day.
      const earlier = /\/analytics\?.*to=\d{4}-\d\d-\d\dT/;
      await page.route(earlier, (route) => route.fulfill(refuse));
      await page.reload();
      await page.getByText("The period before couldn’t be loaded").waitFor();
      expect(await report.total("Clicks")).toBe("Clicks 120");
      await page.unroute(earlier);
      await page.getByRole("button", { name: "Try again" }).click();
      await eventually(async () => expect(await report.total("Clicks")).toBe("Clicks 120 up by 120"));
      expect(await page.getByText("The period before couldn’t be loaded").count()).toBe(0);
    }),
  TIMEOUT_MS,
);

overviewTest("fits every width in both themes, with the figures at the pointer", "?interval=7d", async (report) => {
  const { page } = report;
  for (const width of WIDTHS) {
    await page.setViewportSize({ width, height: 900 });
    await page.getByRole("slider").focus();
    await page.keyboard.press("ArrowLeft");
    const tooltip = page.locator("[data-tooltip]");
    await tooltip.waitFor();
    const excess = "document.documentElement.scrollWidth - document.documentElement.clientWidth";
    // The chart is drawn again after the screen has its new width.
    await eventually(async () => {
      const box = await tooltip.boundingBox();
      expect({ width, fits: Number(await page.evaluate(excess)) <= 0 }).toEqual({ width, fits: true });
      expect(box?.x).toBeWithin(0, width - (box?.width ?? width));
    });
    expect({ width, found: await findInBothThemes(page) }).toEqual({ width, found: [] });
  }
});
