import { expect, test } from "bun:test";
import { inviteMember } from "#contract/console/account.ts";
import { createLink } from "#contract/links.ts";
import { openWatchedPage } from "#test/support/browser.ts";
import { PASSWORD } from "#test/support/console-client.ts";
import { openConsoleStage } from "#test/support/console-stage.ts";
import { until } from "#test/support/until.ts";

const TIMEOUT_MS = 600_000;

const { site, browser, onStage } = await openConsoleStage();

test(
  "an invited person joins in their own browser, and as a viewer can change nothing",
  () =>
    onStage("settings/members", async ({ page, me, go }) => {
      await me.do(createLink, { body: { destination_url: "https://example.com/", title: "Ours" } });
      const email = `viewer-${me.account.slice(-8)}@example.com`;
      await page.getByRole("button", { name: "Invite", exact: true }).click();
      const dialog = page.getByRole("dialog");
      await dialog.getByLabel("E-mail address").fill(email);
      await dialog.getByLabel("Viewer").check();
      await dialog.getByRole("button", { name: "Invite" }).click();
      const link = await dialog.getByRole("textbox", { name: "Invitation link" }).inputValue();
      await dialog.getByRole("button", { name: "Done" }).click();
      await page.getByRole("list", { name: "Invitations" }).getByText(email).waitFor();

      const guest = await openWatchedPage(browser);
      await guest.page.goto(link);
      await guest.page.getByLabel("Your name").fill("Vera");
      await guest.page.getByLabel("Password").fill(PASSWORD);
      await guest.page.getByRole("button", { name: "Join" }).click();
      await guest.page.getByText("Ours").first().waitFor();
      const of = (path: string) => guest.page.goto(`${me.url}/console/a/${me.account}/settings${path}`);
      await of("");
      await guest.page.getByText("only owners change the name").waitFor();
      expect(await guest.page.getByRole("button", { name: /Save|Delete account/ }).count()).toBe(0);
      await of("/members");
      const members = guest.page.getByRole("list", { name: "Members" });
      await members.getByText("Vera").waitFor();
      expect(await members.getByRole("button", { name: /^Role of/ }).count()).toBe(0);
      expect(await guest.page.getByRole("button", { name: /Invite|Remove/ }).count()).toBe(0);
      await of("/audit");
      await guest.page.getByText("Your role in Other is viewer").waitFor();

      await go("settings/members");
      await page.getByRole("button", { name: "Role of Vera" }).click();
      await page.getByRole("menuitemradio", { name: "Member" }).click({ scroll: "none" });
      await page.getByText("Vera is now member.").waitFor();
      await page.getByRole("button", { name: "Remove Vera" }).click();
      await page.getByRole("dialog").getByRole("button", { name: "Remove" }).click();
      await until("she is gone", async () => (await page.getByText(email).count()) === 0);
      await of("/members");
      await guest.page.getByText("There is nothing here").waitFor();
      expect(guest.policyViolations).toEqual([]);
      await guest.close();
      await go("settings/audit");
      await page.getByText("invited").waitFor();
      await page.getByText("changed the role of Vera from viewer to member").waitFor();
    }),
  TIMEOUT_MS,
);

test(
  "an invitation can be revoked, and the only owner can't leave",
  () =>
    onStage("settings/members", async ({ page, me, go }) => {
      await me.do(inviteMember, { body: { email: "late@example.com", role: "member" } });
      await go("settings/members");
      await page.getByRole("button", { name: "Cancel the invitation for late@example.com" }).click();
      await until("it is gone", async () => (await page.getByText("late@example.com").count()) === 0);
      await page.getByRole("button", { name: "Leave the account" }).click();
      const dialog = page.getByRole("dialog");
      await dialog.getByRole("button", { name: "Leave" }).click();
      await dialog.getByText("only owner").waitFor();
    }),
  TIMEOUT_MS,
);

test(
  "an admin can neither change owners nor give the owner role",
  async () => {
    const admin = await site.newMember("admin");
    await onStage(
      "settings/members",
      async ({ page }) => {
        await page.getByRole("list", { name: "Members" }).getByText("ada@example.com").waitFor();
        expect(await page.getByRole("button", { name: "Role of Ada" }).count()).toBe(0);
        await page.getByRole("button", { name: "Invite", exact: true }).click();
        await page.getByRole("dialog").getByLabel("Admin").waitFor();
        expect(await page.getByRole("dialog").getByLabel("Owner").count()).toBe(0);
      },
      admin,
    );
  },
  TIMEOUT_MS,
);
