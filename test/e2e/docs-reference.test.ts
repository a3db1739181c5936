import { expect, test } from "bun:test";
import type { Page } from "playwright-core";
import { releasedEndpoints } from "#contract/index.ts";
import { openWatchedPage, type WatchedPage } from "#test/support/browser.ts";
import { launchBrowserBeside } from "#test/support/browser-beside.ts";
import { WIDTHS } from "#test/support/console-layout.ts";
import { startKurzWithApi } from "#test/support/link-api.ts";
import { until } from "#test/support/until.ts";

const TIMEOUT_MS = 600_000;

const { kurz, api } = await startKurzWithApi({ env: { KURZ_REDIRECT_PROCESSES: "1" } });
const browser = await launchBrowserBeside(kurz);
const origin = `http://localhost:${kurz.port}`;
const token = api.authorization.replace("Bearer ", "");

/** Opens the reference; afterwards nothing may have gone wrong in it, and nothing may have left the instance. */
async function inReference(
  address: string,
  work: (page: Page, watched: WatchedPage) => Promise<void>,
  { refused = [] }: { readonly refused?: readonly number[] } = {},
): Promise<void> {
  const watched = await openWatchedPage(browser);
  try {
    await watched.page.goto(address);
    await work(watched.page, watched);
    expect(watched.scriptErrors).toEqual([]);
    expect(watched.policyViolations).toEqual([]);
    // The browser reports each answer that isn't a success, and on a slow machine that the font was preloaded too early.
    const reports = watched.consoleErrors.filter((text) => !text.includes("preload"));
    expect(reports.map((text) => /status of (\d+)/.exec(text)?.[1] ?? text)).toEqual(refused.map(String));
    const host = new URL(address).origin;
    expect(watched.requests.filter((url) => !url.startsWith(`${host}/`) && !url.startsWith("data:"))).toEqual([]);
  } finally {
    await watched.close();
  }
}

/** The renderer escapes the dot in its ids. */
const operationOf = (page: Page, tag: string, id: string) =>
  page.locator(`[id="operations-${tag}-${id.replace(".", "\\\\.")}"]`);

const readCalls = async (page: Page): Promise<string[]> => {
  const operations = await page.locator(".opblock-summary-control").evaluateAll((summaries) =>
    summaries.map((summary) => {
      const path = summary.querySelector("[data-path]")?.getAttribute("data-path");
      return `${summary.querySelector(".opblock-summary-method")?.textContent} ${path}`;
    }),
  );
  // Webhooks are listed too, by name.
  return operations.filter((operation) => operation.includes(" /"));
};

async function expectEveryOperation(page: Page): Promise<void> {
  await until("the page is rendered", async () => (await readCalls(page)).length >= releasedEndpoints.length);
  expect((await readCalls(page)).sort()).toEqual(
    releasedEndpoints.map(({ method, path }) => `${method} ${path}`).sort(),
  );
  // Collapsed operations are rendered only when opened.
  const opener = page.locator(".opblock-post .opblock-summary-control").first();
  const opened = page.locator(".opblock.is-open");
  await opener.click();
  await opened.locator(".opblock-body .model-example").first().waitFor();
  const fonts = await page.evaluate<string[]>(
    `["body", ".opblock-tag", ".opblock-summary-path", ".token input"].map((selector) =>
      getComputedStyle(document.querySelector(selector)).fontFamily)`,
  );
  expect([fonts[1], fonts[2]]).toEqual([fonts[0], fonts[3]]);
  for (const width of WIDTHS) {
    await page.setViewportSize({ width, height: 900 });
    const excess = await page.evaluate<number>("document.documentElement.scrollWidth - innerWidth");
    expect({ width, excess: Math.max(0, excess) }).toEqual({ width, excess: 0 });
  }
  await opener.click();
  await opened.waitFor({ state: "detached" });
}

async function useToken(page: Page, text: string): Promise<void> {
  await page.getByLabel("Your API token").fill(text);
  await page.getByRole("button", { name: "Use token" }).click();
}

test(
  "the reference shows every operation on every screen, and readers try them with their own token, which stays in the memory of the page",
  () =>
    // Under another name than that of the base URL: requests go to where the page comes from.
    inReference(
      `http://127.0.0.1:${kurz.port}/docs/api`,
      async (page, { requests }) => {
        // On the same page, since rendering it takes many seconds.
        await expectEveryOperation(page);
        await useToken(page, token);
        await page.getByText(/Requests use the token “.+” of .+: .*links:read/).waitFor();
        const operation = operationOf(page, "Links", "links.create");
        await operation.locator(".opblock-summary-control").click();
        await operation.getByRole("button", { name: "Try it out" }).click();
        await operation
          .locator("textarea")
          .first()
          .fill('{ "destination_url": "https://example.com/tried", "slug": "tried-it" }');
        await operation.getByRole("button", { name: "Execute" }).click();
        await operation.locator(".live-responses-table .response-col_status", { hasText: "201" }).first().waitFor();
        expect(await operation.locator(".live-responses-table").innerText()).toContain('"slug": "tried-it"');
        expect((await fetch(`${origin}/tried-it`, { redirect: "manual" })).headers.get("location")).toBe(
          "https://example.com/tried",
        );

        expect(requests.filter((url) => url.includes(token))).toEqual([]);
        const kept = await page.evaluate<string>(
          "JSON.stringify([{ ...localStorage }, { ...sessionStorage }, document.cookie, location.href])",
        );
        expect(kept).not.toContain(token);
        expect(await page.getByLabel("Your API token").inputValue()).toBe("");

        await page.getByRole("button", { name: "Forget it" }).click();
        await page.getByText("Only this page keeps it").waitFor();
        const me = operationOf(page, "Identity", "me.get");
        await me.locator(".opblock-summary-control").click();
        await me.getByRole("button", { name: "Try it out" }).click();
        await me.getByRole("button", { name: "Execute" }).click();
        await me.locator(".live-responses-table .response-col_status", { hasText: "401" }).first().waitFor();
      },
      { refused: [401] },
    ),
  TIMEOUT_MS,
);

test(
  "a link to an operation opens it, also from where the reference was before",
  async () => {
    for (const path of ["/docs/api", "/docs", "/docs/"]) {
      await inReference(`${origin}${path}#/Identity/me.get`, async (page) => {
        await operationOf(page, "Identity", "me.get").and(page.locator(".is-open")).waitFor();
        expect(new URL(page.url()).pathname).toBe("/docs/api");
      });
    }
  },
  TIMEOUT_MS,
);
