import { expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import jsQR from "jsqr";
import type { Locator, Page } from "playwright-core";
import { PNG } from "pngjs";
import { getAccountAnalytics } from "#contract/analytics.ts";
import { getAccount } from "#contract/console/account.ts";
import { setLogo } from "#contract/console/logo.ts";
import { createLink } from "#contract/links.ts";
import { launchBrowserBeside } from "#test/support/browser-beside.ts";
import { startConsole } from "#test/support/console-client.ts";
import { expectAccessible, findAxeViolations, openConsolePage } from "#test/support/console-page.ts";
import { eventually } from "#test/support/eventually.ts";
import { solidPng } from "#test/support/pictures.ts";
import { until } from "#test/support/until.ts";

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
    await dialog.getByRole("link", { name: "Add your logo in Settings." }).waitFor();
    expect(await dialog.getByLabel("Logo").innerText()).not.toContain("Your logo");
    await dialog.getByText("Rounded").click();
    // Scans are tracked unless someone doesn't want it.
    await dialog.getByRole("checkbox", { name: "Track QR scans separately", checked: true }).waitFor();
    const downloading = page.waitForEvent("download");
    await dialog.getByRole("button", { name: "PNG" }).click();
    const download = await downloading;
    expect(download.suggestedFilename()).toBe("to-scan.png");
    const { data, width, height } = PNG.sync.read(readFileSync(await download.path()));
    expect(width).toBe(1024);
    expect(jsQR(new Uint8ClampedArray(data), width, height)?.data).toBe(`${link.short_url}?qr=1`);
    const color = dialog.getByLabel("Color", { exact: true });
    await dialog.getByText("Scans easily").waitFor();
    await color.fill("#zz");
    await dialog.getByText("Use six hex digits").waitFor();
    await dialog.getByText("Scans easily").waitFor({ state: "detached" });
    await dialog.getByRole("button", { name: "PNG", disabled: true }).waitFor();
    await color.blur();
    expect([await color.inputValue(), await color.getAttribute("aria-invalid")]).toEqual(["#zz", "true"]);
    // Also one whose colour it already was.
    for (const preset of ["Classic", "Forest", "Classic"]) {
      await dialog.getByRole("button", { name: preset }).click();
      await dialog.getByText("Use six hex digits").waitFor({ state: "detached" });
    }
    await dialog.getByText("Scans easily").waitFor();
    await color.fill("#ffffff");
    await dialog
      .getByRole("alert")
      .getByText(/contrast/)
      .waitFor();
    await dialog.getByRole("button", { name: "PNG", disabled: true }).waitFor();
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
    await before.page.getByRole("link", { name: "Add your logo in Settings." }).waitFor();
    expect(await before.page.getByLabel("Logo").locator("option", own).count()).toBe(0);
    await before.close();

    await owner.do(setLogo, { body: { png: solidPng(60, 60, [200, 30, 90, 255]).toString("base64") } });
    const after = await openDialog();
    await after.page.getByLabel("Logo").locator("option", own).waitFor({ state: "attached" });
    await after.close();
  },
  TIMEOUT_MS,
);

const PHONE =
  "Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1.15 Version/18.0 Mobile/15E148 Safari/604.1";

async function savedCode(dialog: Locator, page: Page): Promise<string | undefined> {
  const downloading = page.waitForEvent("download");
  await dialog.getByRole("button", { name: "PNG" }).click();
  const { data, width, height } = PNG.sync.read(readFileSync(await (await downloading).path()));
  return jsQR(new Uint8ClampedArray(data), width, height)?.data;
}

test(
  "scans of a code that nobody configured are reported as scans, and the box can be unticked",
  async () => {
    const owner = await site.newOwner();
    const link = await owner.do(createLink, { body: { destination_url: "https://example.com/" } });
    const watched = await openConsolePage(browser, owner, `/a/${owner.account}/links?qr=${link.id}`);
    const dialog = watched.page.getByRole("dialog", { name: "QR code" });
    const code = await savedCode(dialog, watched.page);
    await fetch(code ?? "", { redirect: "manual", headers: { "user-agent": PHONE } });
    await until("the scan is reported", async () => (await owner.do(getAccountAnalytics)).totals.qr_scans === 1);
    await dialog.getByRole("checkbox", { name: "Track QR scans separately" }).uncheck();
    expect(await savedCode(dialog, watched.page)).toBe(link.short_url);
    await watched.close();
    expect(watched.scriptErrors).toEqual([]);
  },
  TIMEOUT_MS,
);

test(
  "a design that was downloaded is what the next code of anyone in the account starts with",
  async () => {
    const owner = await site.newOwner();
    const colleague = await site.newMember("member", owner);
    const [first, second] = await Promise.all(
      ["one", "two"].map((path) => owner.do(createLink, { body: { destination_url: `https://example.com/${path}` } })),
    );
    const mine = await openConsolePage(browser, owner, `/a/${owner.account}/links?qr=${first?.id}`);
    const dialog = mine.page.getByRole("dialog", { name: "QR code" });
    await dialog.getByRole("button", { name: "Forest" }).press("Enter");
    await dialog.getByLabel("Logo").selectOption("Star");
    await dialog
      .getByRole("region", { name: "Readability" })
      .getByText(/The logo covers/)
      .waitFor();
    await expectAccessible(mine.page);
    await savedCode(dialog, mine.page);
    await until("the design is kept", async () => (await owner.do(getAccount)).qr_design?.color === "14532d");
    await mine.close();

    const theirs = await openConsolePage(browser, colleague, `/a/${owner.account}/links?qr=${second?.id}`);
    const other = theirs.page.getByRole("dialog", { name: "QR code" });
    await other.getByRole("button", { name: "Forest", pressed: true }).waitFor();
    await eventually(async () => {
      expect(await other.getByLabel("Color", { exact: true }).inputValue()).toBe("#14532d");
      expect(await other.getByLabel("Logo").inputValue()).toBe("star");
    });
    await other.getByRole("checkbox", { name: "Track QR scans separately", checked: true }).waitFor();
    await theirs.close();
    expect([...mine.scriptErrors, ...theirs.scriptErrors]).toEqual([]);
  },
  TIMEOUT_MS,
);

test(
  "how well a code scans is said while it is designed",
  async () => {
    const owner = await site.newOwner();
    const link = await owner.do(createLink, { body: { destination_url: "https://example.com/" } });
    const watched = await openConsolePage(browser, owner, `/a/${owner.account}/links?qr=${link.id}`);
    const dialog = watched.page.getByRole("dialog", { name: "QR code" });
    const verdict = dialog.getByRole("region", { name: "Readability" });
    await verdict.getByText("Scans easily").waitFor();
    await dialog.getByLabel("Color", { exact: true }).fill("#888888");
    await verdict.getByText(/The contrast is low \(3\.5:1\)/).waitFor();
    await expectAccessible(watched.page);
    await dialog.getByRole("button", { name: "Classic" }).click();
    await verdict.getByText("Scans easily").waitFor();
    await watched.close();
  },
  TIMEOUT_MS,
);
