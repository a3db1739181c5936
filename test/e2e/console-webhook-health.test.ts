import { expect, test } from "bun:test";
import { expectAccessible } from "#test/support/console-page.ts";
import { until } from "#test/support/until.ts";
import { deliveriesOn, makeLink, openWebhookStage, register } from "#test/support/webhook-stage.ts";

const TIMEOUT_MS = 600_000;

const { onStage, newReceiver } = await openWebhookStage();

test(
  "an endpoint's health follows its last deliveries, tests included, and its history shows them",
  () =>
    onStage("developer/webhooks", async ({ page, me, go }) => {
      const receiver = newReceiver();
      receiver.answerWith(() => new Response("broken", { status: 500 }));
      const id = await register(me, receiver.url);
      await go(`developer/webhooks/${id}`);
      await page.getByText("No deliveries yet").waitFor();
      await page.getByRole("button", { name: "Send test" }).press("Enter");
      await page.getByText("Failing", { exact: true }).waitFor();
      await page.getByText("The only delivery so far failed.").waitFor();
      await page.getByRole("img", { name: "Last delivery: 1 failed" }).waitFor();
      expect(await page.getByText("Healthy").count()).toBe(0);
      await expectAccessible(page);
      await go("developer/webhooks");
      await page.getByText("Failing", { exact: true }).waitFor();
      await page.getByRole("img", { name: "Last delivery: 1 failed" }).waitFor();
      await expectAccessible(page);
      receiver.answerWith(() => new Response(null, { status: 204 }));
      await go(`developer/webhooks/${id}`);
      await page.getByRole("button", { name: "Send test" }).press("Enter");
      await page.getByText("Healthy", { exact: true }).waitFor();
      await page.getByText("1 of the last 2 deliveries failed.").waitFor();
      await page.getByRole("img", { name: "Last 2 deliveries: 1 delivered, 1 failed" }).waitFor();
    }),
  TIMEOUT_MS,
);

test(
  "deliveries are told apart by what they are about, how long they took and when",
  () =>
    onStage("developer/webhooks", async ({ page, me, go }) => {
      const receiver = newReceiver();
      const id = await register(me, receiver.url);
      const links = [await makeLink(me, "One"), await makeLink(me, "Two")];
      await go(`developer/webhooks/${id}`);
      for (const { short_url } of links) {
        const row = deliveriesOn(page).filter({ hasText: short_url.replace("http://", "") });
        await row.filter({ hasText: "Delivered" }).waitFor();
        expect(await row.innerText()).toMatch(/Status 20\d · \d+(?:\.\d)? m?s/);
        expect(await row.getByRole("time").innerText()).toMatch(/\b\d{1,2}:\d\d:\d\d\b/);
      }
      const texts = await deliveriesOn(page).allInnerTexts();
      expect(new Set(texts).size).toBe(2);
    }),
  TIMEOUT_MS,
);

test(
  "a secret stays on screen until someone says that they have saved it",
  () =>
    onStage("developer/tokens", async ({ page }) => {
      await page.getByRole("button", { name: "Create token" }).press("Enter");
      const name = page.getByRole("dialog").getByLabel("Name");
      await until("the name has the focus", () => name.evaluate((field) => field.matches(":focus")));
      await page.keyboard.type("CI server");
      await page.keyboard.press("Enter");
      const shown = page.getByRole("dialog", { name: "Your new token" });
      const token = await shown.getByRole("textbox", { name: "Token" }).inputValue();
      await expectAccessible(page);
      await page.mouse.click(4, 4);
      await page.evaluate("history.back()");
      for (let times = 0; times < 3; times += 1) await page.keyboard.press("Escape");
      expect(await shown.getByRole("textbox", { name: "Token" }).inputValue()).toBe(token);
      expect(await shown.getByRole("button", { name: "Close" }).count()).toBe(0);
      // Escape has led to the way out.
      await until("the button has the focus", () =>
        shown
          .getByRole("button", { name: "I’ve saved it" })
          .evaluate((button) => button === button.ownerDocument.activeElement),
      );
      await page.keyboard.press("Enter");
      await shown.waitFor({ state: "detached" });
      await page.getByRole("list", { name: "API tokens" }).getByText("CI server").waitFor();
      expect(await page.content()).not.toContain(token);
    }),
  TIMEOUT_MS,
);

test(
  "so does the secret of a webhook endpoint, a new one and a rotated one",
  () =>
    onStage("developer/webhooks", async ({ page }) => {
      const shown = page.getByRole("dialog");
      const secret = shown.getByRole("textbox", { name: "Signing secret" });
      const seeItStay = async () => {
        const value = await secret.inputValue();
        await page.mouse.click(4, 4);
        for (let times = 0; times < 3; times += 1) await page.keyboard.press("Escape");
        expect(await shown.getByRole("button", { name: "Close" }).count()).toBe(0);
        expect(await secret.inputValue()).toBe(value);
        await shown.getByRole("button", { name: "I’ve saved it" }).click();
        await shown.waitFor({ state: "detached" });
        return value;
      };
      await page.getByRole("button", { name: "Add endpoint" }).first().click();
      await shown.getByLabel("Address").fill("https://hooks.example.com/mine");
      await page.keyboard.press("Enter");
      const first = await seeItStay();
      await page.getByRole("link", { name: /hooks\.example\.com\/mine/ }).click();
      await page.getByRole("button", { name: "More actions" }).click();
      await page.getByRole("menuitem", { name: "Rotate secret" }).click({ scroll: "none" });
      await shown.getByRole("button", { name: "Rotate secret" }).click();
      expect(await seeItStay()).not.toBe(first);
    }),
  TIMEOUT_MS,
);
