import { expect, test } from "bun:test";
import { launchBrowserBeside } from "#test/support/browser-beside.ts";
import { findAxeViolations } from "#test/support/console-page.ts";
import { eventually } from "#test/support/eventually.ts";
import { startWithClicks } from "#test/support/report-clicks.ts";
import { onReport, type ReportPage, type ReportPageOptions } from "#test/support/report-page.ts";

const TIMEOUT_MS = 600_000;

const console = await startWithClicks();
const browser = await launchBrowserBeside(console);

function detailsTest(guarantee: string, options: ReportPageOptions, work: (report: ReportPage) => Promise<void>): void {
  test(guarantee, () => onReport(browser, console.owner, options, work), TIMEOUT_MS);
}

async function openCountries({ page }: ReportPage) {
  await page.getByRole("button", { name: "Details: Countries" }).click();
  return page.getByRole("dialog", { name: "Countries" });
}

/** What only the details ask for. */
const isOfBefore = ({ searchParams }: URL): boolean =>
  searchParams.has("group_by") && !searchParams.has("breakdown_visitors");

for (const width of [375, 1280]) {
  detailsTest(
    `the details of a short list compare each value with the period before, ${width} px`,
    { viewport: { width, height: 800 } },
    async (report) => {
      const dialog = await openCountries(report);
      await dialog.getByRole("button", { name: /Germany 76% 19 20 before down by 5%$/ }).waitFor();
      await dialog.getByRole("button", { name: /France 24% 6 0 before up by 6$/ }).waitFor();
      expect(await findAxeViolations(report.page)).toEqual([]);
    },
  );
}

detailsTest("the period before is asked for only when the details are open", {}, async (report) => {
  const { page } = report;
  const asked: string[] = [];
  page.on("request", (request) => {
    if (isOfBefore(new URL(request.url()))) asked.push(request.url());
  });
  await page.reload();
  await report.settled();
  expect(asked).toEqual([]);
  const dialog = await openCountries(report);
  await dialog.getByText("20 before").waitFor();
  expect(asked).toHaveLength(1);
});

detailsTest("the details of all time compare with nothing", { search: "?interval=all" }, async (report) => {
  const { page } = report;
  const dialog = await openCountries(report);
  await dialog.getByRole("button", { name: /Germany 87% 39$/ }).waitFor();
  await report.settled();
  expect(await dialog.getByText(/before|change/i).count()).toBe(0);
  // A list that its own filter narrows has more to show.
  await dialog.getByRole("button", { name: /Germany/ }).click();
  await page.keyboard.press("Escape");
  await page.getByRole("button", { name: "Show all countries" }).click();
  await dialog.getByRole("button", { name: /France 13% 6$/ }).waitFor();
});

detailsTest("a comparison that can't be loaded is retried, and the list works without it", {}, async (report) => {
  const { page } = report;
  const error = { code: "invalid_request", message: "It broke.", request_id: "r" };
  await page.route(isOfBefore, (route) => route.fulfill({ status: 400, json: { error } }));
  const dialog = await openCountries(report);
  await dialog.getByText("The period before couldn’t be loaded").waitFor();
  await dialog.getByRole("button", { name: /Germany 76% 19$/ }).click();
  await eventually(async () => expect(await report.chips()).toEqual(["Country Germany"]));
  await page.unroute(isOfBefore);
  // As if there had been more values than one answer has.
  await page.route(isOfBefore, async (route) => {
    const response = await route.fetch();
    const { breakdowns, ...rest } = await response.json();
    await route.fulfill({
      response,
      json: { ...rest, breakdowns: { country: { ...breakdowns.country, other_clicks: 1 } } },
    });
  });
  await dialog.getByRole("button", { name: "Try again" }).click();
  await dialog.getByRole("button", { name: /Germany 76% 19 20 before down by 5%$/ }).waitFor();
  await dialog.getByRole("button", { name: /France 24% 6 – before$/ }).waitFor();
});
