import { expect, test } from "bun:test";
import { createLink, updateLink } from "#contract/links.ts";
import { launchBrowserBeside } from "#test/support/browser-beside.ts";
import { findAxeViolations } from "#test/support/console-page.ts";
import { eventually } from "#test/support/eventually.ts";
import { findNoonZone } from "#test/support/noon-zone.ts";
import { daysAgo, leaveClicks, startWithClicks } from "#test/support/report-clicks.ts";
import { onReport, type ReportPage, type ReportPageOptions } from "#test/support/report-page.ts";
import { until } from "#test/support/until.ts";

const TIMEOUT_MS = 600_000;

const site = await startWithClicks();
const { owner, sale } = site;
const browser = await launchBrowserBeside(site);

function reportTest(guarantee: string, options: ReportPageOptions, act: (report: ReportPage) => Promise<void>): void {
  test(guarantee, () => onReport(browser, owner, options, act), TIMEOUT_MS);
}

const create = (slug: string) => owner.do(createLink, { body: { destination_url: "https://example.com/", slug } });

const tabsOf = ({ page }: ReportPage, title: string): Promise<string[]> =>
  page.getByRole("tablist", { name: title }).getByRole("tab").allInnerTexts();

reportTest("regions and cities are offered only if some click has one", {}, async (report) => {
  await eventually(async () => expect(await tabsOf(report, "Locations")).toEqual(["Countries", "Languages"]));
});

test(
  "regions and cities are offered once a click has one",
  async () => {
    const { id } = await create("with-places");
    await leaveClicks(site, id, [{ at: daysAgo(1), country: "DE", region: "BY", city: "München" }]);
    await onReport(browser, owner, { link: id }, async (report) => {
      await eventually(async () =>
        expect(await tabsOf(report, "Locations")).toEqual(["Countries", "Regions", "Cities", "Languages"]),
      );
      await report.page.getByRole("tab", { name: "Cities" }).click();
      await report.row("Clicks by city", "München").waitFor();
    });
  },
  TIMEOUT_MS,
);

reportTest("values have icons, and nobody else is asked for them", {}, async (report) => {
  const { page } = report;
  const hosts = new Set<string>();
  page.on("request", (request) => hosts.add(new URL(request.url()).host));
  await page.reload();
  await report.settled();
  const seeIcons = (list: string): Promise<void> =>
    page.getByRole("list", { name: list }).locator("svg.lucide, [data-letter]").first().waitFor();
  await seeIcons("Clicks by device");
  await seeIcons("Clicks by referrer");
  await page.getByRole("tab", { name: "Browsers" }).click();
  await report.row("Clicks by browser", "Firefox").waitFor();
  await seeIcons("Clicks by browser");
  expect([...hosts]).toEqual([new URL(owner.url).host]);
});

test(
  "countries have flags, and codes without one are shown themselves",
  async () => {
    const { id } = await create("with-flags");
    const [withFlag, without] = [
      ["DE", "XK"],
      ["EU", "T1"],
    ];
    const countries = [...withFlag, ...without];
    await leaveClicks(
      site,
      id,
      countries.map((country) => ({ at: daysAgo(1), country })),
    );
    await onReport(browser, owner, { link: id }, async (report) => {
      const rows = report.page.getByRole("list", { name: "Clicks by country" });
      await rows.scrollIntoViewIfNeeded();
      const flags = rows.locator("img");
      const isDrawn = (flag: { naturalWidth: number }) => flag.naturalWidth > 0;
      await until("the flags are drawn", async () => {
        const drawn = await Promise.all((await flags.all()).map((flag) => flag.evaluate(isDrawn)));
        return drawn.length === withFlag.length && drawn.every(Boolean);
      });
      const sources = await Promise.all((await flags.all()).map((flag) => flag.getAttribute("src")));
      expect(sources.map((source) => source?.slice(-"DE.svg".length)).sort()).toEqual(["DE.svg", "XK.svg"]);
      const { headers } = await fetch(new URL(sources[0] ?? "", owner.url));
      expect(headers.get("content-type")).toStartWith("image/svg+xml");
      expect(headers.get("cache-control")).toContain("immutable");
      const tiles = await rows.locator("[data-country-code]").allInnerTexts();
      expect(tiles.sort()).toEqual(without);
    });
  },
  TIMEOUT_MS,
);

reportTest("cards leave no hole beside them", { viewport: { width: 1280, height: 900 } }, async ({ page }) => {
  const gaps = await page.locator("[data-report-cards]").evaluate((cards) => {
    const whole = cards.getBoundingClientRect();
    const boxes = [...cards.children].map((card) => card.getBoundingClientRect());
    const rows = Map.groupBy(boxes, ({ top }) => Math.round(top));
    return [...rows.values()].map((row) => Math.round(whole.right - Math.max(...row.map(({ right }) => right))));
  });
  expect(gaps).toEqual(gaps.map(() => 0));
});

const MAP = "Map of clicks by country";

/** A point on a country; the middle of its box may be in the sea, as with France and its department in America. */
const findPointOf = (page: ReportPage["page"], code: string): Promise<{ x: number; y: number }> =>
  page.evaluate(`(() => {
    const shape = document.querySelector("[data-country=${code}]");
    const { left, top, right, bottom } = shape.getBoundingClientRect();
    const isOn = (x, y) => document.elementFromPoint(x, y) === shape;
    for (let x = left; x < right; x += 1)
      for (let y = top; y < bottom; y += 1)
        if (isOn(x, y) && isOn(x - 2, y) && isOn(x + 2, y) && isOn(x, y - 2) && isOn(x, y + 2)) return { x, y };
    throw new Error("it can't be reached");
  })()`);

reportTest("the map shows and filters by country, with the pointer", { link: sale.id }, async (report) => {
  const { page } = report;
  const map = page.getByRole("listbox", { name: MAP });
  await eventually(async () => expect(await map.getByRole("option").count()).toBe(2));
  const germany = map.getByRole("option", { name: "Germany: 12 clicks (67%)" });
  await germany.hover();
  await until("it is described", async () => {
    return (await page.locator("[data-map-legend]").innerText()) === "Germany: 12 clicks (67%)";
  });
  await germany.click();
  await until("it is a filter", async () => (await report.chips()).join() === "Country Germany");
  await until("the report follows", async () => (await report.total("Clicks")).startsWith("Clicks 12"));
  // The map moves with the cards above it.
  await report.settled();
  // France can still be added.
  await map.getByRole("option", { name: "France: 6 clicks (33%)", selected: false }).waitFor();
  const { x, y } = await findPointOf(page, "FR");
  await page.mouse.click(x, y);
  await until("both are filters", async () => (await report.chips()).length === 2);
  await until("the address has both", () => report.query === "?country=DE&country=FR");
});

reportTest("the map can be used by keyboard", { link: sale.id }, async (report) => {
  const { page } = report;
  const map = page.getByRole("listbox", { name: MAP });
  await map.waitFor();
  await page.getByRole("button", { name: "Options" }).focus();
  await map.focus();
  await page.keyboard.press("ArrowRight");
  const words = () => page.locator("[data-map-legend]").innerText();
  await until("the next country is described", async () => (await words()) === "France: 6 clicks (33%)");
  const active = await map.getAttribute("aria-activedescendant");
  expect(await page.locator(`[id="${active}"]`).getAttribute("aria-label")).toBe("France: 6 clicks (33%)");
  await page.keyboard.press("Enter");
  await until("it is a filter", async () => (await report.chips()).join() === "Country France");
});

test(
  "the busiest times are those of the report's time zone",
  async () => {
    const { id } = await create("at-noon");
    // A Monday, 09:30 in Tokyo.
    const monday = daysAgo(7 + ((daysAgo(0).getUTCDay() + 6) % 7))
      .toISOString()
      .slice(0, 10);
    await leaveClicks(site, id, [
      { at: new Date(`${monday}T00:30:00Z`), times: 3 },
      { at: new Date(`${monday}T05:30:00Z`), times: 2 },
    ]);
    await onReport(browser, owner, { link: id, search: "?timezone=Asia/Tokyo" }, async (report) => {
      const { page } = report;
      const words = page.locator("[data-week-words]");
      const says = (text: string) => eventually(async () => expect(await words.innerText()).toBe(text));
      await says("Busiest: Monday, 09:00 – 10:00: 3 clicks");
      await page.getByRole("gridcell", { name: "Monday, 14:00 – 15:00: 2 clicks" }).hover();
      await says("Monday, 14:00 – 15:00: 2 clicks");
      await page.mouse.move(0, 0);
      await page.getByRole("grid", { name: "Clicks by weekday and hour" }).focus();
      await page.keyboard.press("ArrowRight");
      await says("Monday, 10:00 – 11:00: 0 clicks");
      await page.goto(`${owner.url}/console/a/${owner.account}/links/${id}?timezone=UTC`);
      await report.settled();
      await says("Busiest: Monday, 00:00 – 01:00: 3 clicks");
    });
  },
  TIMEOUT_MS,
);

test(
  "what happened to a link is marked on the chart of its report",
  async () => {
    const { id } = await create("eventful");
    await owner.do(updateLink, {
      params: { id },
      body: { destination_url: "https://example.com/moved", title: "Moved" },
    });
    await onReport(browser, owner, { link: id, timezoneId: findNoonZone() }, async (report) => {
      const { page } = report;
      const marks = page.locator("[data-annotation]");
      await marks.waitFor();
      const slider = page.getByRole("slider");
      await eventually(async () =>
        expect(await slider.getAttribute("aria-valuetext")).toEndWith("Created. Destination changed"),
      );
      await page.getByRole("button", { name: "Actions for eventful" }).click();
      await page.getByRole("menuitem", { name: "Pause", exact: true }).click({ scroll: "none" });
      await until("the pause is noted", async () => {
        return (await slider.getAttribute("aria-valuetext"))?.endsWith("Destination changed. Paused") ?? false;
      });
      await slider.focus();
      await page.keyboard.press("End");
      await page.locator("[data-tooltip]").getByText("Paused").waitFor();
    });
  },
  TIMEOUT_MS,
);

reportTest("the chart can be saved as a picture", { link: sale.id }, async ({ page }) => {
  await page.getByRole("button", { name: "Options" }).click();
  const saving = page.waitForEvent("download");
  await page.getByRole("button", { name: "Download chart as PNG" }).click();
  const download = await saving;
  expect(download.suggestedFilename()).toMatch(/^chart-\d{4}-\d\d-\d\d\.png$/);
  const bytes = new DataView(await Bun.file(await download.path()).arrayBuffer());
  expect(bytes.getUint32(0)).toBe(0x89504e47);
  expect([bytes.getUint32(16), bytes.getUint32(20)]).toEqual([2400, 1260]);
  expect(bytes.byteLength).toBeGreaterThan(10_000);
});

reportTest("on paper there is the report and nothing to press", { colorScheme: "dark" }, async ({ page }) => {
  await page.emulateMedia({ media: "print" });
  expect(await page.getByRole("navigation", { name: "Main" }).isVisible()).toBe(false);
  expect(await page.getByRole("button", { name: "Options" }).isVisible()).toBe(false);
  expect(await page.getByRole("slider").isVisible()).toBe(true);
  const colour = "getComputedStyle(document.querySelector('main section')).backgroundColor";
  expect(await page.evaluate<string>(colour)).toBe("rgb(255, 255, 255)");
});

reportTest("the accessibility checker finds nothing, and nothing overflows", {}, async ({ page }) => {
  await page.getByRole("listbox", { name: MAP }).waitFor();
  for (const colorScheme of ["light", "dark"] as const) {
    await page.emulateMedia({ colorScheme });
    for (const width of [375, 640, 768, 1024, 1280, 1920]) {
      await page.setViewportSize({ width, height: 900 });
      const excess = "document.documentElement.scrollWidth - document.documentElement.clientWidth";
      const found = await findAxeViolations(page);
      expect({ width, colorScheme, found, excess: Number(await page.evaluate(excess)) > 0 }).toEqual({
        ...{ width, colorScheme, found: [], excess: false },
      });
    }
  }
});
