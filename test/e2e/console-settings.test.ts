import { describe, expect, test } from "bun:test";
import { getAccount, inviteMember } from "#contract/console/account.ts";
import { createLink } from "#contract/links.ts";
import { findAxeViolations, findInBothThemes, openConsolePage, untilLoaded } from "#test/support/console-page.ts";
import { openConsoleStage } from "#test/support/console-stage.ts";
import { solidPng } from "#test/support/pictures.ts";
import { until } from "#test/support/until.ts";

const TIMEOUT_MS = 600_000;
const PHONE = { width: 375, height: 740 };
const HOSTILE = `<img src=x onerror="document.title='run'">`;

const { site, browser, onStage } = await openConsoleStage();

describe("the account", () => {
  test(
    "is renamed by its owner, with problems shown at the field",
    () =>
      onStage("settings", async ({ page, me }) => {
        const field = page.getByLabel("Account name");
        await field.fill("\u0007bell");
        await page.getByRole("button", { name: "Save" }).click();
        await until("the field is marked invalid", () =>
          field.evaluate((input) => input.getAttribute("aria-invalid") === "true"),
        );
        await field.fill(HOSTILE);
        await page.getByRole("button", { name: "Save" }).click();
        await page.getByText("Saved.").waitFor();
        expect((await me.do(getAccount)).name).toBe(HOSTILE);
        await page.reload();
        await page.getByRole("banner").getByText(HOSTILE).waitFor();
        expect(await page.locator("img").count()).toBe(0);
      }),
    TIMEOUT_MS,
  );

  test(
    "has a logo that an admin can set, replace and remove, and other files are refused with a message",
    () =>
      onStage("settings", async ({ page, me }) => {
        const choose = async (buffer: Buffer) => {
          const name = (await me.do(getAccount)).has_logo ? "Replace the logo" : "Choose a PNG file";
          await page.getByLabel(name).setInputFiles({ name: "logo.png", mimeType: "image/png", buffer });
        };
        await choose(Buffer.from("no picture"));
        await page.getByRole("alert").getByText("The logo must be a PNG file.").waitFor();
        await choose(solidPng(300, 150, [200, 30, 90, 255]));
        const picture = page.getByAltText("The account’s logo");
        await picture.waitFor();
        await until("the picture is shown", () =>
          picture.evaluate((image) => Number(Reflect.get(image, "naturalWidth")) > 0),
        );
        expect((await me.do(getAccount)).has_logo).toBe(true);
        expect(await findAxeViolations(page)).toEqual([]);
        await page.getByRole("button", { name: "Remove the logo" }).click();
        await page.getByText("Choose a PNG file").waitFor();
        expect((await me.do(getAccount)).has_logo).toBe(false);
      }),
    TIMEOUT_MS,
  );

  test(
    "is deleted only after typing its name, and is then gone",
    () =>
      onStage("settings", async ({ page, me }) => {
        await page.getByRole("button", { name: "Delete account" }).click();
        const dialog = page.getByRole("dialog");
        const confirm = dialog.getByRole("button", { name: "Delete for good" });
        expect(await confirm.isDisabled()).toBe(true);
        await dialog.getByLabel("Type “Other” to confirm").fill("other");
        expect(await confirm.isDisabled()).toBe(true);
        await dialog.getByLabel("Type “Other” to confirm").fill("Other");
        await confirm.click();
        await until("the person has no account", async () => (await me.state()).session?.accounts.length === 0);
        await page.waitForURL(/\/console\/?$/);
        await page.getByRole("heading", { name: "You’re not in any account" }).waitFor();
      }),
    TIMEOUT_MS,
  );
});

test(
  "links are downloaded as CSV and as JSON",
  () =>
    onStage("settings/export", async ({ page, me }) => {
      await me.do(createLink, { body: { destination_url: "https://example.com/sale", title: "Sale" } });
      for (const format of ["CSV", "JSON"]) {
        const download = page.waitForEvent("download");
        await page.getByRole("link", { name: `Download ${format}` }).click();
        const file = await download;
        expect(file.suggestedFilename()).toMatch(new RegExp(`^links-[0-9-]+\\.${format.toLowerCase()}$`));
        expect(await Bun.file(await file.path()).text()).toContain("https://example.com/sale");
      }
    }),
  TIMEOUT_MS,
);

test(
  "a selected theme is kept, whatever the system setting",
  () =>
    onStage("settings/appearance", async ({ page }) => {
      await page.emulateMedia({ colorScheme: "light" });
      await page.getByLabel("Dark").waitFor();
      const background = () => page.evaluate<string>("getComputedStyle(document.body).backgroundColor");
      const light = await background();
      await page.getByLabel("Dark").check();
      await until("it is dark", async () => (await background()) !== light);
      await page.reload();
      await page.getByRole("radio", { name: "Dark", checked: true }).waitFor();
      expect(await background()).not.toBe(light);
      await page.getByLabel("System").check();
      await until("it is light again", async () => (await background()) === light);
    }),
  TIMEOUT_MS,
);

test(
  "every settings page passes the accessibility checker and fits a phone",
  async () => {
    const me = await site.newOwner();
    await me.do(inviteMember, { body: { email: "axe@example.com", role: "member" } });
    const pages = ["", "/members", "/security", "/appearance", "/export", "/audit"];
    const { page, close } = await openConsolePage(browser, me, `/a/${me.account}/settings`);
    for (const path of pages) {
      await page.goto(`${me.url}/console/a/${me.account}/settings${path}`);
      await page.getByRole("heading", { level: 2 }).first().waitFor();
      await untilLoaded(page);
      expect({ path, found: await findInBothThemes(page) }).toEqual({ path, found: [] });
      await page.setViewportSize(PHONE);
      expect(await page.evaluate("document.documentElement.scrollWidth <= innerWidth")).toBe(true);
      await page.setViewportSize({ width: 1280, height: 800 });
    }
    await page.getByRole("link", { name: "Members" }).click();
    await page.getByRole("button", { name: "Invite", exact: true }).click();
    await page.getByRole("dialog").waitFor();
    expect(await findInBothThemes(page)).toEqual([]);
    await close();
  },
  TIMEOUT_MS,
);
