import { expect, test } from "bun:test";
import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { findInBothThemes, openConsolePage, untilLoaded } from "#test/support/console-page.ts";
import { copiedBy } from "#test/support/copied.ts";
import { removeAtExit } from "#test/support/remove-at-exit.ts";
import { until } from "#test/support/until.ts";
import { deliveriesOn, makeLink, openWebhookStage, register } from "#test/support/webhook-stage.ts";

const TIMEOUT_MS = 600_000;
const PHONE = { width: 375, height: 740 };

const { site, browser, onStage, newReceiver } = await openWebhookStage();

test(
  "a viewer sees how to call the API, and who may manage tokens and webhooks",
  async () => {
    const viewer = await site.newMember("viewer");
    await onStage(
      "developer",
      async ({ page, go }) => {
        await page.getByRole("link", { name: "Open reference" }).waitFor();
        await page.getByText("Admins can create one.").waitFor();
        expect(await page.getByRole("button", { name: "Create token" }).count()).toBe(0);
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

test(
  "the developer area passes the accessibility checker in both themes, and fits a phone",
  async () => {
    const me = await site.newOwner();
    const receiver = newReceiver();
    receiver.answerWith(() => new Response("no", { status: 500 }));
    const id = await register(me, receiver.url);
    await makeLink(me);
    await until("a delivery was attempted", () => receiver.hits.length > 0);
    const { page, policyViolations, close } = await openConsolePage(browser, me, `/a/${me.account}/developer`);
    const go = (path: string) => page.goto(`${me.url}/console/a/${me.account}/developer/${path}`);
    const check = async (what: string) =>
      expect({ what, found: await findInBothThemes(page) }).toEqual({ what, found: [] });
    await go("tokens");
    await page.getByText("No tokens yet").waitFor();
    await check("tokens");
    await page.getByRole("button", { name: "Create token" }).click();
    await page.getByRole("dialog", { name: "Create token" }).waitFor();
    await check("token form");
    await go("webhooks");
    await page.getByText("Failing", { exact: true }).waitFor();
    await check("webhooks");
    await page.getByRole("button", { name: "Add endpoint" }).click();
    await page.getByRole("dialog", { name: "Add endpoint" }).waitFor();
    await check("endpoint form");
    await go(`webhooks/${id}`);
    await deliveriesOn(page).first().click();
    await page.getByRole("dialog").getByText("Payload", { exact: true }).waitFor();
    await check("delivery");
    await go("api");
    await page.getByText("Active links").waitFor();
    await check("api");
    await page.setViewportSize(PHONE);
    for (const path of ["tokens", "webhooks", `webhooks/${id}`, "api"]) {
      await go(path);
      await page.getByRole("heading", { level: 2 }).first().waitFor();
      await untilLoaded(page);
      expect(await page.evaluate("document.documentElement.scrollWidth <= innerWidth")).toBe(true);
    }
    expect(policyViolations).toEqual([]);
    await close();
  },
  TIMEOUT_MS,
);

test(
  "the quick start runs as shown with a token created there, which may do what the examples need and no more",
  () =>
    onStage("developer/api", async ({ page }) => {
      await page.getByRole("button", { name: "Create token" }).click();
      const dialog = page.getByRole("dialog");
      await dialog.getByLabel("Name").fill("First steps");
      const permissions = dialog.getByRole("group", { name: "Permissions" });
      expect(await permissions.getByRole("checkbox", { checked: true }).count()).toBe(2);
      await dialog.getByRole("button", { name: "Create token" }).click();
      const TOKEN = await dialog.getByRole("textbox", { name: "Token" }).inputValue();
      await dialog.getByRole("button", { name: "I’ve saved it" }).click();
      await dialog.waitFor({ state: "hidden" });

      const project = mkdtempSync(join(tmpdir(), "kurz-quick-start-"));
      removeAtExit(project);
      const run = async (...command: string[]): Promise<string> => {
        // Nothing but the package of this instance is fetched.
        const npm = { npm_config_cache: join(project, ".npm"), npm_config_registry: "http://127.0.0.1:1" };
        const quiet = { npm_config_audit: "false", npm_config_update_notifier: "false" };
        const env = { PATH: process.env.PATH ?? "", HOME: project, TOKEN, ...npm, ...quiet };
        const child = Bun.spawn(command, { cwd: project, env, stdin: "ignore", stderr: "pipe" });
        const [stdout, stderr] = await Promise.all([child.stdout.text(), child.stderr.text()]);
        expect({ command, code: await child.exited, stderr }).toMatchObject({ code: 0 });
        return stdout;
      };
      const shown = (name: string): Promise<string> => {
        const copy = page.getByRole("button", { name: `Copy ${name}`, exact: true });
        return copiedBy(page, copy, { startsWith: `Copy ${name}: copied` });
      };
      const made = JSON.parse(await run("sh", "-c", await shown("curl example")));
      expect(made).toMatchObject({ destination_url: "https://example.com/sale", tags: ["spring"] });
      await run("sh", "-c", await shown("Install command"));
      const program = await shown("TypeScript example");
      for (const [runtime, file] of [
        ["node", "quick-start.mjs"],
        [process.execPath, "quick-start.ts"],
      ] as const) {
        writeFileSync(join(project, file), program);
        expect(await run(runtime, file)).toMatch(/^http:\/\/\S+\n0\n$/);
      }
    }),
  TIMEOUT_MS,
);

test(
  "on a phone, the button that copies an example covers none of it",
  () =>
    onStage("developer/api", async ({ page }) => {
      await page.setViewportSize(PHONE);
      for (const name of ["curl example", "Install command", "TypeScript example"]) {
        const code = await page.getByRole("region", { name, exact: true }).boundingBox();
        const copy = await page.getByRole("button", { name: `Copy ${name}` }).boundingBox();
        if (!code || !copy) throw new Error(`${name} isn't on screen`);
        expect({ name, isBeside: code.x + code.width <= copy.x }).toEqual({ name, isBeside: true });
        expect(copy.x + copy.width).toBeLessThanOrEqual(PHONE.width);
      }
    }),
  TIMEOUT_MS,
);
