import { expect, test } from "bun:test";
import type { Locator } from "playwright-core";
import { listUtmTemplates } from "#contract/console/utm-templates.ts";
import { listLinks } from "#contract/links.ts";
import { expectAccessible } from "#test/support/console-page.ts";
import { copiedBy } from "#test/support/copied.ts";
import { eventually } from "#test/support/eventually.ts";
import { dialogOf, openLinkStage, rowOf } from "#test/support/link-stage.ts";
import { until } from "#test/support/until.ts";

const TIMEOUT_MS = 600_000;

const { onStage } = await openLinkStage();

const LONG = "https://example.com/a/rather/long/address?with=parameters";

test(
  "an address that is pasted anywhere on the list is shortened by Enter, and copied by Enter once more",
  () =>
    onStage([], async ({ page, me }) => {
      await page.getByRole("button", { name: "Create your first link" }).waitFor();
      const dialog = page.getByRole("dialog", { name: "Create link" });
      const field = dialog.getByLabel("Destination");
      const card = page.getByRole("region", { name: "Link created" });
      // The second time nothing has to be loaded, and the card is there as soon as the link is.
      for (const address of [LONG, `${LONG}&again`]) {
        await page.evaluate(`navigator.clipboard.writeText(${JSON.stringify(address)})`);
        await page.keyboard.press("Control+V");
        await until("the field has the focus", () => field.evaluate((input) => input.matches(":focus")));
        await eventually(async () => expect(await field.inputValue()).toBe(address));
        await page.keyboard.press("Enter");
        await card.getByText("Your link is ready").waitFor();
        const [link] = (await me.do(listLinks)).data;
        expect(link?.destination_url).toBe(address);
        await rowOf(page, link?.slug ?? "").waitFor();
        const copy = card.getByRole("button", { name: "Copy link" });
        await until("the button has the focus", () => copy.evaluate((button) => button.matches(":focus")));
        await page.keyboard.press("Enter");
        const clipboard = () => page.evaluate<string>("navigator.clipboard.readText()");
        await until("it is copied", async () => (await clipboard()) === link?.short_url);
        await page.keyboard.press("Escape");
        await card.waitFor({ state: "detached" });
      }
      // What was pasted then is not what someone wants now.
      await page.goForward();
      await field.waitFor();
      expect(await field.inputValue()).toBe("");
    }),
  TIMEOUT_MS,
);

test(
  "the UTM parameters of recent links are offered, and fill all fields",
  () =>
    onStage(
      [{ slug: "with-utm", utm: { utm_source: "newsletter", utm_medium: "email" } }, { slug: "without-utm" }],
      async ({ page, me }) => {
        await rowOf(page, "with-utm").waitFor();
        await page.getByRole("button", { name: "Create link" }).click();
        const dialog = page.getByRole("dialog", { name: "Create link" });
        await dialog.getByLabel("Destination").fill(LONG);
        await dialog.getByText("UTM parameters").click();
        await dialog.getByLabel("Term").fill("overwritten");
        await dialog.getByRole("button", { name: "newsletter · email" }).click();
        await eventually(async () => expect(await dialog.getByLabel("Term").inputValue()).toBe(""));
        await expectAccessible(page);
        await dialog.getByRole("button", { name: "Create link" }).click();
        await dialog.waitFor({ state: "detached" });
        const [made] = (await me.do(listLinks)).data;
        expect(made?.utm).toEqual({ utm_source: "newsletter", utm_medium: "email" });
      },
    ),
  TIMEOUT_MS,
);

test(
  "other texts, and what is pasted into a field, create nothing",
  () =>
    onStage([{ slug: "only-one" }], async ({ page }) => {
      await rowOf(page, "only-one").waitFor();
      // Once the dialog is loaded, nothing keeps it from being there at once.
      await page.getByRole("button", { name: "Create link" }).click();
      await dialogOf(page).getByLabel("Destination").waitFor();
      await page.keyboard.press("Escape");
      await dialogOf(page).waitFor({ state: "detached" });
      const addresses: string[] = [];
      page.on("framenavigated", (frame) => addresses.push(frame.url()));
      await page.evaluate("navigator.clipboard.writeText('just some words')");
      await page.keyboard.press("Control+V");
      await page.evaluate(`navigator.clipboard.writeText(${JSON.stringify(LONG)})`);
      await page.getByLabel("Search links").focus();
      await page.keyboard.press("Control+V");
      await until("the search has it", async () => (await page.getByLabel("Search links").inputValue()) === LONG);
      await until("the list is searched", async () => addresses.some((address) => address.includes("q=")));
      expect(addresses.filter((address) => address.includes("new="))).toEqual([]);
      expect(await page.getByRole("dialog").count()).toBe(0);
    }),
  TIMEOUT_MS,
);

test(
  "a new link can be copied, shared and shown as a QR code from its card, on every screen",
  () =>
    onStage([{ slug: "earlier" }], async ({ page, me }) => {
      await rowOf(page, "earlier").waitFor();
      const create = async (slug: string) => {
        await page.getByRole("button", { name: "Create link" }).click();
        const dialog = page.getByRole("dialog", { name: "Create link" });
        await dialog.getByLabel("Destination").fill(LONG);
        await dialog.getByRole("textbox", { name: "Slug" }).fill(slug);
        await dialog.getByRole("button", { name: "Create link" }).click();
        await dialog.waitFor({ state: "detached" });
      };
      const slug = `card-${me.account.slice(-6)}`;
      await create(slug);
      const card = page.getByRole("region", { name: "Link created" });
      await card.getByText(`/${slug}`).waitFor();
      await until("the code is drawn", async () => (await card.locator("img").count()) === 1);
      await expectAccessible(page);
      const shared = card.getByRole("link", { name: "Share" }).or(card.getByRole("button", { name: "Share" }));
      expect(await shared.count()).toBe(1);
      const copied = await copiedBy(page, card.getByRole("button", { name: "Copy link" }), {
        startsWith: "Copied http",
      });
      expect(copied).toEndWith(`/${slug}`);
      await card.getByRole("button", { name: "QR code", exact: true }).click();
      const code = page.getByRole("dialog", { name: "QR code" });
      await code.getByText(`/${slug}`).waitFor();
      await page.keyboard.press("Escape");
      await code.waitFor({ state: "detached" });
      // Making room for what is done next.
      await page.getByRole("checkbox", { name: "Select earlier" }).check();
      await card.waitFor({ state: "detached" });
    }),
  TIMEOUT_MS,
);

test(
  "UTM parameters are saved as a template and used for another link",
  () =>
    onStage([], async ({ page, me }) => {
      const openUtm = async () => {
        await page.getByRole("button", { name: "Create link", exact: true }).first().click();
        await dialogOf(page).getByText("UTM parameters", { exact: true }).click();
      };
      const templates = dialogOf(page).getByRole("button", { name: "Templates" });
      await openUtm();
      await templates.click();
      await page.getByText("Fill in the parameters, then save them here").waitFor();
      await page.keyboard.press("Escape");
      await dialogOf(page).getByLabel("Source").fill("newsletter");
      await dialogOf(page).getByLabel("Medium").fill("email");
      await templates.click();
      await page.getByLabel("Name of the template").fill("Weekly");
      await page.keyboard.press("Enter");
      await page.getByText("Saved the template “Weekly”.").waitFor();
      await templates.click();
      await page.getByRole("button", { name: "Weekly", exact: true }).waitFor();
      await expectAccessible(page, dialogOf(page));
      await page.keyboard.press("Escape");
      await dialogOf(page).getByLabel("Source").fill("");
      await dialogOf(page).getByLabel("Medium").fill("");
      await templates.click();
      await page.getByRole("button", { name: "Weekly", exact: true }).click();
      await dialogOf(page).getByLabel("Destination").fill("https://example.com/templated");
      await dialogOf(page).getByRole("button", { name: "Create link" }).click();
      await until("the link has the template's parameters", async () => {
        const [made] = (await me.do(listLinks)).data;
        return made?.utm.utm_source === "newsletter" && made.utm.utm_medium === "email";
      });
      await page.getByRole("button", { name: "Close", exact: true }).click();
      await openUtm();
      await templates.click();
      await page.getByRole("button", { name: "Delete template Weekly" }).click();
      await page.getByText("Fill in the parameters, then save them here").waitFor();
      await page.getByRole("button", { name: "Undo" }).click();
      await page.getByRole("button", { name: "Weekly", exact: true }).waitFor();
      expect((await me.do(listUtmTemplates)).data).toMatchObject([
        { name: "Weekly", utm: { utm_source: "newsletter", utm_medium: "email" } },
      ]);
    }),
  TIMEOUT_MS,
);

test(
  "the second click of a double click neither deletes nor applies a template that has moved under the pointer",
  () =>
    onStage([], async ({ page, me }) => {
      const dialog = dialogOf(page);
      const templates = dialog.getByRole("button", { name: "Templates" });
      const names = async () => (await me.do(listUtmTemplates)).data.map(({ name }) => name);
      const doubleClick = async (button: Locator, untilThen: () => Promise<void>) => {
        const box = await button.boundingBox();
        if (!box) throw new Error("the button isn't on the page");
        const place = [box.x + box.width / 2, box.y + box.height / 2] as const;
        await page.mouse.click(...place);
        await untilThen();
        await page.mouse.down({ clickCount: 2 });
        await page.mouse.up({ clickCount: 2 });
      };
      await page.getByRole("button", { name: "Create link", exact: true }).first().click();
      await dialog.getByText("UTM parameters", { exact: true }).click();
      for (const name of ["One", "Two", "Three"]) {
        await dialog.getByLabel("Source").fill(name);
        await templates.click();
        await page.getByLabel("Name of the template").fill(name);
        await doubleClick(page.getByRole("button", { name: "Save", exact: true }), () =>
          page.getByText(`Saved the template “${name}”.`).waitFor(),
        );
        expect(await dialog.getByLabel("Source").inputValue()).toBe(name);
      }
      expect(await names()).toEqual(["One", "Three", "Two"]);
      await templates.click();
      const deletion = page.getByRole("button", { name: "Delete template One" });
      await doubleClick(deletion, () => deletion.waitFor({ state: "detached" }));
      // What the second click asked for would be there before this.
      await page.getByRole("button", { name: "Undo" }).click();
      await deletion.waitFor();
      expect(await names()).toEqual(["One", "Three", "Two"]);
    }),
  TIMEOUT_MS,
);
