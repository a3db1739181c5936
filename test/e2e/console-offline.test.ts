import { expect, test } from "bun:test";
import type { Page } from "playwright-core";
import { listLinks } from "#contract/links.ts";
import { expectAccessible } from "#test/support/console-page.ts";
import { intercept } from "#test/support/intercept.ts";
import { dialogOf, openLinkStage, shows } from "#test/support/link-stage.ts";
import { until } from "#test/support/until.ts";

const TIMEOUT_MS = 600_000;

const { onStage } = await openLinkStage();

const navigation = (page: Page, name: string) =>
  page.getByRole("navigation", { name: "Main" }).getByRole("link", { name });
const heading = (page: Page, name: string) => page.getByRole("heading", { level: 1, name, exact: true });
const offline = (page: Page) => page.getByText("You’re offline.");

/** Gone as soon as the page is loaded again. */
const mark = (page: Page) => page.evaluate("window.isSamePage = true");
const isMarked = (page: Page) => page.evaluate<boolean>("window.isSamePage === true");

test(
  "offline, opening a new page keeps the one on screen, and goes on once the connection is back",
  () =>
    onStage([{ slug: "still-here" }], async ({ page }) => {
      await shows(page, ["still-here"]);
      await mark(page);
      await page.context().setOffline(true);
      await navigation(page, "Reports").click();
      await offline(page).waitFor();
      await shows(page, ["still-here"]);
      await expectAccessible(page);
      await page.context().setOffline(false);
      await heading(page, "Reports").waitFor();
      await offline(page).waitFor({ state: "detached" });
      expect(await isMarked(page)).toBe(true);
    }),
  TIMEOUT_MS,
);

test(
  "offline, someone who opens a new page and returns isn't taken there later",
  () =>
    onStage([{ slug: "stay" }], async ({ page }) => {
      await shows(page, ["stay"]);
      await page.context().setOffline(true);
      await navigation(page, "Settings").click();
      await offline(page).waitFor();
      await navigation(page, "Links").click();
      await page.waitForURL(/\/links$/);
      const loaded = page.waitForResponse((response) => response.url().endsWith(".js"));
      await page.context().setOffline(false);
      await loaded;
      await offline(page).waitFor({ state: "detached" });
      await page.waitForLoadState("networkidle");
      await shows(page, ["stay"]);
      expect(page.url()).toEndWith("/links");
    }),
  TIMEOUT_MS,
);

test(
  "offline, C keeps the list, and the form opens once the connection is back",
  () =>
    onStage([{ slug: "listed" }], async ({ page, me }) => {
      await shows(page, ["listed"]);
      await mark(page);
      await page.context().setOffline(true);
      await page.keyboard.press("c");
      await offline(page).waitFor();
      await shows(page, ["listed"]);
      await page.context().setOffline(false);
      await dialogOf(page).getByLabel("Destination").fill("https://example.com/after-all");
      await page.context().setOffline(true);
      await page.keyboard.press("Enter");
      await dialogOf(page).getByText("Can’t reach the server.").waitFor();
      await page.context().setOffline(false);
      await page.keyboard.press("Enter");
      await dialogOf(page).waitFor({ state: "detached" });
      const { data } = await me.do(listLinks);
      expect(data.map((link) => link.destination_url)).toContain("https://example.com/after-all");
      expect(await isMarked(page)).toBe(true);
    }),
  TIMEOUT_MS,
);

test(
  "a server that is away is told apart from a browser that is offline",
  () =>
    onStage([{ slug: "up" }], async ({ page }) => {
      await shows(page, ["up"]);
      // This machine may have no network but its own.
      await page.evaluate(`Object.defineProperty(navigator, "onLine", { value: true })`);
      await intercept(page, "**/console/**", (route) => route.abort());
      await page.keyboard.press("?");
      await page.getByText("Can’t reach the server.").waitFor();
      await page.unroute("**/console/**");
      await page.getByRole("dialog", { name: "Keyboard shortcuts" }).waitFor();
      await until("nothing is said any more", async () => (await page.getByText("Can’t reach").count()) === 0);
    }),
  TIMEOUT_MS,
);
