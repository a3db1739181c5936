import { expect, test } from "bun:test";
import { watchClicks } from "#contract/console/links.ts";
import { launchBrowserBeside } from "#test/support/browser-beside.ts";
import { findAxeViolations } from "#test/support/console-page.ts";
import { eventually } from "#test/support/eventually.ts";
import { intercept } from "#test/support/intercept.ts";
import { startWithClicks } from "#test/support/report-clicks.ts";
import { onReport, type ReportPage, type ReportPageOptions } from "#test/support/report-page.ts";

const TIMEOUT_MS = 600_000;

const console = await startWithClicks();
const browser = await launchBrowserBeside(console);

function detailsTest(guarantee: string, options: ReportPageOptions, work: (report: ReportPage) => Promise<void>): void {
  const onCalmReport = async (report: ReportPage): Promise<void> => {
    // Live clicks refresh the report some time after they are connected.
    await report.page.route(`**${watchClicks.path}?*`, () => {});
    await report.page.reload();
    await report.settled();
    await work(report);
  };
  test(guarantee, () => onReport(browser, console.owner, options, onCalmReport), TIMEOUT_MS);
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
  await dialog.getByRole("button", { name: /20 before/ }).waitFor();
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
  let isBroken = true;
  await intercept(page, isOfBefore, async (route) => {
    if (isBroken) return route.fulfill({ status: 400, json: { error } });
    const response = await route.fetch();
    const { breakdowns, ...rest } = await response.json();
    const former = { key: "AT", clicks: 30, unique_visitors: null };
    // As if there had been more values than one answer has.
    const country = { items: [former, ...breakdowns.country.items], other_clicks: 1 };
    await route.fulfill({ response, json: { ...rest, breakdowns: { country } } });
  });
  const dialog = await openCountries(report);
  await dialog.getByText("The period before couldn’t be loaded").waitFor();
  await dialog.getByRole("button", { name: /Germany 76% 19$/ }).click();
  await eventually(async () => expect(await report.chips()).toEqual(["Country Germany"]));
  isBroken = false;
  await dialog.getByRole("button", { name: "Try again" }).click();
  await dialog.getByRole("button", { name: /Germany 76% 19 20 before down by 5%$/ }).waitFor();
  await dialog.getByRole("button", { name: /France 24% 6 not among the first 100 before$/ }).waitFor();
  // Last comes what had clicks only then.
  const last = dialog.getByRole("listitem").last();
  await last.getByRole("button", { name: /Austria 0% 0 30 before down by 100%$/ }).click();
  await eventually(async () => expect(await report.chips()).toContain("Country Austria"));
});
