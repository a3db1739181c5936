import { expect, test } from "bun:test";
import type { Page, Route } from "playwright-core";
import { listMembers } from "#contract/console/account.ts";
import { confirmPassword, getState } from "#contract/console/session.ts";
import { createWebhook, listWebhooks } from "#contract/console/webhooks.ts";
import { createLink, listLinks } from "#contract/links.ts";
import { changeRecords } from "#test/support/change-records.ts";
import { PASSWORD } from "#test/support/console-client.ts";
import { type ConsoleStage, openConsoleStage, type Person } from "#test/support/console-stage.ts";
import { intercept } from "#test/support/intercept.ts";
import { addApp, codeFor } from "#test/support/totp.ts";
import { until } from "#test/support/until.ts";

const TIMEOUT_MS = 600_000;

const { site, onStage } = await openConsoleStage();

/** As if ten minutes had passed. Not by the client: confirming in the page ends the session they share. */
async function sudoEnding(me: Person): Promise<() => void> {
  const user = (await me.state()).session?.user.id ?? "";
  return () => changeRecords(site.server, "update sessions set sudo_until = 0 where user_id = ?", user);
}

/** Confirms the password that the page asks for. */
async function confirm(page: Page): Promise<void> {
  const sudo = page.getByRole("dialog", { name: "Confirm it’s you" });
  await sudo.getByLabel("Your password").fill(PASSWORD);
  await sudo.getByRole("button", { name: "Confirm" }).click();
  await sudo.waitFor({ state: "detached" });
}

test(
  "inviting, an invitation link, a role and a removal require re-authentication, and then continue",
  () =>
    onStage("settings/members", async ({ page, me, watched }) => {
      const letSudoEnd = await sudoEnding(me);
      const member = await site.newMember("member", me);
      await page.reload();
      const invitations = page.getByRole("list", { name: "Invitations" });

      letSudoEnd();
      await page.getByRole("button", { name: "Invite", exact: true }).click();
      const form = page.getByRole("dialog", { name: "Invite someone" });
      await form.getByLabel("E-mail address").fill("partner@example.com");
      await form.getByLabel("Owner").check();
      await form.getByRole("button", { name: "Invite" }).click();
      await confirm(page);
      const ready = page.getByRole("dialog", { name: "Invitation ready" });
      const link = await ready.getByRole("textbox", { name: "Invitation link" }).inputValue();
      await ready.getByRole("button", { name: "Done" }).click();
      await invitations.getByText("partner@example.com").waitFor();

      letSudoEnd();
      await page.getByRole("button", { name: "Show link for partner@example.com" }).click();
      await confirm(page);
      const shown = page.getByRole("dialog", { name: "Invitation link" });
      expect(await shown.getByRole("textbox", { name: "Invitation link" }).inputValue()).toBe(link);
      await shown.getByRole("button", { name: "Done" }).click();

      letSudoEnd();
      await page.getByRole("button", { name: "Role of member" }).click();
      await page.getByRole("menuitemradio", { name: "Admin" }).click({ scroll: "none" });
      await confirm(page);
      await page.getByText("member is now admin.").waitFor();
      expect((await member.do(listMembers)).members.map(({ role }) => role).toSorted()).toEqual(["admin", "owner"]);

      // Cancelling changes nothing and shows no error.
      letSudoEnd();
      await page.getByRole("button", { name: "Remove member" }).click();
      await page.getByRole("dialog", { name: "Remove member?" }).getByRole("button", { name: "Remove" }).click();
      const sudo = page.getByRole("dialog", { name: "Confirm it’s you" });
      await sudo.getByRole("button", { name: "Cancel" }).click();
      await sudo.waitFor({ state: "detached" });
      expect((await member.do(listMembers)).members).toHaveLength(2);
      await page.getByRole("dialog", { name: "Remove member?" }).getByRole("button", { name: "Remove" }).click();
      await confirm(page);
      await until("they are gone", async () => (await page.getByText(member.email).count()) === 0);
      expect(watched.scriptErrors).toEqual([]);
    }),
  TIMEOUT_MS,
);

test(
  "someone stays signed in if a request overlaps the confirmation, which gives the session a new id",
  () =>
    onStage("settings/members", async ({ page, me }) => {
      const letSudoEnd = await sudoEnding(me);
      const isWebhookList = (url: URL) => url.pathname === listWebhooks.path;
      const held: Route[] = [];
      const refusals: number[] = [];
      await intercept(page, isWebhookList, (route) => void held.push(route));
      await page.reload();
      await page.getByRole("button", { name: "Invite", exact: true }).click();
      const form = page.getByRole("dialog", { name: "Invite someone" });
      await form.getByLabel("E-mail address").fill("guest@example.com");
      await until("the list is asked for", () => held.length > 0);
      letSudoEnd();
      await intercept(page, `**${confirmPassword.path}`, async (confirmation) => {
        // By the client, so that the browser learns of the new id only once we pass the answer on.
        const { status, headers } = await me.call(confirmPassword, { body: { password: PASSWORD } });
        const refused = page.waitForResponse((response) => isWebhookList(new URL(response.url())));
        await page.unroute(isWebhookList);
        for (const route of held) await route.continue();
        refusals.push((await refused).status());
        // Time enough for the page to find that it is signed out.
        await page.evaluate(`fetch(${JSON.stringify(getState.path)}).then((response) => response.text())`);
        await confirmation.fulfill({ status, headers: { "set-cookie": headers.getSetCookie().join("\n") } });
      });
      await form.getByRole("button", { name: "Invite" }).click();
      await confirm(page);
      await page.getByRole("dialog", { name: "Invitation ready" }).waitFor();
      expect(refusals).toEqual([401]);
      expect(new URL(page.url()).pathname).toEndWith("/settings/members");
    }),
  TIMEOUT_MS,
);

test(
  "a deletion that overlaps the confirmation is sent again, instead of being refused",
  () =>
    onStage("links", async ({ page, me }) => {
      await me.do(createLink, { body: { destination_url: "https://example.com/", slug: "overlapping" } });
      const letSudoEnd = await sudoEnding(me);
      await page.reload();
      const held: Route[] = [];
      const refusals: number[] = [];
      const isDeletion = (url: URL) => url.pathname.startsWith("/console/api/v1/links/lnk_");
      await intercept(page, isDeletion, (route) => void held.push(route));
      await page.getByRole("button", { name: "Actions for overlapping" }).click();
      await page.getByRole("menuitem", { name: "Delete" }).click({ scroll: "none" });
      await page.getByRole("link", { name: "Settings" }).click();
      await page.getByRole("link", { name: "Members" }).click();
      await page.getByRole("button", { name: "Invite", exact: true }).click();
      const form = page.getByRole("dialog", { name: "Invite someone" });
      await form.getByLabel("E-mail address").fill("guest@example.com");
      await until("the link is to be deleted", () => held.some((route) => route.request().method() === "DELETE"));
      letSudoEnd();
      await intercept(page, `**${confirmPassword.path}`, async (confirmation) => {
        // By the client, so that the browser learns of the new id only once we pass the answer on.
        const { status, headers } = await me.call(confirmPassword, { body: { password: PASSWORD } });
        const refused = page.waitForResponse((response) => isDeletion(new URL(response.url())));
        await page.unroute(isDeletion);
        for (const route of held) await route.continue();
        refusals.push((await refused).status());
        await confirmation.fulfill({ status, headers: { "set-cookie": headers.getSetCookie().join("\n") } });
      });
      await form.getByRole("button", { name: "Invite" }).click();
      await confirm(page);
      await page.getByRole("dialog", { name: "Invitation ready" }).waitFor();
      expect(refusals).toEqual([401]);
      await until("the link is gone", async () => (await me.do(listLinks)).data.length === 0);
    }),
  TIMEOUT_MS,
);

test(
  "a new address for a webhook endpoint requires re-authentication, and is then saved",
  () =>
    onStage("developer/webhooks", async ({ page, me, go }) => {
      const letSudoEnd = await sudoEnding(me);
      const body = { url: "https://hooks.example.com/one", events: ["link.created"] };
      const { id } = await me.do(createWebhook, { body });
      await go(`developer/webhooks/${id}`);
      letSudoEnd();
      await page.getByRole("button", { name: "Edit" }).click();
      const form = page.getByRole("dialog", { name: "Edit endpoint" });
      await form.getByLabel("Address").fill("https://hooks.example.com/two");
      await form.getByRole("button", { name: "Save" }).click();
      await confirm(page);
      await form.waitFor({ state: "detached" });
      await page.getByText("hooks.example.com/two").first().waitFor();
    }),
  TIMEOUT_MS,
);

test(
  "someone with an authenticator app gives a code beside the password",
  async () => {
    const owner = await site.newOwner();
    const { backup_codes } = await addApp(owner);
    const letSudoEnd = await sudoEnding(owner);
    const invite = async ({ page }: ConsoleStage): Promise<void> => {
      letSudoEnd();
      await page.getByRole("button", { name: "Invite", exact: true }).click();
      const form = page.getByRole("dialog", { name: "Invite someone" });
      await form.getByLabel("E-mail address").fill("guest@example.com");
      await form.getByRole("button", { name: "Invite" }).click();
      const sudo = page.getByRole("dialog", { name: "Confirm it’s you" });
      await sudo.getByLabel("Code").fill(backup_codes[0] ?? "");
      await confirm(page);
      await page.getByRole("dialog", { name: "Invitation ready" }).waitFor();
    };
    await onStage("settings/members", invite, owner);
  },
  TIMEOUT_MS,
);

test(
  "a new password requires re-authentication, and is then saved",
  () =>
    onStage("settings/security", async ({ page, me }) => {
      const letSudoEnd = await sudoEnding(me);
      const password = "four quiet green lanterns";
      await page.getByLabel("Current password").fill(PASSWORD);
      await page.getByLabel("New password").fill(password);
      letSudoEnd();
      await page.getByRole("button", { name: "Change password" }).click();
      await confirm(page);
      await page.getByText("Your password is changed").waitFor();
      expect((await site.guest().signIn(me.email, password)).status).toBe(200);
    }),
  TIMEOUT_MS,
);

test(
  "the dialog asks for a code once it learns of an authenticator app from another tab",
  () =>
    onStage("settings/members", async ({ page, me }) => {
      const letSudoEnd = await sudoEnding(me);
      await page.getByRole("button", { name: "Invite", exact: true }).click();
      const inOtherTab = (path: string, data: object) =>
        page.context().request.post(`${me.url}/console/api/user/two-factor${path}`, {
          data,
          headers: { origin: me.url },
        });
      const { secret, backup_codes } = await (await inOtherTab("", {})).json();
      expect((await inOtherTab("/confirm", { code: await codeFor(secret) })).status()).toBe(204);
      letSudoEnd();
      const form = page.getByRole("dialog", { name: "Invite someone" });
      await form.getByLabel("E-mail address").fill("guest@example.com");
      await form.getByRole("button", { name: "Invite" }).click();
      const sudo = page.getByRole("dialog", { name: "Confirm it’s you" });
      await sudo.getByLabel("Your password").fill(PASSWORD);
      await sudo.getByRole("button", { name: "Confirm" }).click();
      await sudo.getByLabel("Code").fill(backup_codes[0]);
      await sudo.getByRole("button", { name: "Confirm" }).click();
      await page.getByRole("dialog", { name: "Invitation ready" }).waitFor();
    }),
  TIMEOUT_MS,
);
