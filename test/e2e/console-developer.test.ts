import { Database } from "bun:sqlite";
import { afterAll, describe, expect, test } from "bun:test";
import type { Page } from "playwright-core";
import { dataPaths } from "#config/data-paths.ts";
import { createWebhook, getWebhook } from "#contract/console/webhooks.ts";
import { createLink } from "#contract/links.ts";
import type { WatchedPage } from "#test/support/browser.ts";
import { launchBrowserBeside } from "#test/support/browser-beside.ts";
import { type ConsoleClient, PASSWORD, startConsole } from "#test/support/console-client.ts";
import { findAxeViolations, openConsolePage } from "#test/support/console-page.ts";
import { until } from "#test/support/until.ts";
import { loopbackWebhooks, type Receiver, startReceiver } from "#test/support/webhook-receiver.ts";
import { acceptedBy, allVerifiers } from "#test/support/webhook-verifiers.ts";

const TIMEOUT_MS = 60_000;
const PHONE = { width: 375, height: 740 };
const HOSTILE = `<img src=x onerror="document.title='run'"><script>document.title='run'</script>`;

const site = await startConsole(loopbackWebhooks);
const receivers: Receiver[] = [];
const browser = await launchBrowserBeside(site);
afterAll(() => Promise.all(receivers.map((receiver) => receiver.stop())));

function newReceiver(): Receiver {
  const receiver = startReceiver();
  receivers.push(receiver);
  return receiver;
}

interface Stage {
  readonly page: Page;
  readonly me: ConsoleClient;
  go(path: string): Promise<void>;
}

/** Someone's own account, in a page that must neither fail nor break its policy. */
async function onStage(path: string, act: (stage: Stage) => Promise<void>, client?: ConsoleClient): Promise<void> {
  const me = client ?? (await site.newOwner());
  const watched: WatchedPage = await openConsolePage(browser, me, `/a/${me.account}/${path}`, {
    permissions: ["clipboard-read", "clipboard-write"],
  });
  const { page } = watched;
  const go = async (to: string) => {
    await page.goto(`${me.url}/console/a/${me.account}/${to}`);
  };
  await act({ page, me, go }).finally(() => watched.close());
  expect(watched.scriptErrors).toEqual([]);
  expect(watched.policyViolations).toEqual([]);
}

const makeLink = (me: ConsoleClient, title = "A link") =>
  me.do(createLink, { body: { destination_url: "https://example.com/", title } });

async function register(me: ConsoleClient, url: string): Promise<string> {
  return (await me.do(createWebhook, { body: { url, events: ["link.created"] } })).id;
}

const rowsOf = (page: Page) => page.getByRole("list", { name: "Deliveries" }).getByRole("button");

describe("tokens", () => {
  test(
    "a token made in the console works with curl until it is revoked there",
    () =>
      onStage("developer", async ({ page }) => {
        await page.getByText("No tokens yet").waitFor();
        await page.getByRole("button", { name: "Create token" }).click();
        const dialog = page.getByRole("dialog");
        const name = dialog.getByLabel("Name");
        expect(await name.evaluate((input) => input.matches(":focus"))).toBe(true);
        await name.fill("Nightly import");
        await dialog.getByLabel("Change links").check();
        await dialog.getByLabel("Expires after").selectOption("30 days");
        await dialog.getByRole("button", { name: "Create token" }).click();
        const token = await dialog.getByRole("textbox", { name: "Token" }).inputValue();
        expect(token).toMatch(/^kurz_[0-9A-Za-z]{12}_[0-9A-Za-z]{49}$/);
        await dialog.getByRole("button", { name: "Copy Example call" }).click();
        const command = await page.evaluate<string>("navigator.clipboard.readText()");
        const curl = async (): Promise<string> =>
          new Response(Bun.spawn(["sh", "-c", command], { stderr: "ignore" }).stdout).text();
        expect(JSON.parse(await curl())).toMatchObject({ token: { scopes: ["links:read", "links:write"] } });
        await dialog.getByRole("button", { name: "Done" }).click();
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
    "a session that is no longer fresh is asked for the password, and then goes on where it was",
    () =>
      onStage("developer/tokens", async ({ page, me }) => {
        const records = new Database(dataPaths(site.server.dataDir).records);
        const session = (await me.state()).session?.user.id ?? "";
        records.run("update sessions set sudo_until = 0 where user_id = ?", [session]);
        records.close();
        await page.getByRole("button", { name: "Create token" }).click();
        await page.getByRole("dialog", { name: "Create token" }).getByLabel("Name").fill("Late");
        await page.getByRole("dialog", { name: "Create token" }).getByRole("button", { name: "Create token" }).click();
        const sudo = page.getByRole("dialog", { name: "Confirm that it is you" });
        await sudo.getByLabel("Your password").fill("not the password");
        await sudo.getByRole("button", { name: "Confirm" }).click();
        await sudo.getByText("That did not work").waitFor();
        await sudo.getByLabel("Your password").fill(PASSWORD);
        await sudo.getByRole("button", { name: "Confirm" }).click();
        await page.getByRole("dialog", { name: "Your new token" }).waitFor();
      }),
    TIMEOUT_MS,
  );

  test(
    "whoever does not confirm it is asked nothing more, and nothing has happened",
    () =>
      onStage("developer/tokens", async ({ page, me }) => {
        const records = new Database(dataPaths(site.server.dataDir).records);
        const user = (await me.state()).session?.user.id ?? "";
        records.run("update sessions set sudo_until = 0 where user_id = ?", [user]);
        records.close();
        await page.getByRole("button", { name: "Create token" }).click();
        const form = page.getByRole("dialog", { name: "Create token" });
        await form.getByLabel("Name").fill("Never");
        await form.getByRole("button", { name: "Create token" }).click();
        await page.getByRole("dialog", { name: "Confirm that it is you" }).getByLabel("Your password").waitFor();
        await page.keyboard.press("Escape");
        await form.getByRole("button", { name: "Create token" }).waitFor();
        expect(await form.getByRole("alert").count()).toBe(0);
        await form.getByRole("button", { name: "Cancel" }).click();
        await page.getByText("No tokens yet").waitFor();
      }),
    TIMEOUT_MS,
  );
});

describe("webhooks", () => {
  test(
    "an endpoint added in the console hears of a link, and the log shows the delivery and sends it again",
    () =>
      onStage("developer/webhooks", async ({ page, me }) => {
        const receiver = newReceiver();
        receiver.answerWith(() => new Response("well received", { status: 201 }));
        await page.getByRole("button", { name: "Add endpoint" }).click();
        const dialog = page.getByRole("dialog");
        await dialog.getByLabel("Address").fill("ftp://example.com");
        await dialog.getByRole("button", { name: "Add endpoint" }).click();
        await until("the problem stands at the field", () =>
          dialog.getByLabel("Address").evaluate((input) => input.getAttribute("aria-invalid") === "true"),
        );
        await dialog.getByLabel("Address").fill(receiver.url);
        await dialog.getByLabel("Description").fill("Warehouse");
        await dialog.getByRole("button", { name: "Add endpoint" }).click();
        const secret = await dialog.getByRole("textbox", { name: "Signing secret" }).inputValue();
        await dialog.getByRole("button", { name: "Done" }).click();
        await page.getByRole("link", { name: receiver.url.replace("http://", "") }).click();
        await page.getByText("Nothing sent yet").waitFor();
        await makeLink(me, "Told of");
        // It shows itself without anyone asking.
        await rowsOf(page).filter({ hasText: "link.created" }).filter({ hasText: "Delivered" }).click();
        const open = page.getByRole("dialog", { name: "link.created" });
        await open.getByText("Status 201").waitFor();
        await open.getByText("well received").waitFor();
        await open.getByText('"title": "Told of"').waitFor();
        const [hit] = receiver.hits;
        expect(hit && (await acceptedBy(hit, secret))).toEqual(allVerifiers);
        await open.getByRole("button", { name: "Redeliver" }).click();
        await open.getByText("by hand").waitFor();
        expect(receiver.hits.map(({ delivery }) => delivery)).toEqual([hit?.delivery ?? "", hit?.delivery ?? ""]);
      }),
    TIMEOUT_MS,
  );

  test(
    "an endpoint that is gone is switched off, and gets what it missed when it is switched on",
    () =>
      onStage("developer/webhooks", async ({ page, me, go }) => {
        const receiver = newReceiver();
        receiver.answerWith(() => new Response("gone", { status: 410 }));
        const id = await register(me, receiver.url);
        await makeLink(me);
        await until("it is off", async () => !(await me.do(getWebhook, { params: { id } })).enabled);
        await makeLink(me, "Missed");
        receiver.answerWith(() => new Response(null, { status: 204 }));
        await go(`developer/webhooks/${id}`);
        await page.getByText("Switched off", { exact: true }).waitFor();
        await page.getByText("it is gone (410)").waitFor();
        await page.getByText("A webhook endpoint was switched off after failing.").waitFor();
        await page.getByRole("button", { name: "Switch on" }).click();
        await page.getByRole("group", { name: "1 delivery waits for it" }).waitFor();
        await page.getByRole("dialog").getByLabel("Send what was missed").check();
        await page.getByRole("dialog").getByRole("button", { name: "Switch on" }).click();
        await page.getByText("Healthy").waitFor();
        await until("what was missed arrives", () =>
          receiver.hits.some(({ body }) => body.includes('"title":"Missed"')),
        );
      }),
    TIMEOUT_MS,
  );

  test(
    "an endpoint is tested, changed, rotated, switched off and deleted",
    () =>
      onStage("developer/webhooks", async ({ page, me, go }) => {
        const receiver = newReceiver();
        const id = await register(me, receiver.url);
        await go(`developer/webhooks/${id}`);
        await page.getByRole("button", { name: "Send test" }).click();
        await rowsOf(page).filter({ hasText: "webhook.test" }).filter({ hasText: "Delivered" }).waitFor();
        await page.getByRole("combobox", { name: "State" }).selectOption("Failed");
        await page.getByText("Nothing fits").waitFor();
        await page.getByRole("button", { name: "Edit" }).click();
        await page.getByRole("dialog").getByLabel("link.deleted").check();
        await page.getByRole("dialog").getByRole("button", { name: "Save" }).click();
        await until("it is saved", async () =>
          (await me.do(getWebhook, { params: { id } })).events.includes("link.deleted"),
        );
        const choose = async (action: string) => {
          await page.getByRole("button", { name: "More actions" }).click();
          await page.getByRole("menuitem", { name: action }).click();
        };
        await choose("Rotate secret");
        await page.getByRole("dialog").getByRole("button", { name: "Make new secret" }).click();
        expect(
          await page.getByRole("dialog").getByRole("textbox", { name: "Signing secret" }).inputValue(),
        ).toStartWith("whsec_");
        await page.getByRole("dialog").getByRole("button", { name: "Done" }).click();
        await page.getByText("The old secret signs too").waitFor();
        await choose("Switch off");
        await page.getByText("Off", { exact: true }).waitFor();
        await choose("Delete endpoint");
        await page.getByRole("dialog").getByRole("button", { name: "Delete endpoint" }).click();
        await page.getByText("No endpoints yet").waitFor();
      }),
    TIMEOUT_MS,
  );
});

test(
  "what a receiver answers and what people call things is text, whatever it looks like",
  () =>
    onStage("developer/tokens", async ({ page, me, go }) => {
      const receiver = newReceiver();
      receiver.answerWith(() => new Response(HOSTILE, { status: 200, headers: { "content-type": "text/html" } }));
      const body = { url: receiver.url, events: ["link.created"], description: HOSTILE };
      const { id } = await me.do(createWebhook, { body });
      await makeLink(me, HOSTILE);
      await go(`developer/webhooks/${id}`);
      await rowsOf(page).filter({ hasText: "Delivered" }).click();
      const response = page.getByRole("dialog").getByRole("region", { name: "Response of attempt 1" });
      expect(await response.textContent()).toBe(HOSTILE);
      expect(await page.locator("img").count()).toBe(0);
      await go("settings/audit");
      await page.getByRole("list", { name: "Audit log" }).getByRole("listitem").first().waitFor();
      expect(await page.title()).not.toBe("run");
    }),
  TIMEOUT_MS,
);

test(
  "a viewer reads how to call the API, and is told who handles tokens and webhooks",
  async () => {
    const viewer = await site.newMember("viewer");
    await onStage(
      "developer",
      async ({ page, go }) => {
        await page.getByRole("link", { name: "Open reference" }).waitFor();
        for (const tab of ["tokens", "webhooks", "webhooks/we_unknown"]) {
          await go(`developer/${tab}`);
          await page.getByText("Your role in Acme is viewer").waitFor();
          expect(await page.getByRole("main").getByRole("button").count()).toBe(0);
        }
      },
      viewer,
    );
  },
  TIMEOUT_MS,
);

describe("the developer area", () => {
  test(
    "has nothing that the accessibility checker minds, in both themes, and fits a phone",
    async () => {
      const me = await site.newOwner();
      const receiver = newReceiver();
      receiver.answerWith(() => new Response("no", { status: 500 }));
      const id = await register(me, receiver.url);
      await makeLink(me);
      await until("it was tried", () => receiver.hits.length > 0);
      for (const colorScheme of ["light", "dark"] as const) {
        const watched = await openConsolePage(browser, me, `/a/${me.account}/developer`, { colorScheme });
        const { page } = watched;
        const go = (path: string) => page.goto(`${me.url}/console/a/${me.account}/developer/${path}`);
        const check = async (what: string) => {
          const found = await findAxeViolations(page);
          expect({ what, colorScheme, found }).toEqual({ what, colorScheme, found: [] });
        };
        await go("tokens");
        await page.getByText("No tokens yet").waitFor();
        await check("tokens");
        await page.getByRole("button", { name: "Create token" }).click();
        await check("token form");
        await go("webhooks");
        await page.getByText("Failing", { exact: true }).waitFor();
        await check("webhooks");
        await page.getByRole("button", { name: "Add endpoint" }).click();
        await check("endpoint form");
        await go(`webhooks/${id}`);
        await rowsOf(page).first().click();
        await page.getByRole("dialog").getByText("Payload", { exact: true }).waitFor();
        await check("delivery");
        await go("api");
        await page.getByText("Active links").waitFor();
        await check("api");
        await page.setViewportSize(PHONE);
        for (const path of ["tokens", "webhooks", `webhooks/${id}`, "api"]) {
          await go(path);
          await page.getByRole("heading", { level: 2 }).first().waitFor();
          expect(await page.evaluate("document.documentElement.scrollWidth <= innerWidth")).toBe(true);
        }
        expect(watched.policyViolations).toEqual([]);
        await watched.close();
      }
    },
    TIMEOUT_MS * 2,
  );

  test(
    "a token is made and revoked by keyboard alone",
    () =>
      onStage("developer/tokens", async ({ page }) => {
        await page.getByText("No tokens yet").waitFor();
        await page.getByRole("button", { name: "Create token" }).focus();
        await page.keyboard.press("Enter");
        await page.keyboard.type("Typed");
        await page.keyboard.press("Enter");
        await page.getByRole("dialog", { name: "Your new token" }).waitFor();
        await page.keyboard.press("Escape");
        await page.getByRole("dialog").waitFor({ state: "hidden" });
        const revoke = page.getByRole("button", { name: "Revoke Typed" });
        await revoke.focus();
        await page.keyboard.press("Enter");
        await page.getByRole("dialog").getByRole("button", { name: "Cancel" }).waitFor();
        await page.keyboard.press("Tab");
        await page.keyboard.press("Enter");
        await page.getByText("Revoked", { exact: true }).waitFor();
      }),
    TIMEOUT_MS,
  );
});
