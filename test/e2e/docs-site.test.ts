import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import type { BrowserContextOptions, Page } from "playwright-core";
import { openWatchedPage, type WatchedPage } from "#test/support/browser.ts";
import { launchBrowserBeside } from "#test/support/browser-beside.ts";
import { WIDTHS } from "#test/support/console-layout.ts";
import { findAxeViolations } from "#test/support/console-page.ts";
import { docsPaths } from "#test/support/docs-page.ts";
import { startKurz } from "#test/support/kurz-server.ts";
import { until } from "#test/support/until.ts";

const TIMEOUT_MS = 600_000;
const REFERENCE = "/docs/api";
const guides = docsPaths.filter((path) => path !== REFERENCE);

const kurz = await startKurz({ env: { KURZ_REDIRECT_PROCESSES: "1" } });
const browser = await launchBrowserBeside(kurz);
const origin = `http://localhost:${kurz.port}`;

/** Nothing may have gone wrong on a page, and nothing may have left the instance. */
function expectNoTrouble({ scriptErrors, policyViolations, consoleErrors, requests }: WatchedPage): void {
  expect(scriptErrors).toEqual([]);
  expect(policyViolations).toEqual([]);
  // On a slow machine the browser reports that the font was preloaded too early.
  expect(consoleErrors.filter((text) => !text.includes("preload"))).toEqual([]);
  expect(requests.filter((url) => !url.startsWith(`${origin}/`))).toEqual([]);
}

async function reading(
  path: string,
  work: (page: Page, watched: WatchedPage) => Promise<void>,
  options: BrowserContextOptions = {},
): Promise<void> {
  const watched = await openWatchedPage(browser, options);
  try {
    await watched.page.goto(origin + path);
    await work(watched.page, watched);
    expectNoTrouble(watched);
  } finally {
    await watched.close();
  }
}

const heading = (page: Page) => page.getByRole("heading", { level: 1 }).innerText();
/** A page keeps room for a scroll bar, so it may also be narrower. */
const excessOf = (page: Page) =>
  page.evaluate<number>("Math.max(0, document.documentElement.scrollWidth - document.documentElement.clientWidth)");

describe("every page fits every screen, and the accessibility checker finds nothing", () => {
  // A page of its own for each would take longer to open than to check.
  let watched: WatchedPage;
  beforeAll(async () => {
    watched = await openWatchedPage(browser);
  });
  afterAll(() => watched?.close());

  test.each(guides)(
    "%s",
    async (path) => {
      const { page, scriptErrors, policyViolations, consoleErrors, requests } = watched;
      for (const list of [scriptErrors, policyViolations, consoleErrors, requests]) list.length = 0;
      await page.goto(origin + path);
      for (const width of WIDTHS) {
        await page.setViewportSize({ width, height: 900 });
        expect({ width, excess: await excessOf(page) }).toEqual({ width, excess: 0 });
      }
      // The pages have the same parts, so each is checked one way, and the first two both ways.
      const at = guides.indexOf(path);
      const looks = [
        { colorScheme: "light", width: 1280 },
        { colorScheme: "dark", width: 375 },
      ] as const;
      for (const look of at < 2 ? looks : [looks[at % 2 === 0 ? 0 : 1]]) {
        await page.emulateMedia({ colorScheme: look.colorScheme });
        await page.setViewportSize({ width: look.width, height: 900 });
        expect({ ...look, found: await findAxeViolations(page) }).toEqual({ ...look, found: [] });
      }
      expectNoTrouble(watched);
    },
    TIMEOUT_MS,
  );
});

test(
  "readers find their way: from a card to a page, by the menu, and on to the next page",
  () =>
    reading("/docs", async (page) => {
      await page
        .getByRole("main")
        .getByRole("link", { name: /^Webhooks/ })
        .click();
      await until("the page is open", async () => (await heading(page)) === "Webhooks");
      const menu = page.getByRole("navigation", { name: "Documentation" });
      expect(await menu.locator("[aria-current=page]").innerText()).toBe("Webhooks");
      const contents = page.getByRole("navigation", { name: "On this page" });
      await contents.getByRole("link", { name: "Verifying" }).click();
      await until(
        "the section is marked",
        async () => (await contents.locator("[aria-current]").innerText()) === "Verifying",
      );
      await menu.getByRole("link", { name: "QR codes" }).click();
      await until("the page is open", async () => (await heading(page)) === "QR codes");
      const next = page.getByRole("navigation", { name: "Previous and next page" }).locator("[rel=next]");
      const path = await next.getAttribute("href");
      await next.click();
      await page.waitForURL(`${origin}${path}`);
    }),
  TIMEOUT_MS,
);

test(
  "on a phone, menu and sections open over the page, and without a script, too",
  async () => {
    for (const javaScriptEnabled of [true, false]) {
      await reading(
        "/docs/webhooks",
        async (page) => {
          const menu = page.getByRole("navigation", { name: "Documentation" });
          expect(await menu.isVisible()).toBe(false);
          await page.getByRole("button", { name: "On this page" }).click();
          await page.getByRole("navigation", { name: "On this page" }).getByRole("link", { name: "Headers" }).click();
          await page.waitForURL(/#headers$/);
          await page.keyboard.press("Escape");
          await page.getByRole("button", { name: "Menu" }).click();
          await menu.getByRole("link", { name: "Plans" }).click();
          await page.waitForURL(`${origin}/docs/plans`);
          expect(await heading(page)).toBe("Plans");
        },
        { viewport: { width: 375, height: 800 }, javaScriptEnabled },
      );
    }
  },
  TIMEOUT_MS,
);

describe("the search", () => {
  test(
    "works by keyboard alone: a slash, words, arrows, Enter",
    () =>
      reading("/docs", async (page, { requests }) => {
        const isIndex = (url: string): boolean => url.includes("/docs/assets/search.");
        expect(requests.some(isIndex)).toBe(false);
        await page.keyboard.press("/");
        const field = page.getByRole("combobox", { name: "Search the docs" });
        await field.waitFor();
        await page.keyboard.type("wrong passwords link");
        const options = page.getByRole("option");
        await options.first().waitFor();
        expect(requests.filter(isIndex)).toHaveLength(1);
        const selected = page.locator("[role=option][aria-selected=true]");
        const first = await selected.getAttribute("id");
        await page.keyboard.press("ArrowDown");
        expect(await selected.getAttribute("id")).not.toBe(first);
        expect(await field.getAttribute("aria-activedescendant")).toBe(await selected.getAttribute("id"));
        await page.keyboard.press("ArrowUp");
        expect(await findAxeViolations(page)).toEqual([]);
        const path = await selected.getAttribute("href");
        await page.keyboard.press("Enter");
        await page.waitForURL(`${origin}${path}`);
        expect(path).toStartWith("/docs/links#");
      }),
    TIMEOUT_MS,
  );

  test(
    "says when there is nothing, closes with Escape, and doesn't take a slash from a field",
    () =>
      reading("/docs/links", async (page) => {
        await page.getByRole("button", { name: "Search the docs" }).click();
        const dialog = page.getByRole("dialog", { name: "Search" });
        await page.keyboard.type("qqqq/b");
        await dialog.getByText("No results for “qqqq/b”.").waitFor();
        await page.keyboard.press("Escape");
        await page.keyboard.press("Escape");
        await dialog.waitFor({ state: "hidden" });
      }),
    TIMEOUT_MS,
  );

  test(
    "finds operations of the API, and opens them in the reference",
    () =>
      reading("/docs/links", async (page) => {
        await page.keyboard.press("Control+k");
        await page.keyboard.type("GET /api/v1/me");
        await page.getByRole("option", { name: /Retrieve the current identity/ }).click();
        await page.waitForURL(`${origin}/docs/api#/Identity/me.get`);
        await page.locator(".opblock.is-open", { hasText: "/api/v1/me" }).first().waitFor();
      }),
    TIMEOUT_MS,
  );
});

test(
  "a button copies an example, with the instance's own address in it",
  () =>
    reading(
      "/docs/qr",
      async (page) => {
        const block = page.locator(".code-block").first();
        await block.hover();
        const button = block.getByRole("button");
        await button.click();
        await until("it is copied", async () => (await button.innerText()) === "Copied");
        const copied = await page.evaluate<string>("navigator.clipboard.readText()");
        expect(copied).toStartWith(`curl -s "${origin}/api/v1/links/$LINK/qr"`);
        expect(copied).toBe(await block.locator("code").innerText());
      },
      { permissions: ["clipboard-read", "clipboard-write"] },
    ),
  TIMEOUT_MS,
);

test(
  "on a phone, the copy button is beside the code, and a wide table keeps its first column",
  () =>
    reading(
      "/docs/configuration",
      async (page) => {
        const table = page.getByRole("group", { name: "Table: " }).first();
        const place = await table.boundingBox();
        await table.evaluate((element) => element.scrollTo({ left: element.scrollWidth }));
        const name = await table.getByText("KURZ_HOST", { exact: true }).boundingBox();
        expect(name?.x).toBeGreaterThanOrEqual(place?.x ?? Number.POSITIVE_INFINITY);
        await page.goto(`${origin}/docs/webhooks`);
        const block = page.locator(".code-block").first();
        const button = await block.getByRole("button").boundingBox();
        const code = await block.locator("pre").boundingBox();
        expect((button?.y ?? 0) + (button?.height ?? 0)).toBeLessThanOrEqual(code?.y ?? 0);
      },
      { viewport: { width: 360, height: 800 } },
    ),
  TIMEOUT_MS,
);

test(
  "the theme is the console's: what is chosen here holds there, and pictures follow it",
  () =>
    reading(
      "/docs/sharing",
      async (page) => {
        const shown = () => page.locator("picture img").evaluate((image: { currentSrc: string }) => image.currentSrc);
        await page.locator("picture img").scrollIntoViewIfNeeded();
        await until("the light picture is shown", async () => (await shown()).includes("-light."));
        await page.getByRole("button", { name: "Switch to the dark theme" }).click();
        await until("the dark picture is shown", async () => (await shown()).includes("-dark."));
        expect(await page.evaluate<string>("localStorage.getItem('kurz.theme')")).toBe("dark");
        await page.reload();
        expect(await page.evaluate<string>("getComputedStyle(document.body).backgroundColor")).toBe("rgb(11, 12, 15)");
      },
      { colorScheme: "light" },
    ),
  TIMEOUT_MS,
);

test(
  "an address that doesn't exist leads back",
  async () => {
    const watched = await openWatchedPage(browser);
    const response = await watched.page.goto(`${origin}/docs/nothing`);
    expect(response?.status()).toBe(404);
    await watched.page.getByRole("main").getByRole("link", { name: "Start page" }).click();
    await watched.page.waitForURL(`${origin}/docs`);
    await watched.close();
  },
  TIMEOUT_MS,
);
