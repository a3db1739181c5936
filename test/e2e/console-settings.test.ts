import { describe, expect, test } from "bun:test";
import jsQR from "jsqr";
import type { Page } from "playwright-core";
import { PNG } from "pngjs";
import { getAccount, inviteMember } from "#contract/console/account.ts";
import { createLink } from "#contract/links.ts";
import { openWatchedPage, type WatchedPage } from "#test/support/browser.ts";
import { launchBrowserBeside } from "#test/support/browser-beside.ts";
import { type ConsoleClient, PASSWORD, startConsole } from "#test/support/console-client.ts";
import { findAxeViolations, openConsolePage } from "#test/support/console-page.ts";
import { solidPng } from "#test/support/pictures.ts";
import { codeFor } from "#test/support/totp.ts";
import { until } from "#test/support/until.ts";

const TIMEOUT_MS = 60_000;
const PHONE = { width: 375, height: 740 };
const HOSTILE = `<img src=x onerror="document.title='run'">`;

const site = await startConsole();
const browser = await launchBrowserBeside(site);

type Person = ConsoleClient & { readonly email: string };

interface Stage {
  readonly page: Page;
  readonly watched: WatchedPage;
  readonly me: Person;
  go(path: string): Promise<void>;
}

/** Someone in their account, in a page that must neither fail nor break its policy. */
async function onStage(path: string, act: (stage: Stage) => Promise<void>, client?: Person): Promise<void> {
  const me = client ?? (await site.newOwner());
  const watched = await openConsolePage(browser, me, `/a/${me.account}/settings${path}`, { acceptDownloads: true });
  const { page } = watched;
  const go = async (to: string) => {
    await page.goto(`${me.url}/console/a/${me.account}/settings${to}`);
  };
  await act({ page, watched, me, go }).finally(() => watched.close());
  expect(watched.scriptErrors).toEqual([]);
  expect(watched.policyViolations).toEqual([]);
}

async function signIn(page: Page, email: string, password = PASSWORD): Promise<void> {
  await page.goto(`${site.url}/console/sign-in`);
  await page.getByLabel("E-mail address").fill(email);
  await page.getByLabel("Password").fill(password);
  await page.getByRole("button", { name: "Sign in", exact: true }).click();
}

describe("the account", () => {
  test(
    "is renamed by its owner, with what is wrong told at the field",
    () =>
      onStage("", async ({ page, me }) => {
        const field = page.getByLabel("Name of the account");
        await field.fill("\u0007bell");
        await page.getByRole("button", { name: "Save" }).click();
        await until("the problem stands at the field", () =>
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
    "has a logo that an admin chooses, replaces and removes, and a file that is none is refused in words",
    () =>
      onStage("", async ({ page, me }) => {
        const choose = async (buffer: Buffer) => {
          const name = (await me.do(getAccount)).has_logo ? "Replace the logo" : "Choose a PNG file";
          await page.getByLabel(name).setInputFiles({ name: "logo.png", mimeType: "image/png", buffer });
        };
        await choose(Buffer.from("no picture"));
        await page.getByRole("alert").getByText("A logo must be a PNG file.").waitFor();
        await choose(solidPng(300, 150, [200, 30, 90, 255]));
        const picture = page.getByAltText("The account's logo");
        await picture.waitFor();
        await until("the picture is drawn", () =>
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
    "is deleted only after its name is typed, and is then gone",
    () =>
      onStage("", async ({ page, me }) => {
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
      }),
    TIMEOUT_MS,
  );
});

describe("members", () => {
  test(
    "someone who is invited joins in a browser of their own, and as a viewer can change nothing",
    () =>
      onStage("/members", async ({ page, me, go }) => {
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

        await go("/members");
        await page.getByRole("button", { name: "Role of Vera" }).click();
        await page.getByRole("menuitemradio", { name: "Member" }).click();
        await page.getByText("Vera is now member.").waitFor();
        await page.getByRole("button", { name: "Remove Vera" }).click();
        await page.getByRole("dialog").getByRole("button", { name: "Remove" }).click();
        await until("she is gone", async () => (await page.getByText(email).count()) === 0);
        await of("/members");
        await guest.page.getByText("There is nothing here").waitFor();
        expect(guest.policyViolations).toEqual([]);
        await guest.close();
        await go("/audit");
        await page.getByText("invited").waitFor();
        await page.getByText("changed the role of Vera from viewer to member").waitFor();
      }),
    TIMEOUT_MS,
  );

  test(
    "an invitation is taken back, and the only owner cannot leave",
    () =>
      onStage("/members", async ({ page, me, go }) => {
        await me.do(inviteMember, { body: { email: "late@example.com", role: "member" } });
        await go("/members");
        await page.getByRole("button", { name: "Cancel the invitation of late@example.com" }).click();
        await until("it is gone", async () => (await page.getByText("late@example.com").count()) === 0);
        await page.getByRole("button", { name: "Leave the account" }).click();
        const dialog = page.getByRole("dialog");
        await dialog.getByRole("button", { name: "Leave" }).click();
        await dialog.getByText("only owner").waitFor();
      }),
    TIMEOUT_MS,
  );

  test(
    "an admin is offered neither owners nor the role of owner",
    async () => {
      const admin = await site.newMember("admin");
      await onStage(
        "/members",
        async ({ page }) => {
          await page.getByRole("list", { name: "Members" }).getByText("ada@example.com").waitFor();
          expect(await page.getByRole("button", { name: "Role of Ada" }).count()).toBe(0);
          await page.getByRole("button", { name: "Invite", exact: true }).click();
          expect(await page.getByRole("dialog").getByLabel("Owner").count()).toBe(0);
        },
        admin,
      );
    },
    TIMEOUT_MS,
  );
});

describe("security", () => {
  test(
    "an authenticator app is set up with the code from its picture, and is then asked for",
    () =>
      onStage("/security", async ({ page, me, watched }) => {
        await page.getByRole("button", { name: "Set up" }).click();
        const dialog = page.getByRole("dialog");
        await dialog.getByRole("button", { name: "Continue" }).click();
        const secret = await dialog.getByRole("textbox", { name: "Or enter this key by hand" }).inputValue();
        const picture = await dialog.getByRole("img", { name: "QR code for your authenticator app" }).screenshot();
        expect(readCode(picture)).toContain(`secret=${secret}`);
        await dialog.getByLabel("Code", { exact: true }).fill("000000");
        await dialog.getByRole("button", { name: "Switch on" }).click();
        await dialog.getByText("This is not the code that the app shows now.").waitFor();
        await dialog.getByLabel("Code", { exact: true }).fill(await codeFor(secret));
        await dialog.getByRole("button", { name: "Switch on" }).click();
        const codes = dialog.getByRole("list", { name: "Backup codes" }).getByRole("listitem");
        await codes.first().waitFor();
        expect(await codes.count()).toBe(10);
        const [backup = ""] = await codes.allTextContents();
        const download = page.waitForEvent("download");
        await dialog.getByRole("button", { name: "Download" }).click();
        expect(await Bun.file(await (await download).path()).text()).toContain(backup);
        await dialog.getByRole("button", { name: "I have kept them" }).click();
        await page.getByText("On", { exact: true }).waitFor();

        await page.context().clearCookies();
        await signIn(page, me.email);
        // The step that switched it on is spent.
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
        await dialog.getByRole("button", { name: "I have kept them" }).click();
        await page.getByRole("button", { name: "Switch off" }).click();
        await page.getByRole("dialog").getByRole("button", { name: "Switch off" }).click();
        await page.getByRole("button", { name: "Set up" }).waitFor();
        expect(watched.scriptErrors).toEqual([]);
      }),
    TIMEOUT_MS,
  );

  test(
    "a password is changed, which ends the sessions elsewhere",
    () =>
      onStage("/security", async ({ page, me }) => {
        const elsewhere = site.guest();
        await elsewhere.signIn(me.email);
        await page.getByLabel("Current password").fill("not my password");
        await page.getByLabel("New password").fill("four quiet green lanterns");
        await page.getByRole("button", { name: "Change password" }).click();
        await page.getByText("This is not your password.").waitFor();
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
      onStage("/security", async ({ page, me, go }) => {
        const elsewhere = site.guest();
        await elsewhere.signIn(me.email);
        await go("/security");
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
      onStage("/security", async ({ page }) => {
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
});

test(
  "links are downloaded as CSV and as JSON",
  () =>
    onStage("/export", async ({ page, me }) => {
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
  "a theme that was chosen is kept, whatever the system says",
  () =>
    onStage("/appearance", async ({ page }) => {
      await page.emulateMedia({ colorScheme: "light" });
      const background = () => page.evaluate<string>("getComputedStyle(document.body).backgroundColor");
      const light = await background();
      await page.getByLabel("Dark").check();
      expect(await background()).not.toBe(light);
      await page.reload();
      expect(await page.getByLabel("Dark").isChecked()).toBe(true);
      expect(await background()).not.toBe(light);
      await page.getByLabel("System").check();
      expect(await background()).toBe(light);
    }),
  TIMEOUT_MS,
);

test(
  "no page of the settings has anything that the accessibility checker minds, and all fit a phone",
  async () => {
    const me = await site.newOwner();
    await me.do(inviteMember, { body: { email: "axe@example.com", role: "member" } });
    const pages = ["", "/members", "/security", "/appearance", "/export", "/audit"];
    for (const colorScheme of ["light", "dark"] as const) {
      const watched = await openConsolePage(browser, me, `/a/${me.account}/settings`, { colorScheme });
      const { page } = watched;
      for (const path of pages) {
        await page.goto(`${me.url}/console/a/${me.account}/settings${path}`);
        await page.getByRole("heading", { level: 2 }).first().waitFor();
        await until("everything is loaded", async () => (await page.getByRole("status").count()) === 0);
        const found = await findAxeViolations(page);
        expect({ path, colorScheme, found }).toEqual({ path, colorScheme, found: [] });
        await page.setViewportSize(PHONE);
        expect(await page.evaluate("document.documentElement.scrollWidth <= innerWidth")).toBe(true);
        await page.setViewportSize({ width: 1280, height: 800 });
      }
      await page.getByRole("link", { name: "Members" }).click();
      await page.getByRole("button", { name: "Invite", exact: true }).click();
      expect(await findAxeViolations(page)).toEqual([]);
      await watched.close();
    }
  },
  TIMEOUT_MS * 2,
);

/** What a camera reads in a picture of the page. */
function readCode(png: Buffer): string {
  const { data, width, height } = PNG.sync.read(png);
  return jsQR(new Uint8ClampedArray(data), width, height)?.data ?? "nothing";
}
