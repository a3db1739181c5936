import { beforeAll, describe, expect, test } from "bun:test";
import type { BrowserContextOptions, Page, Request } from "playwright-core";
import { createLink, listLinks, pauseLink } from "#contract/links.ts";
import type { WatchedPage } from "#test/support/browser.ts";
import { launchBrowserBeside } from "#test/support/browser-beside.ts";
import { type ConsoleClient, OWNER_EMAIL, PASSWORD, startConsole } from "#test/support/console-client.ts";
import { findInBothThemes, openConsolePage } from "#test/support/console-page.ts";
import { eventually } from "#test/support/eventually.ts";
import { until } from "#test/support/until.ts";

const TIMEOUT_MS = 600_000;
const FIRST_LOAD_BYTES_MAX = 200_000;
const LINKS = 300;
const LINKS_FEW = 3;
const FEW = "few-";
const HOSTILE = `<script>document.title="owned"</script><img src=x onerror=alert(1)>"'`;

const site = await startConsole({ KURZ_RATE_LIMIT_PER_MINUTE: "0" });
const browser = await launchBrowserBeside(site);

const { owner } = site;
const listPath = (client: ConsoleClient, search = "") => `/a/${client.account}/links${search}`;

async function watching(
  client: ConsoleClient,
  act: (watched: WatchedPage) => Promise<void>,
  { search = "", ...options }: BrowserContextOptions & { readonly search?: string } = {},
): Promise<void> {
  const watched = await openConsolePage(browser, client, listPath(client, search), options);
  await act(watched).finally(() => watched.close());
  expect(watched.scriptErrors).toEqual([]);
  expect(watched.policyViolations).toEqual([]);
}

const listOf = (page: Page) => page.getByRole("list", { name: "Links", exact: true });

/** Someone with the same kinds of links, but few of them. */
const few = await site.newOwner();

async function addLinks(client: ConsoleClient, count: number, prefix: string): Promise<void> {
  for (let number = 0; number < count; number += 1) {
    const body = { slug: `${prefix}row-${number}`, destination_url: "https://example.com/", tags: ["spring"] };
    await client.do(createLink, { body });
  }
  const paused = await client.do(createLink, {
    body: { destination_url: "https://example.com/", slug: `${prefix}asleep`, title: "Asleep" },
  });
  await client.do(pauseLink, { params: { id: paused.id } });
  const odd = {
    destination_url: `https://example.com/?q=${encodeURIComponent(HOSTILE)}#"><script>alert(1)</script>`,
    title: HOSTILE,
    tags: [`<img src=x onerror=alert(1)>`],
    slug: `${prefix}hostile`,
  };
  await client.do(createLink, { body: odd });
}

beforeAll(async () => {
  await addLinks(owner, LINKS, "");
  await addLinks(few, LINKS_FEW, FEW);
}, TIMEOUT_MS);

test(
  "an address opened while signed out leads there after signing in",
  async () => {
    const [link] = (await owner.do(listLinks)).data;
    const path = `/a/${owner.account}/links/${link?.id}`;
    const watched = await openConsolePage(browser, site.guest(), path);
    const { page } = watched;
    await page.getByLabel("E-mail address").fill(OWNER_EMAIL);
    await page.getByLabel("Password").fill("not the password");
    await page.getByRole("button", { name: "Sign in", exact: true }).click();
    await page.getByText("The e-mail address or password is wrong.").waitFor();
    await page.getByLabel("Password").fill(PASSWORD);
    await page.getByRole("button", { name: "Sign in", exact: true }).click();
    await page.waitForURL(`**/console${path}`);
    await page.getByRole("heading", { level: 1, name: HOSTILE }).waitFor();
    await watched.close();
    expect(watched.scriptErrors).toEqual([]);
  },
  TIMEOUT_MS,
);

describe("in both themes the accessibility checker finds nothing in", () => {
  // The checker looks at every row for each of them, so those of the long list are checked once.
  test.each([
    { width: 1280, height: 800 },
    { width: 375, height: 740 },
  ])(
    "a long list, and a list with its menus, dialogs and overlays ($width)",
    async (viewport) => {
      const clean = async (page: Page, what: string) =>
        expect([what, ...(await findInBothThemes(page))]).toEqual([what]);
      await watching(
        owner,
        async ({ page }) => {
          await page.getByRole("checkbox", { name: "Select hostile" }).waitFor();
          await clean(page, "long list");
        },
        { viewport },
      );
      await watching(
        few,
        async ({ page }) => {
          await listOf(page).waitFor();
          await clean(page, "list");
          await page.getByRole("button", { name: `Actions for ${FEW}asleep` }).click();
          await page.getByRole("menuitem", { name: "Edit" }).waitFor();
          await clean(page, "menu");
          await page.keyboard.press("Escape");
          await page.getByRole("button", { name: /^Tags/ }).click();
          await page.getByRole("checkbox", { name: /^spring/ }).waitFor();
          await clean(page, "tag filter");
          await page.keyboard.press("Escape");
          await page.getByRole("checkbox", { name: `Select ${FEW}asleep` }).check();
          await page.getByRole("region", { name: "Selected links" }).waitFor();
          await clean(page, "selected links");
          await page.getByRole("button", { name: "Tag", exact: true }).click();
          await page.getByRole("button", { name: /^spring/ }).waitFor();
          await clean(page, "tags of selected links");
          await page.keyboard.press("Escape");
          await page.getByRole("button", { name: "Clear selection" }).click();
          await page.getByRole("button", { name: "Create link" }).click();
          const dialog = page.getByRole("dialog", { name: "Create link" });
          await dialog.getByText("UTM parameters").click();
          await dialog.getByLabel("Destination").fill("nonsense");
          await dialog.getByRole("button", { name: "Create link" }).click();
          await dialog.locator("[aria-invalid=true]").first().waitFor();
          await clean(page, "form with problems");
          await page.keyboard.press("Escape");
          await dialog.getByRole("button", { name: "Discard" }).click();
          await page.getByRole("button", { name: "Search and commands" }).click();
          await page.getByRole("option").first().waitFor();
          await clean(page, "palette");
          await page.keyboard.press("Escape");
          // Or the next key would be a word to search for.
          await page.getByRole("option").first().waitFor({ state: "detached" });
          await page.keyboard.press("?");
          await page.getByRole("dialog", { name: "Keyboard shortcuts" }).waitFor();
          await clean(page, "help");
          await page.keyboard.press("Escape");
          await page.getByLabel("Search links").fill("no such link");
          await page.getByText("No link matches").waitFor();
          await clean(page, "nothing found");
        },
        { viewport },
      );
    },
    TIMEOUT_MS,
  );
});

test(
  "hostile text in title, tag and destination is shown as text everywhere",
  () =>
    watching(owner, async ({ page, requests }) => {
      await page.getByText(HOSTILE).first().waitFor();
      const [link] = (await owner.do(listLinks, { query: { slug: "hostile" } })).data;
      await page.getByRole("button", { name: /^Tags/ }).click();
      await page.getByRole("checkbox", { name: /onerror/ }).waitFor();
      await page.keyboard.press("Escape");
      await page.keyboard.press("Control+k");
      await page.getByRole("combobox", { name: "Search links and commands" }).waitFor();
      await page.keyboard.type("onerror");
      await page.getByRole("option", { name: /onerror/ }).waitFor();
      await page.keyboard.press("Enter");
      const dialog = page.getByRole("dialog", { name: "Edit link" });
      expect(await dialog.getByLabel("Title").inputValue()).toBe(HOSTILE);
      await dialog.getByText("UTM parameters").click();
      await dialog.getByLabel("Source").fill(HOSTILE);
      await dialog.getByLabel("Final address", { exact: true }).waitFor();
      expect(await page.title()).toBe("Links · Kurz");
      expect(requests.filter((url) => !url.startsWith(site.url) && !url.startsWith("blob:"))).toEqual([]);
      expect(link?.title).toBe(HOSTILE);
    }),
  TIMEOUT_MS,
);

test(
  "a viewer sees the links but no way to change them",
  async () => {
    const viewer = await site.newMember("viewer");
    await watching(viewer, async ({ page }) => {
      await listOf(page).waitFor();
      const steps = await page.evaluate("history.length");
      expect(await page.getByRole("button", { name: /^Create / }).count()).toBe(0);
      expect(await page.getByRole("checkbox").count()).toBe(0);
      await page.getByRole("button", { name: "Actions for asleep" }).click();
      await page.getByRole("menuitem").first().waitFor();
      expect(await page.getByRole("menuitem").allInnerTexts()).toEqual(["Report", "QR code", "History", "Preview"]);
      await page.keyboard.press("Escape");
      await page.keyboard.press("c");
      await page.getByRole("link", { name: /^Show asleep:/ }).click();
      const dialog = page.getByRole("dialog", { name: "Link" });
      await dialog.getByText("Paused").waitFor();
      expect(await dialog.getByRole("textbox").count()).toBe(0);
      // Of two keys and a click, only the click navigated.
      expect(await page.evaluate("history.length")).toBe(Number(steps) + 1);
    });
    await watching(
      viewer,
      async ({ page }) => {
        await listOf(page).waitFor();
        expect(await page.getByRole("dialog").count()).toBe(0);
      },
      { search: "?new=1" },
    );
  },
  TIMEOUT_MS,
);

test(
  "a long list renders only the rows near the screen, wherever it is scrolled to",
  () =>
    watching(owner, async ({ page }) => {
      await listOf(page).waitFor();
      const drawn = () => page.getByRole("checkbox", { name: /^Select/ }).count();
      await until("every page is read", async () => {
        await page.evaluate("scrollTo(0, document.body.scrollHeight)");
        return (await page.getByRole("checkbox", { name: "Select row-0", exact: true }).count()) === 1;
      });
      await eventually(async () => expect(await drawn()).toBeLessThan(60));
      await page.evaluate("scrollTo(0, 0)");
      await page.getByRole("checkbox", { name: "Select hostile" }).waitFor();
      await eventually(async () => expect(await drawn()).toBeLessThan(60));
    }),
  TIMEOUT_MS,
);

test.each(["en-US", "de-DE"])(
  "the first load of the list transfers no more than 200 kB (%s)",
  async (locale) => {
    const context = await browser.newContext({ locale });
    const cookies = await owner.jar.getCookies(owner.url);
    await context.addCookies(cookies.map(({ key, value }) => ({ name: key, value, url: owner.url })));
    const page = await context.newPage();
    const requests: Request[] = [];
    page.on("requestfinished", (request) => requests.push(request));
    await page.goto(`${site.url}/console${listPath(owner)}`);
    await listOf(page).waitFor();
    await page.waitForLoadState("networkidle");
    const loaded = await Promise.all(
      requests.map(async (request) => {
        const { responseBodySize, responseHeadersSize } = await request.sizes();
        return [request.url(), responseBodySize + responseHeadersSize] as const;
      }),
    );
    await context.close();
    const bytes = loaded.reduce((sum, [, size]) => sum + size, 0);
    expect(loaded.some(([url]) => /\/main\.\w+\.js$/.test(url))).toBe(true);
    // Requested by the page itself, and not again by the script.
    expect(loaded.filter(([url]) => url.endsWith("/console/api/state"))).toHaveLength(1);
    expect(bytes).toBeGreaterThan(50_000);
    expect(bytes).toBeLessThanOrEqual(FIRST_LOAD_BYTES_MAX);
  },
  TIMEOUT_MS,
);
