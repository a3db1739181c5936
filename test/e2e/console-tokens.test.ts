import { expect, test } from "bun:test";
import type { Locator } from "playwright-core";
import { listTokens } from "#contract/console/account.ts";
import { changeRecords } from "#test/support/change-records.ts";
import { type ConsoleClient, PASSWORD } from "#test/support/console-client.ts";
import { openConsoleStage } from "#test/support/console-stage.ts";
import { copiedBy } from "#test/support/copied.ts";
import { until } from "#test/support/until.ts";

const TIMEOUT_MS = 600_000;

const { site, onStage } = await openConsoleStage();

const isFocused = (field: Locator): Promise<boolean> => field.evaluate((element) => element.matches(":focus"));

/** As if ten minutes had passed. */
async function letSudoEnd(me: ConsoleClient): Promise<void> {
  const user = (await me.state()).session?.user.id ?? "";
  changeRecords(site.server, "update sessions set sudo_until = 0 where user_id = ?", user);
}

test(
  "a token created in the console works with curl until it is revoked there",
  () =>
    onStage("developer", async ({ page, me }) => {
      await page.getByText("No tokens yet").waitFor();
      await page.getByRole("button", { name: "Create token" }).click();
      const dialog = page.getByRole("dialog");
      const name = dialog.getByLabel("Name");
      await until("the name has the focus", () => isFocused(name));
      await name.fill("Nightly import");
      await dialog.getByLabel("Change links").check();
      await dialog.getByLabel("Expires after").selectOption("30 days");
      await dialog.getByRole("button", { name: "Create token" }).click();
      const token = await dialog.getByRole("textbox", { name: "Token" }).inputValue();
      expect(token).toMatch(/^kurz_[0-9A-Za-z]{12}_[0-9A-Za-z]{49}$/);
      const copy = dialog.getByRole("button", { name: "Copy Example call", exact: true });
      const command = await copiedBy(page, copy, { startsWith: "Copy Example call: copied" });
      const curl = async (): Promise<string> =>
        new Response(Bun.spawn(["sh", "-c", command], { stderr: "ignore" }).stdout).text();
      expect(JSON.parse(await curl())).toMatchObject({ token: { scopes: ["links:read", "links:write"] } });
      await dialog.getByRole("button", { name: "I’ve saved it" }).click();
      // It is recorded after the answer, and a page shows what was recorded when it loaded.
      await until("the use is recorded", async () => (await me.do(listTokens)).data[0]?.last_used_at !== null);
      const row = page.getByRole("list", { name: "API tokens" }).getByRole("listitem");
      await page.reload();
      await row.getByText("Used just now").waitFor();
      expect(await page.content()).not.toContain(token);
      await row.getByRole("button", { name: "Revoke Nightly import" }).click();
      await page.getByRole("dialog").getByRole("button", { name: "Revoke token" }).click();
      await row.getByText("Revoked", { exact: true }).waitFor();
      expect(JSON.parse(await curl())).toMatchObject({ error: { code: "token_revoked" } });
    }),
  TIMEOUT_MS,
);

test(
  "an older session is asked for the password, and then continues",
  () =>
    onStage("developer/tokens", async ({ page, me }) => {
      await letSudoEnd(me);
      await page.getByRole("button", { name: "Create token" }).click();
      await page.getByRole("dialog", { name: "Create token" }).getByLabel("Name").fill("Late");
      await page.getByRole("dialog", { name: "Create token" }).getByRole("button", { name: "Create token" }).click();
      const sudo = page.getByRole("dialog", { name: "Confirm it’s you" });
      await sudo.getByLabel("Your password").fill("not the password");
      await sudo.getByRole("button", { name: "Confirm" }).click();
      await sudo.getByText("The password is wrong.").waitFor();
      await sudo.getByLabel("Your password").fill(PASSWORD);
      await sudo.getByRole("button", { name: "Confirm" }).click();
      await page.getByRole("dialog", { name: "Your new token" }).waitFor();
    }),
  TIMEOUT_MS,
);

test(
  "cancelling re-authentication changes nothing",
  () =>
    onStage("developer/tokens", async ({ page, me }) => {
      await letSudoEnd(me);
      await page.getByRole("button", { name: "Create token" }).click();
      const form = page.getByRole("dialog", { name: "Create token" });
      await form.getByLabel("Name").fill("Never");
      await form.getByRole("button", { name: "Create token" }).click();
      await page.getByRole("dialog", { name: "Confirm it’s you" }).getByLabel("Your password").waitFor();
      await page.keyboard.press("Escape");
      await form.getByRole("button", { name: "Create token", disabled: false }).waitFor();
      expect(await form.getByRole("alert").count()).toBe(0);
      await form.getByRole("button", { name: "Cancel" }).click();
      await page.getByText("No tokens yet").waitFor();
    }),
  TIMEOUT_MS,
);

test(
  "a token is created and revoked by keyboard alone",
  () =>
    onStage("developer/tokens", async ({ page }) => {
      await page.getByText("No tokens yet").waitFor();
      await page.getByRole("button", { name: "Create token" }).focus();
      await page.keyboard.press("Enter");
      await until("the name has the focus", () => isFocused(page.getByRole("dialog").getByLabel("Name")));
      await page.keyboard.type("Typed");
      await page.keyboard.press("Enter");
      await page.getByRole("dialog", { name: "Your new token" }).waitFor();
      // Escape doesn't make it vanish, but leads to the way out.
      await page.keyboard.press("Escape");
      await until("the way out has the focus", () => isFocused(page.getByRole("button", { name: "I’ve saved it" })));
      await page.keyboard.press("Enter");
      await page.getByRole("dialog").waitFor({ state: "hidden" });
      const revoke = page.getByRole("button", { name: "Revoke Typed" });
      await revoke.focus();
      await page.keyboard.press("Enter");
      const cancel = page.getByRole("dialog").getByRole("button", { name: "Cancel" });
      await until("the safe choice has the focus", () => isFocused(cancel));
      await page.keyboard.press("Tab");
      await page.keyboard.press("Enter");
      await page.getByText("Revoked", { exact: true }).waitFor();
    }),
  TIMEOUT_MS,
);
