import { expect, test } from "bun:test";
import { findAxeViolations, openConsolePage, untilLoaded } from "#test/support/console-page.ts";
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
      expect(watched.policyViolations).toEqual([]);
      await watched.close();
    }
  },
  TIMEOUT_MS,
);

test(
  "on a phone, the button that copies an example covers none of it",
  () =>
    onStage("developer/api", async ({ page }) => {
      await page.setViewportSize(PHONE);
      for (const name of ["curl example", "TypeScript example"]) {
        const code = await page.getByRole("region", { name, exact: true }).boundingBox();
        const copy = await page.getByRole("button", { name: `Copy ${name}` }).boundingBox();
        if (!code || !copy) throw new Error(`${name} isn't on screen`);
        expect({ name, isBeside: code.x + code.width <= copy.x }).toEqual({ name, isBeside: true });
        expect(copy.x + copy.width).toBeLessThanOrEqual(PHONE.width);
      }
    }),
  TIMEOUT_MS,
);
