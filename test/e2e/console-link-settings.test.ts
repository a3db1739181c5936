import { expect, test } from "bun:test";
import { listLinks } from "#contract/links.ts";
import { expectAccessible } from "#test/support/console-page.ts";
import { eventually } from "#test/support/eventually.ts";
import { dialogOf, openLinkStage, rowOf } from "#test/support/link-stage.ts";
import { until } from "#test/support/until.ts";
import { visit } from "#test/support/visit.ts";

const TIMEOUT_MS = 600_000;
const LATER = "2099-01-02T03:04:00.000Z";

const FIREFOX = "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0";

const { site, onStage } = await openLinkStage();

test(
  "a password is set, kept by other edits, changed and removed, and never shown",
  () =>
    onStage([{ slug: "secret-one" }], async ({ page, me }) => {
      const dialog = dialogOf(page);
      const isProtected = async () => (await me.do(listLinks)).data[0]?.password_protected;
      const open = () => page.getByRole("link", { name: /^Edit secret-one:/ }).click();
      const save = async () => {
        await dialog.getByRole("button", { name: "Save" }).click();
        await dialog.waitFor({ state: "detached" });
      };
      await open();
      await dialog.getByText("Protection", { exact: true }).click();
      await dialog.getByLabel("Password", { exact: true }).fill("tulip");
      await save();
      expect(await isProtected()).toBe(true);
      await rowOf(page, "secret-one").getByText("Password-protected").waitFor({ state: "attached" });

      await open();
      expect(await dialog.getByText("tulip").count()).toBe(0);
      await dialog.getByRole("button", { name: "Change password" }).click();
      // An empty one neither replaces nor removes it.
      await dialog.getByLabel("Title").fill("Renamed");
      await dialog.getByRole("button", { name: "Save" }).click();
      await dialog.getByText("Enter a password.").waitFor();
      await dialog.getByRole("button", { name: "Keep the old one" }).click();
      await save();
      expect(await isProtected()).toBe(true);

      await open();
      await dialog.getByRole("button", { name: "Remove password" }).click();
      await dialog.getByText("The password is removed when you save.").waitFor();
      await save();
      expect(await isProtected()).toBe(false);
      await rowOf(page, "secret-one").getByText("Password-protected").waitFor({ state: "detached" });
    }),
  TIMEOUT_MS,
);

test(
  "limits, the preview card and further options are saved, and shown again after a reload",
  () =>
    onStage([{ slug: "all-set" }], async ({ page, me }) => {
      await page.getByRole("link", { name: /^Edit all-set:/ }).click();
      const dialog = dialogOf(page);
      await dialog.getByText("Protection", { exact: true }).click();
      await dialog.getByLabel("Click limit").fill("10");
      await dialog.getByLabel("Starts").fill("2099-01-02T03:04");
      await dialog.getByLabel("After it ends, go to").fill("example.com/over");
      await dialog.getByText("Preview card", { exact: true }).click();
      await dialog.getByLabel("Headline").fill("Up to 50% off");
      await dialog.getByRole("figure").getByText("Up to 50% off").waitFor();
      await dialog.getByText("More options", { exact: true }).click();
      await dialog.getByLabel("Redirect status").selectOption("308");
      await dialog.getByText("Sent as 307 while the link has a click limit").waitFor();
      await dialog.getByLabel("Pass on the query").uncheck();
      await dialog.getByLabel("Pass on the path").check();
      await dialog.getByLabel("Notes").fill("Ask Kim");
      await dialog.getByLabel("External ID").fill("crm-1");
      await dialog.getByRole("button", { name: "Save" }).click();
      await dialog.waitFor({ state: "detached" });
      const [link] = (await me.do(listLinks)).data;
      expect(link).toMatchObject({
        max_clicks: 10,
        scheduled: true,
        expired_url: "https://example.com/over",
        preview: { title: "Up to 50% off", description: null, image_url: null },
        redirect_status: 308,
        forward_query: false,
        forward_path: true,
        notes: "Ask Kim",
        external_id: "crm-1",
      });
      await page.reload();
      await rowOf(page, "all-set").getByText("Scheduled").waitFor();
      await page.getByRole("link", { name: /^Edit all-set:/ }).click();
      expect(await dialog.getByLabel("Click limit").inputValue()).toBe("10");
      expect(await dialog.getByLabel("Notes").inputValue()).toBe("Ask Kim");
      expect(await dialog.getByLabel("External ID").isDisabled()).toBe(true);
      expect(await dialog.getByRole("button", { name: "Save" }).isDisabled()).toBe(true);
    }),
  TIMEOUT_MS,
);

test(
  "an external ID that another link has is refused at its field, wherever that is",
  () =>
    onStage([{ slug: "first-one", external_id: "crm-1" }], async ({ page, me }) => {
      await page.getByRole("button", { name: "Create link" }).click();
      const dialog = dialogOf(page);
      const more = dialog.locator("details", { has: page.locator("summary", { hasText: "More options" }) });
      const field = dialog.getByLabel("External ID");
      await dialog.getByLabel("Destination", { exact: true }).fill("https://example.com/second");
      await more.locator("summary").click();
      await field.fill("crm-1");
      await more.locator("summary").click();
      await until("the section is closed", async () => !(await field.isVisible()));
      await dialog.getByRole("button", { name: "Create link" }).click();
      await more.getByText("Another link already has this external ID.").waitFor();
      await until("the field has the focus", () => field.evaluate((input) => input.matches(":focus")));
      await until("the field is in sight", () =>
        field.evaluate((input) => {
          const { left, top, width, height } = input.getBoundingClientRect();
          return input.ownerDocument.elementFromPoint(left + width / 2, top + height / 2) === input;
        }),
      );
      await field.fill("crm-2");
      await more.getByText("Another link already has this external ID.").waitFor({ state: "detached" });
      await dialog.getByRole("button", { name: "Create link" }).click();
      await dialog.waitFor({ state: "detached" });
      expect((await me.do(listLinks)).data.map(({ external_id }) => external_id)).toEqual(["crm-2", "crm-1"]);
    }),
  TIMEOUT_MS,
);

test(
  "a link whose clicks are used up says so, and works again with a higher limit",
  () =>
    onStage([{ slug: "once-only", max_clicks: 1 }], async ({ page, me }) => {
      const open = () => visit(site.server, "/once-only", { headers: { "User-Agent": FIREFOX } });
      expect((await open()).status).toBe(302);
      expect((await open()).status).toBe(410);
      await until("the link is exhausted", async () => (await me.do(listLinks)).data[0]?.exhausted === true);
      await page.reload();
      await rowOf(page, "once-only").getByText("Used up", { exact: true }).waitFor();
      await page.getByRole("link", { name: /^Edit once-only:/ }).click();
      const dialog = dialogOf(page);
      await dialog.getByLabel("Click limit").fill("2");
      await dialog.getByRole("button", { name: "Save" }).click();
      await dialog.waitFor({ state: "detached" });
      await rowOf(page, "once-only").getByText("Used up", { exact: true }).waitFor({ state: "detached" });
      expect((await open()).status).toBe(302);
    }),
  TIMEOUT_MS,
);

test(
  "what is set stays out of the way until it is used, without accessibility violations at any width",
  () =>
    onStage(
      [
        { slug: "plain-one" },
        {
          slug: "full-one",
          password: "tulip",
          max_clicks: 5,
          starts_at: LATER,
          preview: { title: "A title", description: "A text", image_url: "https://example.com/a.png" },
          notes: "Ask Kim",
        },
      ],
      async ({ page }) => {
        const dialog = dialogOf(page);
        await page.getByRole("link", { name: /^Edit plain-one:/ }).click();
        await dialog.getByText("More options", { exact: true }).waitFor();
        expect(await dialog.locator("details[open]").count()).toBe(0);
        await page.keyboard.press("Escape");
        await dialog.waitFor({ state: "detached" });
        await page.getByRole("link", { name: /^Edit full-one:/ }).click();
        await dialog.getByText("More options", { exact: true }).waitFor();
        await eventually(async () => expect(await dialog.locator("details[open]").count()).toBe(3));
        await dialog.getByRole("figure").getByText("Your image from example.com").waitFor();
        await dialog.getByRole("figure").getByText("Chats load it; the console doesn’t.").waitFor();
        await expectAccessible(page, dialog);
      },
    ),
  TIMEOUT_MS,
);
