import { describe, expect, test } from "bun:test";
import type { Request } from "playwright-core";
import { getLink } from "#contract/links.ts";
import { launchBrowserBeside } from "#test/support/browser-beside.ts";
import { eventually } from "#test/support/eventually.ts";
import { holdUndo } from "#test/support/link-stage.ts";
import { startWithClicks } from "#test/support/report-clicks.ts";
import { onReport, openReport, type ReportPage, type ReportPageOptions } from "#test/support/report-page.ts";
import { until } from "#test/support/until.ts";
import { visit } from "#test/support/visit.ts";

const TIMEOUT_MS = 600_000;

const console = await startWithClicks();
const { owner, sale, bare, server } = console;
const browser = await launchBrowserBeside(console);

const FIREFOX = "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0";

function reportTest(guarantee: string, options: ReportPageOptions, work: (report: ReportPage) => Promise<void>): void {
  test(guarantee, () => onReport(browser, owner, options, work), TIMEOUT_MS);
}

const countries = "Clicks by country";
const referrers = "Clicks by referrer";

reportTest("a report shows totals, their change and where clicks came from", {}, async (report) => {
  await eventually(async () => expect(await report.total("Clicks")).toBe("Clicks 25 up by 25%"));
  expect(await report.total("Unique visitors")).toBe("Unique visitors 25 up by 25%");
  // There is no percentage from zero.
  expect(await report.total("QR scans")).toBe("QR scans 6 up by 6");
  expect(await report.total("Bots")).toBe("Bots 4 up by 4");
  expect(await report.rows("Clicks by link")).toEqual([`Spring sale /${sale.slug} 72% 18`, "/bare-link 28% 7"]);
  expect((await report.rows(countries)).map((row) => row.replace(/^(?:\P{L}+|[A-Z]{2} )/u, ""))).toEqual([
    "Germany 76% 19",
    "France 24% 6",
  ]);
  expect(await report.rows(referrers)).toEqual(["news.example 48% 12", "chat.example 28% 7", "Direct / none 24% 6"]);
});

reportTest("any value can be a filter, filters combine, and the back button removes them", {}, async (report) => {
  const { page } = report;
  await report.row(countries, "Germany").click();
  await until("the country is applied", async () => (await report.total("Clicks")).startsWith("Clicks 19"));
  await page.getByRole("tab", { name: "Browsers" }).click();
  await report.row("Clicks by browser", "Chrome").click();
  await until("both are applied", async () => (await report.total("Clicks")).startsWith("Clicks 7"));
  await eventually(async () => expect(await report.chips()).toEqual(["Country Germany", "Browser Chrome"]));
  expect(report.query).toContain("country=DE");
  expect(report.query).toContain("browser=Chrome");

  await page.goBack();
  await until("one is taken back", async () => (await report.chips()).join() === "Country Germany");
  await page.getByRole("button", { name: "Remove the filter Country Germany" }).click();
  await until("no filter is left", async () => (await report.total("Clicks")).startsWith("Clicks 25"));
  expect(report.query).not.toContain("country");
});

reportTest("clicks without a value can be filtered, and several values of one kind combined", {}, async (report) => {
  const { page } = report;
  await report.row(referrers, "Direct / none").click();
  await until("the filter is applied", async () => (await report.total("Clicks")).startsWith("Clicks 6"));
  await eventually(async () => expect(await report.rows(referrers)).toEqual(["Direct / none 100% 6"]));
  await page.goto(`${owner.url}/console/a/${owner.account}/reports?referrer=&referrer=chat.example`);
  await report.settled();
  await eventually(async () => {
    expect(await report.total("Clicks")).toStartWith("Clicks 13");
    expect(await report.chips()).toEqual(["Referrer Direct / none", "Referrer chat.example"]);
  });
  await page.getByRole("button", { name: "Clear all" }).click();
  await until("all are gone", async () => (await report.total("Clicks")).startsWith("Clicks 25"));
});

reportTest(
  "the address contains everything, so a report can be shared",
  {
    search:
      "?interval=1y&granularity=month&timezone=Asia/Tokyo&include_bots=true&metric=unique_visitors&tab=os&country=DE",
  },
  async (report) => {
    const { page } = report;
    await eventually(async () => expect(await report.total("Clicks")).toBe("Clicks 39 up by 39"));
    await page.getByRole("button", { name: "Time range: Last 52 weeks" }).waitFor();
    await page.getByRole("tab", { name: "Systems", selected: true }).waitFor();
    await page.getByRole("slider", { name: "Unique visitors by month" }).waitFor();
    expect(await page.locator("header", { hasText: "Reports" }).last().innerText()).toContain("Asia/Tokyo");
  },
);

describe("an address that the API refuses shows why, and the problem can be cleared", () => {
  const addresses = [
    ["Clear from, to", "from: Must be a date", "from=x&to=y"],
    ["Clear from, to", "from: Must be a date", "from=2026-13-01&to=2026-14-01"],
    ["Clear to", "from: `to` requires `from`.", "to=2026-01-01"],
    ["Clear from, interval", "interval: Use either", "from=2026-01-01&interval=7d"],
    ["Clear interval", "interval: Must be one of", "interval=foo"],
    ["Clear timezone", "timezone: Must be an IANA time zone name", "timezone=Mars/Base"],
    ["Clear device", "Must be one of: desktop", "device=phone"],
    ["Clear source", "Must be one of: link", "source=email"],
    ["Clear utm_campaign", "Must have at most 255 characters", `utm_campaign=${"x".repeat(300)}`],
  ] as const;
  test.each(addresses)(
    "%s: %s",
    async (action, message, search) => {
      const report = await openReport(browser, owner, { search: `?${search}` });
      const { page, watched } = report;
      try {
        const clear = page.getByRole("button", { name: action, exact: true });
        // The lists may be refused before the report itself, whose error then replaces theirs.
        await clear.waitFor();
        await page.getByText(message).waitFor();
        await clear.click();
        await until("the address is plain", () => report.query === "");
        await report.settled();
        await page.getByRole("button", { name: "Time range: Last 30 days" }).waitFor();
        expect(watched.scriptErrors).toEqual([]);
      } finally {
        await watched.close();
      }
    },
    TIMEOUT_MS,
  );
});

reportTest(
  "a range of instants is shown unchanged",
  { search: "?from=2026-01-10T10:00:00Z&to=2026-01-12T10:00:00Z" },
  async ({ page, query }) => {
    await page.getByRole("button", { name: "Time range: 10 Jan 2026, 10:00 – 12 Jan 2026, 10:00" }).waitFor();
    await page.getByRole("slider", { name: "Clicks by hour" }).waitFor();
    expect(query).toBe("?from=2026-01-10T10:00:00Z&to=2026-01-12T10:00:00Z");
  },
);

reportTest("a range without an end lasts until now", { search: "?from=2025-01-01" }, async (report) => {
  await report.page.getByRole("button", { name: "Time range: Since 1 Jan 2025" }).waitFor();
  expect(await report.total("Clicks")).toStartWith("Clicks 45");
});

reportTest("bots count as clicks only if asked for", {}, async (report) => {
  await report.page.getByRole("button", { name: "Options" }).click();
  const bots = { name: "Count bots as clicks" };
  // Clicked rather than checked: the box follows the address, which takes a moment.
  await report.page.getByRole("checkbox", bots).click();
  await report.page.getByRole("checkbox", { ...bots, checked: true }).waitFor();
  await until("bots are counted", async () => (await report.total("Clicks")).startsWith("Clicks 29"));
  expect(report.query).toBe("?include_bots=true");
});

reportTest("a range can be selected from a list or by its days", { link: sale.id }, async (report) => {
  const { page } = report;
  await page.getByRole("button", { name: "Time range" }).click();
  await page.getByRole("menuitemradio", { name: "Last 90 days" }).click({ scroll: "none" });
  await until("the longer range is there", async () => (await report.total("Clicks")).startsWith("Clicks 38"));
  const now = Date.now();
  const day = (days: number) => new Date(now - days * 86_400_000).toISOString().slice(0, 10);
  await page.getByRole("button", { name: "Time range" }).click();
  await page.getByRole("menuitemradio", { name: "Custom range" }).click({ scroll: "none" });
  await page.getByLabel("First day").fill(day(41));
  await page.getByLabel("Last day").fill(day(39));
  await page.getByRole("button", { name: "Show", exact: true }).click();
  await until("the days are shown", async () => (await report.total("Clicks")).startsWith("Clicks 20"));
  expect(report.query).toBe(`?from=${day(41)}&to=${day(38)}`);
});

reportTest("a link can be changed, and its QR code shown, from its report", { link: bare.id }, async ({ page }) => {
  const choose = async (action: string) => {
    await page.getByRole("button", { name: "Actions for bare-link" }).click();
    await page.getByRole("menuitem", { name: action, exact: true }).click({ scroll: "none" });
  };
  await choose("QR code");
  await page.getByRole("dialog", { name: "QR code" }).getByRole("img").waitFor();
  await page.keyboard.press("Escape");
  await choose("Edit");
  await page.getByRole("dialog").getByLabel("Title").fill("No longer bare");
  await page.getByRole("dialog").getByRole("button", { name: "Save" }).click();
  await page.getByRole("heading", { level: 1, name: "No longer bare" }).waitFor();
  await holdUndo(page);
  await choose("Pause");
  await page.getByText("Paused", { exact: true }).waitFor();
  await page.getByText("Paused /bare-link.").waitFor();
  await page.keyboard.press("z");
  await page.getByText("Resumed /bare-link.").waitFor();
  await page.getByText("Paused", { exact: true }).waitFor({ state: "detached" });
});

reportTest(
  "a hidden page closes its click stream; shown again, it reconnects and shows what it missed",
  { link: sale.id },
  async (report) => {
    const { page } = report;
    const isStream = (request: Request) => new URL(request.url()).pathname === "/console/api/live";
    const show = (isShown: boolean) =>
      page.evaluate(`
        Object.defineProperty(document, "hidden", { configurable: true, value: ${!isShown} });
        Object.defineProperty(document, "visibilityState", { configurable: true, value: "${isShown ? "visible" : "hidden"}" });
        document.dispatchEvent(new Event("visibilitychange", { bubbles: true }));`);
    await page.getByRole("button", { name: "Live: 0 clicks" }).waitFor();
    const closed = page.waitForEvent("requestfailed", isStream);
    await show(false);
    await closed;
    await page.getByRole("button", { name: "Connecting: 0 clicks" }).waitFor();
    await visit(server, `/${sale.slug}`, { headers: { "user-agent": FIREFOX, referer: "https://unseen.example/" } });
    // A click reaches the stream when it is counted, which is after it was answered.
    await until("it is counted unseen", async () => {
      return (await owner.do(getLink, { params: { id: sale.id } })).click_count === 39;
    });
    const opened = page.waitForEvent("request", isStream);
    await show(true);
    await opened;
    await page.getByRole("button", { name: "Live: 0 clicks" }).waitFor();
    await until("the figures follow", async () => (await report.total("Clicks")).startsWith("Clicks 19"));
  },
);

reportTest("a new click appears by itself, and in the list of latest clicks", { link: bare.id }, async (report) => {
  const { page } = report;
  expect(await report.total("Clicks")).toStartWith("Clicks 7");
  await page.getByRole("button", { name: "Live: 0 clicks" }).waitFor();
  await visit(server, "/bare-link", { headers: { "user-agent": FIREFOX, referer: "https://live.example/page" } });
  await page.getByRole("button", { name: "Live: 1 click since" }).click();
  const latest = page.getByRole("list", { name: "Latest clicks" });
  await eventually(async () => expect(await latest.innerText()).toContain("live.example · Firefox on Linux"));
  await page.keyboard.press("Escape");
  await until("the figures follow", async () => (await report.total("Clicks")).startsWith("Clicks 8"));
  await report.row(referrers, "live.example").waitFor();
});

reportTest(
  "a click between the report and the opening of the stream appears too",
  { link: bare.id },
  async (report) => {
    const { page } = report;
    const { promise: held, resolve: release } = Promise.withResolvers<void>();
    await page.route("**/console/api/live*", async (route) => {
      await held;
      await route.continue();
    });
    await page.reload();
    await report.settled();
    const clicks = async () => Number(/^Clicks (\d+)/.exec(await report.total("Clicks"))?.[1]);
    const countedBefore = (await owner.do(getLink, { params: { id: bare.id } })).click_count;
    const shownBefore = await clicks();
    expect(shownBefore).toBeGreaterThan(0);
    await visit(server, "/bare-link", { headers: { "user-agent": FIREFOX } });
    await until("it is counted unseen", async () => {
      return (await owner.do(getLink, { params: { id: bare.id } })).click_count > countedBefore;
    });
    await page.getByRole("button", { name: "Connecting: 0 clicks" }).waitFor();
    release();
    await page.getByRole("button", { name: "Live: 0 clicks" }).waitFor();
    await until("the figures follow", async () => (await clicks()) === shownBefore + 1);
  },
);
