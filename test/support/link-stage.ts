import { expect } from "bun:test";
import type { BrowserContextOptions, Page } from "playwright-core";
import type { Link, LinkCreate } from "#contract/link-record.ts";
import { createLink, getLink } from "#contract/links.ts";
import type { WatchedPage } from "./browser.ts";
import { launchBrowserBeside } from "./browser-beside.ts";
import { type ConsoleClient, startConsole } from "./console-client.ts";
import { openConsolePage } from "./console-page.ts";
import { until } from "./until.ts";

export interface LinkStage {
  readonly page: Page;
  readonly watched: WatchedPage;
  readonly me: ConsoleClient;
  read(id: string): Promise<Link>;
}

/** A server and a browser for the tests of a file. Each test has its own account, with the list of links on screen. */
export async function openLinkStage(env: Readonly<Record<string, string>> = {}) {
  const site = await startConsole({ KURZ_RATE_LIMIT_PER_MINUTE: "0", ...env });
  const browser = await launchBrowserBeside(site);

  async function onStage(
    links: readonly Partial<LinkCreate>[],
    act: (stage: LinkStage) => Promise<void>,
    device: BrowserContextOptions = {},
  ) {
    const me = await site.newOwner();
    for (const body of links) await me.do(createLink, { body: { destination_url: "https://example.com/", ...body } });
    const watched = await openConsolePage(browser, me, `/a/${me.account}/links`, {
      permissions: ["clipboard-read", "clipboard-write"],
      ...device,
    });
    const { page } = watched;
    await page.getByRole("heading", { name: "Links", exact: true }).waitFor();
    const read = (id: string) => me.do(getLink, { params: { id } });
    await act({ page, watched, me, read }).finally(() => watched.close());
    expect(watched.scriptErrors).toEqual([]);
    expect(watched.policyViolations).toEqual([]);
  }

  return { site, onStage };
}

export const rowOf = (page: Page, slug: string) =>
  page.getByRole("listitem").filter({ has: page.getByRole("checkbox", { name: `Select ${slug}`, exact: true }) });

/** What can be undone stays so, however slow the machine. */
export async function holdUndo(page: Page): Promise<void> {
  const hold = `{
    const plainSetTimeout = window.setTimeout;
    window.setTimeout = (work, ms, ...rest) =>
      plainSetTimeout(work, ms >= 5000 && ms <= 10_000 ? 3_600_000 : ms, ...rest);
  }`;
  await page.evaluate(hold);
  // Wherever the page goes next, too.
  await page.addInitScript(hold);
}

/** Selects an action from the menu of a row. */
export async function choose(page: Page, slug: string, action: string): Promise<void> {
  await page.getByRole("button", { name: `Actions for ${slug}`, exact: true }).click();
  await page.getByRole("menuitem", { name: action, exact: true }).click({ scroll: "none" });
}

export const dialogOf = (page: Page) => page.getByRole("dialog", { name: /link$/ });

const slugsOf = (page: Page): Promise<string[]> =>
  page
    .getByRole("list", { name: "Links" })
    .getByRole("checkbox", { name: /^Select / })
    .evaluateAll((boxes) => boxes.map((box) => (box.getAttribute("aria-label") ?? "").slice("Select ".length)));

export const shows = (page: Page, slugs: readonly string[]) =>
  until(`the list shows ${slugs}`, async () => JSON.stringify(await slugsOf(page)) === JSON.stringify(slugs));
