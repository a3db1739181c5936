import { expect, test } from "bun:test";
import jsQR from "jsqr";
import type { Page } from "playwright-core";
import { PNG } from "pngjs";
import { sendToServer } from "#commands/admin-client.ts";
import { dataPaths } from "#config/data-paths.ts";
import { openWatchedPage } from "#test/support/browser.ts";
import { PASSWORD } from "#test/support/console-client.ts";
import { openConsoleStage } from "#test/support/console-stage.ts";
import { eventually } from "#test/support/eventually.ts";
import { codeFor } from "#test/support/totp.ts";
import { until } from "#test/support/until.ts";

const TIMEOUT_MS = 600_000;
const HOSTILE = `<img src=x onerror="document.title='run'">`;

const { site, browser, onStage } = await openConsoleStage();

async function signIn(page: Page, email: string, password = PASSWORD): Promise<void> {
  await page.goto(`${site.url}/console/sign-in`);
  await page.getByLabel("E-mail address").fill(email);
  await page.getByLabel("Password").fill(password);
  await page.getByRole("button", { name: "Sign in", exact: true }).click();
}

test(
  "an authenticator app is set up from its QR code, and is then required",
  () =>
    onStage("settings/security", async ({ page, me, watched }) => {
      await page.getByRole("button", { name: "Set up" }).click();
      const dialog = page.getByRole("dialog");
      await dialog.getByRole("button", { name: "Continue" }).click();
      const secret = await dialog.getByRole("textbox", { name: "Or enter this key by hand" }).inputValue();
      const picture = dialog.getByRole("img", { name: "QR code for your authenticator app" });
      await eventually(async () => expect(readCode(await picture.screenshot())).toContain(`secret=${secret}`));
      await dialog.getByLabel("Code", { exact: true }).fill("000000");
      await dialog.getByRole("button", { name: "Switch on" }).click();
      await dialog.getByText("This isn't the code the app shows right now.").waitFor();
      await dialog.getByLabel("Code", { exact: true }).fill(await codeFor(secret));
      await dialog.getByRole("button", { name: "Switch on" }).click();
      const codes = dialog.getByRole("list", { name: "Backup codes" }).getByRole("listitem");
      await codes.first().waitFor();
      expect(await codes.count()).toBe(10);
      const [backup = ""] = await codes.allTextContents();
      const download = page.waitForEvent("download");
      await dialog.getByRole("button", { name: "Download" }).click();
      expect(await Bun.file(await (await download).path()).text()).toContain(backup);
      // Escape leads to the only way out, instead of losing them.
      for (let times = 0; times < 3; times += 1) await page.keyboard.press("Escape");
      expect(await codes.count()).toBe(10);
      expect(await dialog.getByRole("button", { name: "Close" }).count()).toBe(0);
      await dialog.getByRole("button", { name: "I’ve saved them" }).click();
      await page.getByText("On", { exact: true }).waitFor();

      await page.context().clearCookies();
      await signIn(page, me.email);
      // The code that switched it on is used up.
      await page.getByLabel("Code").fill(await codeFor(secret, 1));
      await page.getByRole("button", { name: "Continue" }).click();
      await page.waitForURL(/\/links/);
      await page.context().clearCookies();
      await signIn(page, me.email);
      await page.getByLabel("Code").fill(backup);
      await page.getByRole("button", { name: "Continue" }).click();
      await page.waitForURL(/\/links/);
      await page.goto(`${me.url}/console/a/${me.account}/settings/security`);
      await page.getByRole("button", { name: "New backup codes" }).click();
      await dialog.getByRole("button", { name: "Make new codes" }).click();
      await codes.first().waitFor();
      expect(await codes.count()).toBe(10);
      expect(await codes.allTextContents()).not.toContain(backup);
      expect(await dialog.getByRole("button", { name: "Close" }).count()).toBe(0);
      await dialog.getByRole("button", { name: "I’ve saved them" }).click();
      await page.getByRole("button", { name: "Switch off" }).click();
      await page.getByRole("dialog").getByRole("button", { name: "Switch off" }).click();
      await page.getByRole("button", { name: "Set up" }).waitFor();
      expect(watched.scriptErrors).toEqual([]);
    }),
  TIMEOUT_MS,
);

test(
  "a password change ends sessions elsewhere",
  () =>
    onStage("settings/security", async ({ page, me }) => {
      const elsewhere = site.guest();
      await elsewhere.signIn(me.email);
      await page.getByLabel("Current password").fill("not my password");
      await page.getByLabel("New password").fill("four quiet green lanterns");
      await page.getByRole("button", { name: "Change password" }).click();
      await page.getByText("This isn't your current password.").waitFor();
      await page.getByLabel("Current password").fill(PASSWORD);
      await page.getByRole("button", { name: "Change password" }).click();
      await page.getByText("Your password is changed").waitFor();
      expect((await elsewhere.state()).session).toBeNull();
      expect((await site.guest().signIn(me.email, "four quiet green lanterns")).status).toBe(200);
    }),
  TIMEOUT_MS,
);

test(
  "sessions are listed and ended one by one",
  () =>
    onStage("settings/security", async ({ page, me, go }) => {
      const elsewhere = site.guest();
      await elsewhere.signIn(me.email);
      await go("settings/security");
      const sessions = page.getByRole("list", { name: "Sessions" }).getByRole("listitem");
      await until("both are shown", async () => (await sessions.count()) === 2);
      await sessions.getByRole("button", { name: /^End the session/ }).click();
      await until("one is left", async () => (await sessions.count()) === 1);
      expect((await elsewhere.state()).session).toBeNull();
      await sessions.getByText("This one").waitFor();
    }),
  TIMEOUT_MS,
);

test(
  "a passkey is added, renamed and removed",
  () =>
    onStage("settings/security", async ({ page }) => {
      const devices = await page.context().newCDPSession(page);
      await devices.send("WebAuthn.enable");
      await devices.send("WebAuthn.addVirtualAuthenticator", {
        options: {
          protocol: "ctap2",
          transport: "internal",
          hasResidentKey: true,
          hasUserVerification: true,
          isUserVerified: true,
          automaticPresenceSimulation: true,
        },
      });
      await page.getByRole("button", { name: "Add passkey" }).click();
      await page.getByRole("dialog").getByLabel("Name").fill("Laptop");
      await page.getByRole("dialog").getByRole("button", { name: "Continue" }).click();
      await page.getByRole("button", { name: "Rename Laptop" }).click();
      await page.getByRole("dialog").getByLabel("Name").fill(HOSTILE);
      await page.getByRole("dialog").getByRole("button", { name: "Save" }).click();
      await page.getByRole("list", { name: "Passkeys" }).getByText(HOSTILE).waitFor();
      await page.getByRole("button", { name: `Remove ${HOSTILE}` }).click();
      await page.getByRole("dialog").getByRole("button", { name: "Remove passkey" }).click();
      await page.getByText("You have no passkey yet.").waitFor();
      expect(await page.locator("img").count()).toBe(0);
    }),
  TIMEOUT_MS,
);

/** What a camera would read from a picture of the page. */
function readCode(png: Buffer): string {
  const { data, width, height } = PNG.sync.read(png);
  return jsQR(new Uint8ClampedArray(data), width, height)?.data ?? "nothing";
}

test(
  "without mail a forgotten password is reset by a link from the administrator, whoever asks",
  async () => {
    const me = await site.newOwner();
    const password = "four large brown herons";
    const { page, ...watched } = await openWatchedPage(browser);
    await page.goto(`${site.url}/console/sign-in`);
    await page.getByRole("link", { name: "Forgot password?" }).click();
    await page.getByText("Ask your administrator for a link").waitFor();
    expect(await page.getByLabel("E-mail address").count()).toBe(0);
    const { url } = (await sendToServer(dataPaths(site.server.dataDir).adminSocket, "users reset-link", {
      email: me.email,
    })) as { url: string };
    await page.goto(url);
    await page.getByLabel("password").fill(password);
    await page.getByRole("button", { name: "Set password" }).click();
    await page.getByText("Your password is changed").waitFor();
    await signIn(page, me.email, password);
    await page.waitForURL(/\/console\/a\//);
    expect(watched.scriptErrors).toEqual([]);
    await watched.close();
  },
  TIMEOUT_MS,
);
