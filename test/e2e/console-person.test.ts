import { afterAll, expect, test } from "bun:test";
import type { Page } from "playwright-core";
import { changeRecords } from "#test/support/change-records.ts";
import { PASSWORD, startConsole } from "#test/support/console-client.ts";
import { findAxeViolations, openConsolePage, untilLoaded } from "#test/support/console-page.ts";
import { openConsoleStage, type Person } from "#test/support/console-stage.ts";
import { startSmtpServer } from "#test/support/smtp-server.ts";
import { until } from "#test/support/until.ts";

const TIMEOUT_MS = 600_000;
const smtp = startSmtpServer();
afterAll(smtp.stop);
const { site, browser, onStage } = await openConsoleStage({ KURZ_SMTP_URL: smtp.url });

/** As if ten minutes had passed, so that re-authentication is required. */
const forgetProof = ({ email }: Person) =>
  changeRecords(
    site.server,
    "update sessions set sudo_until = 0 where user_id = (select id from users where email = ?)",
    email,
  );

async function confirmIdentity(page: Page): Promise<void> {
  await page.getByLabel("Your password").fill(PASSWORD);
  await page.getByRole("button", { name: "Confirm", exact: true }).click();
}

async function deleteMe(page: Page): Promise<void> {
  await page.getByRole("button", { name: "Delete profile" }).click();
  const dialog = page.getByRole("dialog", { name: "Delete your profile?" });
  await dialog.getByLabel("Type “delete my profile” to confirm").fill("delete my profile");
  expect(await findAxeViolations(page)).toEqual([]);
  await dialog.getByRole("button", { name: "Delete for good" }).click();
}

test(
  "an e-mail address is changed with the password and a mailed link",
  () =>
    onStage("settings/security", async ({ page, me }) => {
      forgetProof(me);
      await page.getByLabel("New e-mail address").fill("moved@example.com");
      await page.getByRole("button", { name: "Change e-mail address" }).click();
      await confirmIdentity(page);
      await page.getByRole("status").getByText("We sent a link to moved@example.com.").waitFor();
      expect(await findAxeViolations(page)).toEqual([]);
      const find = () => smtp.mails.find(({ to }) => to.includes("moved@example.com"))?.text;
      await until("the mail has arrived", () => find() !== undefined);
      const path = /\/console(\/confirm-email\/\w+)/.exec(find() ?? "")?.[1] ?? "";
      await page.goto(`${me.url}/console${path}`);
      await page.getByRole("button", { name: "Confirm address" }).waitFor();
      expect(await findAxeViolations(page)).toEqual([]);
      await page.getByRole("button", { name: "Confirm address" }).click();
      await page.getByText("E-mail address changed.").waitFor();
      await page.waitForURL(/\/links/);
      expect((await site.guest().signIn("moved@example.com")).status).toBe(200);
    }),
  TIMEOUT_MS,
);

test(
  "a member deletes their profile and is signed out",
  async () => {
    const me = await site.newMember("member");
    await onStage(
      "settings/security",
      async ({ page }) => {
        forgetProof(me);
        await deleteMe(page);
        await confirmIdentity(page);
        await page.waitForURL(/\/sign-in/);
        await page.getByText("Your profile was deleted.").waitFor();
      },
      me,
    );
    expect((await site.guest().signIn(me.email)).status).toBe(401);
  },
  TIMEOUT_MS,
);

test(
  "the only owner is told which account is in the way, deletes it and then their profile",
  () =>
    onStage("settings/security", async ({ page, me, go }) => {
      await deleteMe(page);
      await page.getByRole("alert").getByText(`"Other" (${me.account}) has no other owner`).waitFor();
      await go("settings");
      await page.getByRole("button", { name: "Delete account" }).click();
      await page.getByLabel("Type “Other” to confirm").fill("Other");
      await page.getByRole("dialog").getByRole("button", { name: "Delete for good" }).click();
      await page.getByRole("heading", { name: "You’re not in any account" }).waitFor();
      forgetProof(me);
      await deleteMe(page);
      await confirmIdentity(page);
      await page.waitForURL(/\/sign-in/);
    }),
  TIMEOUT_MS,
);

test(
  "on a phone, in the dark theme, nothing is cut off",
  async () => {
    const me = await site.newOwner();
    const watched = await openConsolePage(browser, me, `/a/${me.account}/settings/security`, {
      viewport: { width: 375, height: 740 },
      colorScheme: "dark",
    });
    try {
      const { page } = watched;
      await untilLoaded(page);
      await page.getByRole("button", { name: "Delete profile" }).waitFor();
      expect(await page.evaluate("document.documentElement.scrollWidth <= innerWidth")).toBe(true);
      expect(await findAxeViolations(page)).toEqual([]);
    } finally {
      await watched.close();
    }
  },
  TIMEOUT_MS,
);

test(
  "without mail an address changes at once",
  async () => {
    const quiet = await startConsole();
    try {
      const me = await quiet.newOwner();
      const watched = await openConsolePage(browser, me, `/a/${me.account}/settings/security`);
      const { page } = watched;
      await page.getByLabel("New e-mail address").fill("at-once@example.com");
      await page.getByRole("button", { name: "Change e-mail address" }).click();
      await page.getByText("E-mail address changed.").waitFor();
      await page.locator("#content").getByText("at-once@example.com").waitFor();
      await watched.close();
    } finally {
      await quiet.stop();
    }
  },
  TIMEOUT_MS,
);
