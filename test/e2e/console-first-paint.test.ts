import { describe, expect, test } from "bun:test";
import type { Page, Route } from "playwright-core";
import { createLink } from "#contract/links.ts";
import { openWatchedPage } from "#test/support/browser.ts";
import { findAxeViolations } from "#test/support/console-page.ts";
import { openConsoleStage } from "#test/support/console-stage.ts";
import { eventually } from "#test/support/eventually.ts";
import { until } from "#test/support/until.ts";

const TIMEOUT_MS = 600_000;

const { site, browser } = await openConsoleStage({ KURZ_RATE_LIMIT_PER_MINUTE: "0" });
const me = await site.newOwner();
const { id: link } = await me.do(createLink, {
  body: { slug: "first-paint", destination_url: "https://example.com/", title: "First paint" },
});

/** Keeps back answers to requests, as a slow network does, until they are released. */
async function holdBack(page: Page, pattern: RegExp) {
  const held: Route[] = [];
  let isOpen = false;
  await page.route(pattern, (route) => {
    if (isOpen) return route.continue();
    held.push(route);
  });
  return {
    count: () => held.length,
    async release(): Promise<void> {
      isOpen = true;
      await Promise.all(held.map((route) => route.continue()));
    },
  };
}

async function signedIn(colorScheme: "light" | "dark" = "light") {
  const watched = await openWatchedPage(browser, { colorScheme });
  const cookies = await me.jar.getCookies(me.url);
  await watched.page.context().addCookies(cookies.map(({ key, value }) => ({ name: key, value, url: me.url })));
  const open = (path: string) =>
    watched.page.goto(`${me.url}/console/a/${me.account}/${path}`, { waitUntil: "commit" });
  return { ...watched, open };
}

const splashOf = (page: Page) => page.getByRole("status", { name: "Loading", exact: true });

/** When the browser first painted anything, in milliseconds since it asked for the page. */
const FIRST_PAINT = `performance.getEntriesByName("first-contentful-paint")[0]?.startTime ?? null`;

const SCRIPT = /\/console\/assets\/main\.\w+\.js$/;
const STATE = /\/console\/api\/state$/;
const LIST = /\/console\/api\/v1\/links\?/;

/** It adds the place of notices. */
const HAS_SCRIPT_RUN = `document.querySelector("section[aria-live]") !== null`;

const linkRow = (page: Page) => page.getByRole("link", { name: /^Edit first-paint:/ });

const NOTE_SKELETONS = `
  globalThis.sawSkeleton = false;
  new MutationObserver(() => {
    if (document.querySelector("main [role=status][aria-label='Loading links']")) sawSkeleton = true;
  }).observe(document, { subtree: true, childList: true });
`;
const ARE_LINKS_THERE = `[...(globalThis.kurzPrefetched ?? [])]
  .some(([request, { content }]) => request.includes("/links?") && content !== undefined)`;

describe("on a slow network", () => {
  test.each(["light", "dark"] as const)(
    "the splash is painted before style sheet, script and session have arrived (%s)",
    async (colorScheme) => {
      const { page, open, close, policyViolations, scriptErrors } = await signedIn(colorScheme);
      const style = await holdBack(page, /\/console\/assets\/main\.\w+\.css$/);
      const script = await holdBack(page, SCRIPT);
      const state = await holdBack(page, STATE);
      await open("links");
      await splashOf(page).waitFor();
      await until("something is painted", async () => (await page.evaluate(FIRST_PAINT)) !== null);
      await eventually(async () => expect([style.count(), script.count(), state.count()]).toEqual([1, 1, 1]));
      expect(await findAxeViolations(page)).toEqual([]);
      await style.release();
      await script.release();
      await until("the script has run", () => page.evaluate<boolean>(HAS_SCRIPT_RUN));
      expect(await splashOf(page).count()).toBe(1);
      await state.release();
      await page.getByRole("heading", { name: "Links", level: 1 }).waitFor();
      await splashOf(page).waitFor({ state: "detached" });
      await close();
      expect([policyViolations, scriptErrors]).toEqual([[], []]);
    },
    TIMEOUT_MS,
  );

  test(
    "the links are requested while the script is on its way, and shown by its first render",
    async () => {
      const { page, open, close } = await signedIn();
      await page.addInitScript(NOTE_SKELETONS);
      const script = await holdBack(page, SCRIPT);
      await open("links");
      await until("the links have arrived", () => page.evaluate<boolean>(ARE_LINKS_THERE));
      await script.release();
      await linkRow(page).waitFor();
      expect(await page.evaluate<boolean>("sawSkeleton")).toBe(false);
      await close();
    },
    TIMEOUT_MS,
  );

  test(
    "links that arrive after the script are shown when they do, and requested only once",
    async () => {
      const { page, open, close, requests } = await signedIn();
      const list = await holdBack(page, LIST);
      await open("links");
      await page.getByRole("status", { name: "Loading links" }).waitFor();
      await list.release();
      await linkRow(page).waitFor();
      expect(requests.filter((url) => LIST.test(url))).toHaveLength(1);
      await close();
    },
    TIMEOUT_MS,
  );

  test(
    "links whose session arrives after the script are requested only once",
    async () => {
      const { page, open, close, requests } = await signedIn();
      const state = await holdBack(page, STATE);
      await open("links");
      await until("the script has run", () => page.evaluate<boolean>(HAS_SCRIPT_RUN));
      await state.release();
      await linkRow(page).waitFor();
      expect(requests.filter((url) => STATE.test(url) || LIST.test(url))).toHaveLength(2);
      await close();
    },
    TIMEOUT_MS,
  );

  test(
    "a line at the top shows that the next page is on its way",
    async () => {
      const { page, open, close } = await signedIn();
      await open("links");
      await page.getByRole("link", { name: /^Edit first-paint:/ }).waitFor();
      const code = await holdBack(page, /\/console\/assets\/chunk\./);
      await page.getByRole("navigation", { name: "Main" }).getByRole("link", { name: "Domains" }).click();
      await page.getByRole("status", { name: "Loading the page" }).waitFor();
      await page.getByRole("heading", { name: "Links", level: 1 }).waitFor();
      await code.release();
      await page.getByRole("heading", { name: "Domains", level: 1 }).waitFor();
      await page.getByRole("status", { name: "Loading the page" }).waitFor({ state: "detached" });
      await close();
    },
    TIMEOUT_MS,
  );

  test.each([
    "links",
    `links/${link}`,
    "reports",
    "domains",
    "developer/tokens",
    "developer/webhooks",
    "settings",
    "settings/members",
    "settings/security",
    "settings/audit",
  ])(
    "%s shows the shape of what is coming",
    async (path) => {
      const { page, open, close } = await signedIn();
      const answers = await holdBack(page, /\/console\/api\/(?!state$)/);
      await open(path);
      await page.locator("main .animate-pulse").first().waitFor();
      await answers.release();
      await until("it has come", async () => (await page.locator("main .animate-pulse").count()) === 0);
      await close();
    },
    TIMEOUT_MS,
  );
});

test(
  "a page that isn't there covers the splash, too",
  async () => {
    const { page, close } = await signedIn();
    await page.goto(`${me.url}/console/nothing-here`);
    await page.getByRole("heading", { name: "There is nothing here" }).waitFor();
    await splashOf(page).waitFor({ state: "detached" });
    await close();
  },
  TIMEOUT_MS,
);
