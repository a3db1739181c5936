import { expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import jsQR from "jsqr";
import { PNG } from "pngjs";
import { setLogo } from "#contract/console/logo.ts";
import { createLink } from "#contract/links.ts";
import { launchBrowserBeside } from "#test/support/browser-beside.ts";
import { startConsole } from "#test/support/console-client.ts";
import { findAxeViolations, openConsolePage } from "#test/support/console-page.ts";
import { solidPng } from "#test/support/pictures.ts";

const TIMEOUT_MS = 600_000;

const site = await startConsole();
const browser = await launchBrowserBeside(site);

test(
  "a code is shown, styled and downloaded, and leads to the link; an unreadable one is refused with the reason",
  async () => {
    const { owner } = site;
    const link = await owner.do(createLink, { body: { destination_url: "https://example.com/", slug: "to-scan" } });
    const watched = await openConsolePage(browser, owner, `/a/${owner.account}/links?qr=${link.id}`);
    const { page } = watched;
    const dialog = page.getByRole("dialog", { name: "QR code" });
    await dialog.getByRole("img", { name: `QR code of ${link.short_url}` }).waitFor();
    expect(await findAxeViolations(page)).toEqual([]);
    await dialog.getByText("Admins add a logo of your own in the settings.").waitFor();
    expect(await dialog.getByLabel("In the middle").innerText()).not.toContain("Your logo");
    await dialog.getByText("Rounded").click();
    await dialog.getByRole("checkbox", { name: /Count scans apart/ }).check();
    const downloading = page.waitForEvent("download");
    await dialog.getByRole("button", { name: "PNG" }).click();
    const download = await downloading;
    expect(download.suggestedFilename()).toBe("to-scan.png");
    const { data, width, height } = PNG.sync.read(readFileSync(await download.path()));
    expect(width).toBe(1024);
    expect(jsQR(new Uint8ClampedArray(data), width, height)?.data).toBe(`${link.short_url}?qr=1`);
    await dialog.getByLabel("Colour", { exact: true }).fill("#ffffff");
    await dialog
      .getByRole("alert")
      .getByText(/contrast/)
      .waitFor();
    expect(await dialog.getByRole("button", { name: "PNG" }).isDisabled()).toBe(true);
    await watched.close();
    expect(watched.scriptErrors).toEqual([]);
    expect(watched.policyViolations).toEqual([]);
  },
  TIMEOUT_MS,
);

test(
  "the account's logo is offered once there is one",
  async () => {
    const owner = await site.newOwner();
    const link = await owner.do(createLink, { body: { destination_url: "https://example.com/" } });
    const openDialog = () => openConsolePage(browser, owner, `/a/${owner.account}/links?qr=${link.id}`);
    const own = { hasText: "Your logo" };

    const before = await openDialog();
    await before.page.getByRole("img", { name: `QR code of ${link.short_url}` }).waitFor();
    // Now the page knows that there is none.
    await before.page.getByText("Admins add a logo of your own in the settings.").waitFor();
    expect(await before.page.getByLabel("In the middle").locator("option", own).count()).toBe(0);
    await before.close();

    await owner.do(setLogo, { body: { png: solidPng(60, 60, [200, 30, 90, 255]).toString("base64") } });
    const after = await openDialog();
    await after.page.getByLabel("In the middle").locator("option", own).waitFor({ state: "attached" });
    await after.close();
  },
  TIMEOUT_MS,
);
