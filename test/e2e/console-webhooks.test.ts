import { expect, test } from "bun:test";
import { createWebhook, getWebhook } from "#contract/console/webhooks.ts";
import { eventually } from "#test/support/eventually.ts";
import { until } from "#test/support/until.ts";
import { deliveriesOn, makeLink, openWebhookStage, register } from "#test/support/webhook-stage.ts";
import { acceptedBy, allVerifiers } from "#test/support/webhook-verifiers.ts";

const TIMEOUT_MS = 600_000;
const HOSTILE = `<img src=x onerror="document.title='run'"><script>document.title='run'</script>`;

const { onStage, newReceiver } = await openWebhookStage();

test(
  "an endpoint added in the console receives events, and the log shows and resends them",
  () =>
    onStage("developer/webhooks", async ({ page, me }) => {
      const receiver = newReceiver();
      receiver.answerWith(() => new Response("well received", { status: 201 }));
      await page.getByRole("button", { name: "Add endpoint" }).click();
      const dialog = page.getByRole("dialog");
      await dialog.getByLabel("Address").fill("ftp://example.com");
      await dialog.getByRole("button", { name: "Add endpoint" }).click();
      await until("the field is marked invalid", () =>
        dialog.getByLabel("Address").evaluate((input) => input.getAttribute("aria-invalid") === "true"),
      );
      await dialog.getByLabel("Address").fill(receiver.url);
      await dialog.getByLabel("Description").fill("Warehouse");
      await dialog.getByRole("button", { name: "Add endpoint" }).click();
      const secret = await dialog.getByRole("textbox", { name: "Signing secret" }).inputValue();
      await dialog.getByRole("button", { name: "I’ve saved it" }).click();
      await page.getByRole("link", { name: receiver.url.replace("http://", "") }).click();
      await page.getByText("Nothing sent yet").waitFor();
      await makeLink(me, "Told of");
      // It appears without a reload.
      await deliveriesOn(page).filter({ hasText: "link.created" }).filter({ hasText: "Delivered" }).click();
      const open = page.getByRole("dialog", { name: "link.created" });
      await open.getByText("Status 201").waitFor();
      await open.getByText("well received").waitFor();
      await open.getByText('"title": "Told of"').waitFor();
      const [hit] = receiver.hits;
      expect(hit && (await acceptedBy(hit, secret))).toEqual(allVerifiers);
      await open.getByRole("button", { name: "Redeliver" }).click();
      await open.getByText("manual").waitFor();
      await eventually(async () =>
        expect(receiver.hits.map(({ delivery }) => delivery)).toEqual([hit?.delivery ?? "", hit?.delivery ?? ""]),
      );
    }),
  TIMEOUT_MS,
);

test(
  "an endpoint that is gone is switched off, and gets missed events when switched on",
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
      await page.getByText("It responded with 410 Gone").waitFor();
      await page.getByText("A webhook endpoint was switched off after failing.").waitFor();
      await page.getByRole("button", { name: "Switch on" }).click();
      await page.getByRole("group", { name: "1 pending delivery" }).waitFor();
      await page.getByRole("dialog").getByLabel("Send missed events").check();
      await page.getByRole("dialog").getByRole("button", { name: "Switch on" }).click();
      await page.getByText("Healthy").waitFor();
      await until("what was missed arrives", () => receiver.hits.some(({ body }) => body.includes('"title":"Missed"')));
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
      await deliveriesOn(page).filter({ hasText: "webhook.test" }).filter({ hasText: "Delivered" }).waitFor();
      await page.getByRole("combobox", { name: "State" }).selectOption("Failed");
      await page.getByText("No matching deliveries").waitFor();
      await page.getByRole("button", { name: "Edit" }).click();
      await page.getByRole("dialog").getByLabel("link.deleted").check();
      await page.getByRole("dialog").getByRole("button", { name: "Save" }).click();
      await until("it is saved", async () =>
        (await me.do(getWebhook, { params: { id } })).events.includes("link.deleted"),
      );
      const choose = async (action: string) => {
        await page.getByRole("button", { name: "More actions" }).click();
        await page.getByRole("menuitem", { name: action }).click({ scroll: "none" });
      };
      await choose("Rotate secret");
      await page.getByRole("dialog").getByRole("button", { name: "Rotate secret" }).click();
      expect(await page.getByRole("dialog").getByRole("textbox", { name: "Signing secret" }).inputValue()).toStartWith(
        "whsec_",
      );
      await page.getByRole("dialog").getByRole("button", { name: "I’ve saved it" }).click();
      await page.getByText("The old secret also signs").waitFor();
      await choose("Switch off");
      await page.getByText("Off", { exact: true }).waitFor();
      await choose("Delete endpoint");
      await page.getByRole("dialog").getByRole("button", { name: "Delete endpoint" }).click();
      await page.getByText("No endpoints yet").waitFor();
    }),
  TIMEOUT_MS,
);

test(
  "receiver responses and user-given names are always shown as text",
  () =>
    onStage("developer/tokens", async ({ page, me, go }) => {
      const receiver = newReceiver();
      receiver.answerWith(() => new Response(HOSTILE, { status: 200, headers: { "content-type": "text/html" } }));
      const body = { url: receiver.url, events: ["link.created"], description: HOSTILE };
      const { id } = await me.do(createWebhook, { body });
      await makeLink(me, HOSTILE);
      await go(`developer/webhooks/${id}`);
      await deliveriesOn(page).filter({ hasText: "Delivered" }).click();
      const response = page.getByRole("dialog").getByRole("region", { name: "Response to attempt 1" });
      await eventually(async () => expect(await response.textContent()).toBe(HOSTILE));
      expect(await page.locator("img").count()).toBe(0);
      await go("settings/audit");
      await page.getByRole("list", { name: "Audit log" }).getByRole("listitem").first().waitFor();
      expect(await page.title()).not.toBe("run");
    }),
  TIMEOUT_MS,
);
