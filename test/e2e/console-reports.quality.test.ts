import { describe, expect, test } from "bun:test";
import { getAccountAnalytics } from "#contract/analytics.ts";
import { createLink } from "#contract/links.ts";
import { launchBrowserBeside } from "#test/support/browser-beside.ts";
import { findAxeViolations, findInBothThemes } from "#test/support/console-page.ts";
import { eventually } from "#test/support/eventually.ts";
import { daysAgo, leaveClicks, startWithClicks } from "#test/support/report-clicks.ts";
import { openReport, type ReportPage, type ReportPageOptions } from "#test/support/report-page.ts";
import { until } from "#test/support/until.ts";

const TIMEOUT_MS = 600_000;

const console = await startWithClicks();
const { owner, sale } = console;
const browser = await launchBrowserBeside(console);

async function reporting<T>(options: ReportPageOptions, work: (report: ReportPage) => Promise<T>, client = owner) {
  const report = await openReport(browser, client, options);
  return work(report).finally(() => report.watched.close());
}

describe("the accessibility checker finds nothing on a report in both themes", () => {
  test.each([
    { width: 1280, height: 900 },
    { width: 375, height: 800 },
  ])(
    "at $width px, with the table and the options open too",
    (viewport) =>
      reporting({ viewport, search: "?country=DE&country=FR" }, async (report) => {
        const { page } = report;
        await report.settled();
        expect(await findInBothThemes(page)).toEqual([]);
        const overflow = "document.documentElement.scrollWidth - document.documentElement.clientWidth";
        expect(await page.evaluate(overflow)).toBeLessThanOrEqual(0);
        await page.getByRole("button", { name: "Show as table" }).click();
        await page.getByRole("table").waitFor();
        await page.getByRole("button", { name: "Options" }).click();
        await page.getByLabel("Group by").waitFor();
        expect(await findInBothThemes(page)).toEqual([]);
      }),
    TIMEOUT_MS,
  );
});

test(
  "values with scripts in them are shown as text",
  async () => {
    const payload = (name: string) => `"><img src=x onerror="window.hacked='${name}'">`;
    const tag = payload("tag").slice(0, 50);
    const { id } = await owner.do(createLink, {
      body: { destination_url: "https://example.com/", title: payload("title"), tags: [tag] },
    });
    const fields = ["referrer", "browser", "os", "device", "country", "city", "language", "utm_source", "utm_content"];
    const hostile = Object.fromEntries(fields.map((name) => [name, payload(name)]));
    await leaveClicks(console, id, [{ at: daysAgo(1), ...hostile }]);
    await until("reports know the tag", async () => {
      const { totals } = await owner.do(getAccountAnalytics, { query: { interval: "30d", tag } });
      return totals.clicks === 1;
    });
    await reporting({ search: `?link=${id}&tab=tag` }, async (report) => {
      const { page, watched } = report;
      await report.row("Clicks by tag", "<img src=x").waitFor();
      await report.row("Clicks by referrer", "onerror").click();
      await page.getByRole("button", { name: "Remove the filter Referrer" }).waitFor();
      for (const [tab, list] of [
        ["Browsers", "browser"],
        ["Cities", "city"],
        ["Content", "utm content"],
      ] as const) {
        await page.getByRole("tab", { name: tab }).click();
        await report.row(`Clicks by ${list}`, "<img src=x").waitFor();
      }
      expect(await page.evaluate("window.hacked")).toBeUndefined();
      expect(watched.policyViolations).toEqual([]);
      expect(watched.scriptErrors).toEqual([]);
    });
  },
  TIMEOUT_MS,
);

async function save({ page }: ReportPage, press: () => Promise<void>) {
  const [download] = await Promise.all([page.waitForEvent("download"), press()]);
  return { name: download.suggestedFilename(), text: await Bun.file(await download.path()).text() };
}

test(
  "the chart can be saved as CSV",
  () =>
    reporting({ link: sale.id, search: "?interval=7d" }, async (report) => {
      const { page } = report;
      await report.settled();
      await page.getByRole("button", { name: "Options" }).click();
      const file = await save(report, () => page.getByRole("button", { name: "Download chart as CSV" }).click());
      expect(file.name).toMatch(/^clicks-by-time-\d{4}-\d\d-\d\d\.csv$/);
      const [heading, ...lines] = file.text.trimEnd().split("\r\n");
      expect(heading).toBe("start,clicks,unique_visitors,qr_scans,bot_hits");
      expect(lines).toHaveLength(7);
      expect(lines.reduce((sum, line) => sum + Number(line.split(",")[1]), 0)).toBe(18);
    }),
  TIMEOUT_MS,
);

test(
  "a long list can be searched and saved, and several values selected from it",
  async () => {
    const { id } = await owner.do(createLink, { body: { destination_url: "https://example.com/" } });
    const hosts = Array.from({ length: 20 }, (_, index) => `site-${index + 1}.example`);
    const clicks = hosts.map((referrer, index) => ({ at: daysAgo(1), referrer, times: 20 - index }));
    await leaveClicks(console, id, clicks);
    await reporting({ link: id, search: "?interval=7d" }, async (report) => {
      const { page } = report;
      await eventually(async () => expect(await report.total("Clicks")).toStartWith("Clicks 210"));
      await eventually(async () => expect(await report.rows("Clicks by referrer")).toHaveLength(8));
      await page.getByRole("button", { name: "Show all referrers" }).click();
      const dialog = page.getByRole("dialog", { name: "Referrers" });
      await dialog.getByLabel("Search referrers").waitFor();
      expect(await findAxeViolations(report.page)).toEqual([]);
      const file = await save(report, () => dialog.getByRole("button", { name: "CSV" }).click());
      const lines = hosts.map((host, index) => `${host},${20 - index},${20 - index}\r\n`);
      expect(file.text).toBe(`referrer,clicks,unique_visitors\r\n${lines.join("")}`);

      await dialog.getByLabel("Search referrers").fill("site-2");
      await until("two fit", async () => (await dialog.getByRole("listitem").count()) === 2);
      // The second while the report of the first is loading.
      await dialog.getByRole("button", { name: "site-2.example" }).click();
      await dialog.getByRole("button", { name: "site-20.example" }).click();
      await page.keyboard.press("Escape");
      await until("both are selected", async () => (await report.total("Clicks")).startsWith("Clicks 20"));
      await eventually(async () =>
        expect(await report.chips()).toEqual(["Referrer site-2.example", "Referrer site-20.example"]),
      );
    });
  },
  TIMEOUT_MS,
);

test(
  "the same instant is on another day in another time zone, and the time zone is remembered",
  async () => {
    const { id } = await owner.do(createLink, { body: { destination_url: "https://example.com/" } });
    const date = daysAgo(10).toISOString().slice(0, 10);
    await leaveClicks(console, id, [{ at: new Date(`${date}T23:30:00Z`) }]);
    await reporting({ link: id }, async (report) => {
      const { page } = report;
      const dayOf = async (): Promise<string> => {
        await report.settled();
        const rows = await page.getByRole("row").allInnerTexts();
        return rows.find((row) => /\s1\s+1\s+0\s+0$/.test(row)) ?? "";
      };
      await report.settled();
      await page.getByRole("button", { name: "Show as table" }).click();
      const format = (at: Date) => at.toLocaleDateString("en-GB", { day: "numeric", month: "short", timeZone: "UTC" });
      const next = new Date(Date.parse(date) + 86_400_000);
      await eventually(async () => expect(await dayOf()).toContain(format(new Date(date))));
      await page.getByRole("button", { name: "Options" }).click();
      await page.getByLabel("Time zone").fill("Asia/Tokyo");
      await until("the day moves", async () => (await dayOf()).includes(format(next)));
      await page.goto(`${owner.url}/console/a/${owner.account}/links/${id}`);
      await page.getByRole("button", { name: "Show as table" }).click();
      await eventually(async () => expect(await dayOf()).toContain(format(next)));
    });
  },
  TIMEOUT_MS,
);

test(
  "everything can be done by keyboard",
  () =>
    reporting({ link: sale.id }, async (report) => {
      const { page } = report;
      await report.settled();
      await page.getByRole("button", { name: "Time range" }).focus();
      await page.keyboard.press("Enter");
      await page.locator("[role=menuitemradio]:focus").waitFor();
      await page.keyboard.press("Home");
      await page.keyboard.press("ArrowDown");
      await page.keyboard.press("ArrowDown");
      await page.keyboard.press("Enter");
      await until("another range is chosen", () => report.query === "?interval=7d");
      const slider = page.getByRole("slider");
      await page.getByRole("button", { name: "Time range: Last 7 days" }).waitFor();
      await report.settled();
      await slider.focus();
      let steps = 0;
      await until("the day of the clicks is reached", async () => {
        await page.keyboard.press("ArrowLeft");
        steps += 1;
        return (await slider.getAttribute("aria-valuetext"))?.includes("12 clicks") ?? false;
      });
      // Two if midnight has passed since the clicks.
      expect(steps).toBeWithin(1, 3);
      await page.keyboard.press("Enter");
      await until("that day is opened", async () => /^\?from=.*&to=/.test(report.query));
      await page.getByRole("slider", { name: "Clicks by hour" }).waitFor();
      await report.settled();
      await page.getByRole("tab", { name: "Referrers" }).focus();
      await page.keyboard.press("ArrowRight");
      await page.getByRole("tab", { name: "Via", selected: true }).waitFor();
      await report.settled();
      await page.keyboard.press("Tab");
      await page.keyboard.press("Enter");
      await until("a filter is set", async () => (await report.chips()).join() === "Via Link");
    }),
  TIMEOUT_MS,
);

test(
  "a report that can't be loaded says so and can be retried",
  () =>
    reporting({ link: sale.id, search: "?interval=90d" }, async (report) => {
      const { page } = report;
      await report.settled();
      const refuse = {
        status: 500,
        json: { error: { code: "internal_error", message: "It broke.", request_id: "r" } },
      };
      await page.route("**/console/api/v1/**", (route) => route.fulfill(refuse));
      await page.reload();
      // Not one of the lists, which may fail before the figures do and then disappear.
      const figures = page.locator("main section").first();
      await figures.getByText("It broke.").waitFor();
      await page.unroute("**/console/api/v1/**");
      await figures.getByRole("button", { name: "Try again" }).click();
      await eventually(async () => expect(await report.total("Clicks")).toStartWith("Clicks 38"));
    }),
  TIMEOUT_MS,
);

test(
  "an empty report says what will be there, and draws no line from 0 to 1",
  async () => {
    const newcomer = await console.newOwner();
    await reporting(
      {},
      async (report) => {
        const { page } = report;
        await report.settled();
        await page.getByRole("heading", { name: "No clicks in this period" }).waitFor();
        await page.getByText(/^Once someone opens a short link/).waitFor();
        const chart = page.locator("main section").first();
        const lines = await chart
          .locator("[data-line]")
          .evaluateAll((all) => all.map((line) => line.getAttribute("d")));
        expect(lines).toEqual(["", "", ""]);
        expect(await chart.locator("[data-open-dot]").count()).toBe(0);
        expect(await chart.getByText("1", { exact: true }).count()).toBe(0);
        expect(await findAxeViolations(page)).toEqual([]);
        await page.getByRole("button", { name: "Show all time" }).click();
        await until("it is of all time", () => report.query === "?interval=all");
      },
      newcomer,
    );
  },
  TIMEOUT_MS,
);

test(
  "a viewer can read reports, but not of another account's link",
  async () => {
    const viewer = await console.newMember("viewer");
    await reporting({}, async (report) => report.settled(), viewer);
    const stranger = await console.newOwner();
    await reporting({ link: sale.id }, ({ page }) => page.getByText("There is nothing here").waitFor(), stranger);
    await reporting(
      {},
      async (report) => {
        await report.settled();
        await eventually(async () => expect(await report.total("Clicks")).toBe("Clicks 0"));
        await report.page.getByText("No clicks in this period").waitFor();
      },
      stranger,
    );
  },
  TIMEOUT_MS,
);
