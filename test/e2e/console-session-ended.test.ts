import { expect, test } from "bun:test";
import type { Page } from "playwright-core";
import { signOut } from "#contract/console/session.ts";
import { createWebhook } from "#contract/console/webhooks.ts";
import { listLinks } from "#contract/links.ts";
import { PASSWORD } from "#test/support/console-client.ts";
import { expectAccessible } from "#test/support/console-page.ts";
import { openConsoleStage } from "#test/support/console-stage.ts";
import { dialogOf } from "#test/support/link-stage.ts";
import { until } from "#test/support/until.ts";

const TIMEOUT_MS = 600_000;

const { site, onStage } = await openConsoleStage();

const prompt = (page: Page) => page.getByRole("dialog", { name: "Sign in to continue" });

const untilAsked = (page: Page) =>
  until("the password has the focus", () =>
    prompt(page)
      .getByLabel("Password")
      .evaluate((field) => field.matches(":focus")),
  );

test(
  "a form sent after the session has ended is sent once its author has signed in over it, by keyboard alone",
  () =>
    onStage("links?new=1", async ({ page, me }) => {
      await dialogOf(page).getByLabel("Destination").fill("https://example.com/kept");
      await dialogOf(page).getByLabel("Title").fill("Typed before");
      await me.do(signOut);
      await page.keyboard.press("Enter");
      await untilAsked(page);
      expect(await prompt(page).getByLabel("E-mail address").inputValue()).toBe(me.email);
      await expectAccessible(page);
      await page.keyboard.type("not my password");
      await page.keyboard.press("Enter");
      await prompt(page).locator("[aria-invalid=true]").waitFor();
      await page.keyboard.press("Escape");
      await prompt(page).waitFor({ state: "detached" });
      expect(await dialogOf(page).getByLabel("Title").inputValue()).toBe("Typed before");
      await dialogOf(page).getByRole("button", { name: "Create link" }).press("Enter");
      await untilAsked(page);
      await page.keyboard.type(PASSWORD);
      await page.keyboard.press("Enter");
      await page.getByText("Your link is ready").waitFor();
      await prompt(page).waitFor({ state: "detached" });
      await page.getByText("Typed before").waitFor();
      await me.signIn(me.email);
      expect((await me.do(listLinks)).data.map(({ title }) => title)).toEqual(["Typed before"]);
    }),
  TIMEOUT_MS,
);

test(
  "a session that ends while a form is open leaves the form there, and asks over it",
  () =>
    onStage("developer/webhooks", async ({ page, me, go }) => {
      const body = { url: "https://example.com/hook", events: ["link.created"] };
      const { id } = await me.do(createWebhook, { body });
      await go(`developer/webhooks/${id}`);
      await page.getByRole("button", { name: "Edit" }).click();
      const form = page.getByRole("dialog", { name: "Edit endpoint" });
      await form.getByLabel("Description").fill("Half a sentence");
      await me.do(signOut);
      // The page behind it reads the endpoint again every few seconds.
      await prompt(page).getByLabel("Password").fill(PASSWORD);
      await page.keyboard.press("Enter");
      await prompt(page).waitFor({ state: "detached" });
      expect(await form.getByLabel("Description").inputValue()).toBe("Half a sentence");
      await form.getByRole("button", { name: "Save" }).click();
      await form.waitFor({ state: "detached" });
      await page.getByText("Half a sentence").waitFor();
    }),
  TIMEOUT_MS,
);

test(
  "a session that ends while nothing is open leads to the sign-in page, and from there back",
  () =>
    onStage("settings", async ({ page, me }) => {
      await page.getByRole("heading", { level: 1, name: "Settings" }).waitFor();
      await me.do(signOut);
      await page.getByRole("link", { name: "Members" }).click();
      await page.waitForURL(/\/sign-in/);
      await page.getByLabel("E-mail address").fill(me.email);
      await page.getByLabel("Password").fill(PASSWORD);
      await page.getByRole("button", { name: "Sign in", exact: true }).click();
      await page.waitForURL(/\/settings\/members$/);
      expect((await site.guest().state()).session).toBeNull();
    }),
  TIMEOUT_MS,
);
