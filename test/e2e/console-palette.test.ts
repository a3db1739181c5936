import { expect, test } from "bun:test";
import type { Page } from "playwright-core";
import { createLink } from "#contract/links.ts";
import { expectAccessible } from "#test/support/console-page.ts";
import { openConsoleStage } from "#test/support/console-stage.ts";
import { until } from "#test/support/until.ts";

const TIMEOUT_MS = 600_000;

const { site, onStage } = await openConsoleStage();

async function search(page: Page, text: string): Promise<void> {
  await page.keyboard.press("Control+k");
  await page.locator("[role=combobox]:focus").waitFor();
  await page.keyboard.type(text);
}

/** Types a text, and runs what it finds first. */
async function run(page: Page, text: string): Promise<void> {
  await search(page, text);
  await page.getByRole("option", { selected: true }).waitFor();
  await page.keyboard.press("Enter");
}

const finds: readonly (readonly [text: string, first: RegExp, then: (page: Page) => Promise<unknown>])[] = [
  ["token", /Create API token|API tokens/, (page) => page.waitForURL(/\/developer\/tokens/)],
  ["new token", /Create API token/, (page) => page.getByRole("dialog", { name: "Create token" }).waitFor()],
  ["webhook", /Webhooks|Add webhook endpoint/, (page) => page.waitForURL(/\/developer\/webhooks/)],
  ["invite", /Invite someone/, (page) => page.getByRole("dialog", { name: "Invite someone" }).waitFor()],
  ["export", /Export/, (page) => page.waitForURL(/\/settings\/export$/)],
  ["password", /Change password/, (page) => page.getByLabel("Current password").waitFor()],
  ["2fa", /Sign-in and security/, (page) => page.waitForURL(/\/personal$/)],
  ["trash", /^Trash/, (page) => page.waitForURL(/\/links\?show=deleted$/)],
  ["audit", /Audit log/, (page) => page.waitForURL(/\/settings\/audit/)],
  ["member", /Members/, (page) => page.waitForURL(/\/settings\/members/)],
  ["analytics", /Reports|Report of a link/, (page) => page.waitForURL(/\/reports/)],
  [
    "theme",
    /theme/,
    (page) => until("it is kept", () => page.evaluate<boolean>("localStorage.getItem('kurz.theme') !== null")),
  ],
  ["shortcuts", /Keyboard shortcuts/, (page) => page.getByRole("dialog", { name: "Keyboard shortcuts" }).waitFor()],
  ["changelog", /What’s new/, (page) => page.getByRole("dialog", { name: "What’s new" }).waitFor()],
];

test.each(finds)(
  "the palette finds %p, by keyboard alone",
  (text, first, then) =>
    onStage("domains", async ({ page }) => {
      await page.getByRole("heading", { level: 1, name: "Domains" }).waitFor();
      await search(page, text);
      await page.getByRole("option", { name: first, selected: true }).waitFor();
      if (text === "analytics") await page.getByRole("option", { name: "Reports" }).click();
      else await page.keyboard.press("Enter");
      await then(page);
    }),
  TIMEOUT_MS,
);

test(
  "docs open beside the console",
  () =>
    onStage("links", async ({ page }) => {
      await page.getByRole("heading", { level: 1, name: "Links" }).waitFor();
      const opened = page.context().waitForEvent("page");
      await run(page, "docs api ref");
      await (await opened).waitForURL(/\/docs/);
      expect(page.url()).toEndWith("/links");
    }),
  TIMEOUT_MS,
);

test(
  "the QR code of any link is two steps away, and Escape takes one back",
  async () => {
    const me = await site.newOwner();
    for (const title of ["Spring sale", "Summer sale"]) {
      await me.do(createLink, { body: { destination_url: "https://example.com/", title } });
    }
    await onStage(
      "reports",
      async ({ page }) => {
        await page.getByRole("heading", { level: 1, name: "Reports" }).waitFor();
        await run(page, "qr");
        await page.getByRole("option", { name: /Summer sale/ }).waitFor();
        await expectAccessible(page);
        await page.keyboard.press("Escape");
        await page.getByRole("option", { name: "QR code of a link…" }).waitFor();
        await page.keyboard.type("qr");
        await page.keyboard.press("Enter");
        await page.getByRole("option", { name: /Summer sale/ }).waitFor();
        await page.keyboard.type("spring");
        await page.getByRole("option", { name: /Summer sale/ }).waitFor({ state: "detached" });
        await page.getByRole("option", { name: /Spring sale/ }).waitFor();
        await page.keyboard.press("Enter");
        await page.getByRole("dialog", { name: "QR code" }).getByRole("img").waitFor();
      },
      me,
    );
  },
  TIMEOUT_MS,
);

test(
  "Enter takes what the text finds, even if the links of an earlier text are still on screen",
  async () => {
    const me = await site.newOwner();
    const create = (title: string) => me.do(createLink, { body: { destination_url: "https://example.com/", title } });
    const spring = await create("Spring sale");
    await create("Summer sale");
    await onStage(
      "domains",
      async ({ page }) => {
        await page.getByRole("heading", { level: 1, name: "Domains" }).waitFor();
        await run(page, "report of");
        await page.getByRole("option", { name: /Summer sale/, selected: true }).waitFor();
        await page.keyboard.type("spring");
        await page.keyboard.press("Enter");
        await page.waitForURL(/\/links\/lnk_/);
        expect(page.url()).toContain(spring.id);
      },
      me,
    );
  },
  TIMEOUT_MS,
);

test(
  "people are only offered what their role allows",
  async () => {
    const viewer = await site.newMember("viewer");
    await onStage(
      "links",
      async ({ page }) => {
        await page.getByRole("heading", { level: 1, name: "Links" }).waitFor();
        await search(page, "");
        await page.getByRole("option", { name: "Links", exact: true }).waitFor();
        const offered = await page.getByRole("option").allInnerTexts();
        const refused = ["Create link", "Create API token", "Invite someone", "Add domain", "API tokens", "Audit log"];
        expect(offered.filter((label) => refused.includes(label.trim()))).toEqual([]);
      },
      viewer,
    );
  },
  TIMEOUT_MS,
);

test(
  "the help menu has the docs, the keys, the news and the theme",
  () =>
    onStage("links", async ({ page }) => {
      const help = page.getByRole("button", { name: /^Help/ });
      await help.press("Enter");
      await page.getByRole("menuitem", { name: "API reference" }).waitFor();
      await expectAccessible(page);
      await page.getByRole("menuitem", { name: "What’s new" }).press("Enter");
      await page.getByRole("dialog", { name: "What’s new" }).waitFor();
      await expectAccessible(page);
      await page.keyboard.press("Escape");
      await page.getByRole("dialog").waitFor({ state: "detached" });
      // What was read is no news any more.
      await page.getByRole("button", { name: "Help", exact: true }).press("Enter");
      await page.getByRole("menuitemradio", { name: "Dark theme" }).press("Enter");
      await until("it is dark", () => page.evaluate<boolean>("document.documentElement.dataset.theme === 'dark'"));
      await page.getByRole("button", { name: "Help", exact: true }).press("Enter");
      await page.getByRole("menuitem", { name: "Keyboard shortcuts" }).press("Enter");
      await page.getByRole("dialog", { name: "Keyboard shortcuts" }).waitFor();
    }),
  TIMEOUT_MS,
);

test(
  "settings of the account and of the person are apart, and old addresses lead there",
  () =>
    onStage("settings/security", async ({ page, go }) => {
      await page.getByRole("heading", { level: 1, name: "Personal settings" }).waitFor();
      await page.waitForURL(/\/personal$/);
      await expectAccessible(page);
      await go("settings/appearance");
      await page.waitForURL(/\/personal\/appearance$/);
      await go("settings");
      await page.getByRole("heading", { level: 1, name: "Settings" }).waitFor();
      const tabs = page.getByRole("navigation", { name: "Settings" }).getByRole("link");
      expect(await tabs.allInnerTexts()).toEqual(["General", "Members", "Tags", "Import", "Export", "Audit log"]);
      await page.getByRole("button", { name: /^Account: / }).press("Enter");
      await page.getByRole("menuitem", { name: "Personal settings" }).press("Enter");
      await page.getByRole("heading", { level: 1, name: "Personal settings" }).waitFor();
    }),
  TIMEOUT_MS,
);
