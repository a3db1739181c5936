import { expect } from "bun:test";
import type { Browser, BrowserContextOptions, Page } from "playwright-core";
import type { WatchedPage } from "./browser.ts";
import type { ConsoleClient } from "./console-client.ts";
import { openConsolePage } from "./console-page.ts";
import { until } from "./until.ts";

const SETTLED_MS_MAX = 60_000;

export interface ReportPageOptions extends BrowserContextOptions {
  /** `null` for the account. */
  readonly link?: string | null;
  readonly search?: string;
}

/** A report in a browser. */
export class ReportPage {
  readonly watched: WatchedPage;
  readonly page: Page;

  constructor(watched: WatchedPage) {
    this.watched = watched;
    this.page = watched.page;
  }

  total(label: string): Promise<string> {
    const tile = this.page.locator("main section").first().getByText(label, { exact: true }).locator("xpath=..");
    return tile.innerText().then((text) => text.replaceAll("\n", " ").replace(/\s+/g, " ").trim());
  }

  /** The rows of a card, as `name share clicks`. */
  async rows(list: string): Promise<string[]> {
    const rows = await this.page.getByRole("list", { name: list }).getByRole("button").allInnerTexts();
    return rows.map((row) => row.replace(/\s+/g, " ").trim());
  }

  row(list: string, name: string) {
    return this.page.getByRole("list", { name: list }).getByRole("button", { name });
  }

  async chips(): Promise<string[]> {
    const chips = await this.page.getByRole("list", { name: "Filters" }).getByRole("listitem").allInnerTexts();
    return chips.map((chip) => chip.replace(/\s+/g, " ").trim());
  }

  /** Another report is loaded: until its page appears, the previous one stays on screen. */
  async headed(title: string): Promise<void> {
    await this.page.getByRole("heading", { level: 1, name: title, exact: true }).waitFor();
    await this.settled();
  }

  /** The report is loaded. */
  async settled(): Promise<void> {
    await this.page.getByRole("slider").or(this.page.getByRole("table")).waitFor();
    const unfinished = this.page.locator("output[aria-label^=Loading], [aria-busy=true]");
    await until("the report is loaded", async () => (await unfinished.count()) === 0, SETTLED_MS_MAX);
  }

  get query(): string {
    return decodeURIComponent(new URL(this.page.url()).search);
  }
}

/** What is done on a report must cause no script error or policy violation. */
export async function onReport(
  browser: Browser,
  client: ConsoleClient,
  options: ReportPageOptions,
  act: (report: ReportPage) => Promise<void>,
): Promise<void> {
  const report = await openReport(browser, client, options);
  try {
    await report.settled();
    await act(report);
    expect(report.watched.scriptErrors).toEqual([]);
    expect(report.watched.policyViolations).toEqual([]);
  } finally {
    await report.watched.close();
  }
}

export async function openReport(
  browser: Browser,
  client: ConsoleClient,
  { link = null, search = "", ...options }: ReportPageOptions = {},
): Promise<ReportPage> {
  const path = `/a/${client.account}/${link === null ? "reports" : `links/${link}`}${search}`;
  return new ReportPage(
    await openConsolePage(browser, client, path, { timezoneId: "UTC", locale: "en-GB", ...options }),
  );
}
