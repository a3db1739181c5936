import { expect, test } from "bun:test";
import { getLink, listLinks, updateLink } from "#contract/links.ts";
import { expectAccessible } from "#test/support/console-page.ts";
import { copiedBy } from "#test/support/copied.ts";
import { eventually } from "#test/support/eventually.ts";
import { intercept } from "#test/support/intercept.ts";
import { dialogOf, openLinkStage, rowOf } from "#test/support/link-stage.ts";
import { until } from "#test/support/until.ts";

const TIMEOUT_MS = 600_000;

const { onStage } = await openLinkStage();

test(
  "an account without links shows the list to come, and how to begin",
  () =>
    onStage([], async ({ page }) => {
      await page.getByRole("heading", { name: "No links yet" }).waitFor();
      await page.getByText(/^Paste a long address anywhere on this page/).waitFor();
      const rows = page.locator("[data-rows-to-come] > div");
      expect(await rows.count()).toBe(3);
      expect(await rows.first().isVisible()).toBe(true);
      // There is nothing to search or filter yet.
      expect(await page.getByRole("search").count()).toBe(0);
      await expectAccessible(page);
      await page.getByRole("button", { name: "Create your first link" }).press("Enter");
      await dialogOf(page).getByLabel("Destination").waitFor();
      await page.keyboard.press("Escape");
      await dialogOf(page).waitFor({ state: "detached" });
      // Those who have links elsewhere are told that they can bring them.
      await page.getByRole("link", { name: "Import links from another service" }).click();
      await page.getByRole("heading", { name: "Bring your links" }).waitFor();
    }),
  TIMEOUT_MS,
);

test(
  "the first link of an empty account is created, shown at once and can be copied",
  () =>
    onStage([], async ({ page, me }) => {
      await page.getByRole("button", { name: "Create your first link" }).click();
      const dialog = dialogOf(page);
      await dialog.getByLabel("Destination").fill("example.com/sale");
      await dialog.getByRole("textbox", { name: "Slug" }).fill(`first-${me.account.slice(-6)}`);
      await dialog.getByText("This slug is available.").waitFor();
      await dialog.getByLabel("Title").fill("Spring sale");
      await dialog.getByRole("button", { name: "Create link" }).click();
      const slug = `first-${me.account.slice(-6)}`;
      await rowOf(page, slug).waitFor();
      const [link] = (await me.do(listLinks)).data;
      expect(link).toMatchObject({ slug, destination_url: "https://example.com/sale", title: "Spring sale" });
      expect(link?.created_via).toBe("dashboard");
      const copy = rowOf(page, slug).getByRole("button", { name: /^Copy / });
      expect(await copiedBy(page, copy, { startsWith: `Copied ${link?.short_url}` })).toBe(link?.short_url ?? "");
    }),
  TIMEOUT_MS,
);

test(
  "problems are shown at their fields before anything is sent, and the server's problems too",
  () =>
    onStage([{ slug: "taken-slug" }], async ({ page, watched }) => {
      await page.getByRole("button", { name: "Create link" }).click();
      const dialog = dialogOf(page);
      await dialog.getByLabel("Destination").fill("javascript:alert(1)");
      await dialog.getByLabel("Title").focus();
      await dialog.getByText("The destination must start with https:// or http://.").waitFor();
      await dialog.getByRole("textbox", { name: "Slug" }).fill("taken-slug");
      await dialog.getByText("already taken").waitFor();
      await dialog.getByRole("button", { name: "Create link" }).click();
      // Only the server knows which hosts are private here.
      await dialog.getByLabel("Destination").fill("https://intranet.local/");
      await dialog.getByRole("textbox", { name: "Slug" }).fill("");
      await dialog.getByRole("button", { name: "Create link" }).click();
      await dialog.getByText(/is private/).waitFor();
      const field = dialog.getByLabel("Destination");
      await until("the field has the focus", () => field.evaluate((input) => input.matches(":focus")));
      // Looking elsewhere changes nothing about it.
      await dialog.getByLabel("Title").focus();
      await until("the field was left", () => field.evaluate((input) => !input.matches(":focus")));
      expect(await dialog.getByText(/is private/).count()).toBe(1);
      // Only the second attempt: a request from the first would have been sent by now.
      expect(watched.requests.filter((url) => url.endsWith("/api/v1/links"))).toHaveLength(1);
    }),
  TIMEOUT_MS,
);

test(
  "a double click creates one link, and so does a retry after a lost answer",
  () =>
    onStage([], async ({ page, me }) => {
      await page.getByRole("button", { name: "Create your first link" }).click();
      await dialogOf(page).getByLabel("Destination").fill("https://example.com/once");
      await dialogOf(page).getByRole("button", { name: "Create link" }).dblclick();
      await page.getByRole("list", { name: "Links" }).waitFor();
      await dialogOf(page).waitFor({ state: "detached" });
      expect((await me.do(listLinks)).data).toHaveLength(1);

      let lost = 0;
      await intercept(page, "**/api/v1/links", async (route) => {
        if (route.request().method() !== "POST" || lost > 0) return route.fallback();
        lost += 1;
        await route.fetch();
        await route.abort();
      });
      await page.getByRole("button", { name: "Create link" }).click();
      await dialogOf(page).getByLabel("Destination").fill("https://example.com/twice");
      await dialogOf(page).getByRole("button", { name: "Create link" }).click();
      await dialogOf(page).getByText("Can’t reach the server.").waitFor();
      await dialogOf(page).getByRole("button", { name: "Create link" }).click();
      await dialogOf(page).waitFor({ state: "detached" });
      expect(lost).toBe(1);
      expect((await me.do(listLinks)).data.map((link) => link.destination_url)).toEqual([
        "https://example.com/twice",
        "https://example.com/once",
      ]);
    }),
  TIMEOUT_MS,
);

test(
  "the address shown by the UTM builder is where visitors are redirected to",
  () =>
    onStage([], async ({ page, me }) => {
      await page.getByRole("button", { name: "Create your first link" }).click();
      const dialog = dialogOf(page);
      await dialog.getByLabel("Destination").fill("https://example.com/a?utm_source=old&sig=a%2Bb#part");
      await dialog.getByText("UTM parameters").click();
      await dialog.getByLabel("Source").fill("news & letter");
      await dialog.getByLabel("Campaign").fill("Frühling");
      const shown = await dialog.getByLabel("Final address", { exact: true }).innerText();
      await dialog.getByRole("button", { name: "Create link" }).click();
      await dialog.waitFor({ state: "detached" });
      const [link] = (await me.do(listLinks)).data;
      const visit = await fetch(link?.short_url ?? "", { redirect: "manual" });
      expect(shown).toContain("utm_source=news%20%26%20letter");
      expect(visit.headers.get("location")).toBe(shown);
    }),
  TIMEOUT_MS,
);

test(
  "pressing Escape once doesn't lose what was typed",
  () =>
    onStage([], async ({ page }) => {
      await page.getByRole("button", { name: "Create your first link" }).click();
      const dialog = dialogOf(page);
      await dialog.getByLabel("Destination").fill("https://example.com/");
      await page.keyboard.press("Escape");
      await dialog.getByText("Discard what you entered?").waitFor();
      await dialog.getByRole("button", { name: "Keep editing" }).click();
      expect(await dialog.getByLabel("Destination").inputValue()).toBe("https://example.com/");
      await page.keyboard.press("Escape");
      await dialog.getByRole("button", { name: "Discard" }).click();
      await dialog.waitFor({ state: "detached" });
    }),
  TIMEOUT_MS,
);

test(
  "pressing Escape or going back again keeps what was typed",
  () =>
    onStage([], async ({ page }) => {
      await page.getByRole("button", { name: "Create your first link" }).click();
      const dialog = dialogOf(page);
      const question = dialog.getByText("Discard what you entered?");
      const title = dialog.getByLabel("Title");
      await title.fill("Half a thought");
      const leave = {
        escape: () => page.keyboard.press("Escape"),
        async back() {
          await page.goBack();
          await until("the dialog is in the address again", () => new URL(page.url()).search === "?new=1");
        },
      };
      for (const press of [leave.escape, leave.back]) {
        await press();
        await question.waitFor();
        await press();
        await question.waitFor({ state: "detached" });
        await until("the field has the focus again", () => title.evaluate((input) => input.matches(":focus")));
        expect(await title.inputValue()).toBe("Half a thought");
      }
      // The cross is no answer to the question.
      await dialog.getByRole("button", { name: "Close", exact: true }).click();
      await question.waitFor();
      await dialog.getByRole("button", { name: "Close", exact: true }).click();
      await dialog.getByRole("button", { name: "Keep editing" }).click();
      expect(await title.inputValue()).toBe("Half a thought");
    }),
  TIMEOUT_MS,
);

test(
  "the browser's back button asks before it loses what was typed",
  () =>
    onStage([], async ({ page }) => {
      await page.getByRole("button", { name: "Create your first link" }).click();
      const dialog = dialogOf(page);
      await dialog.getByLabel("Title").fill("Half a thought");
      const search = () => new URL(page.url()).search;
      /** The page goes forward again by itself. */
      const goBack = async () => {
        await page.goBack();
        await until("the dialog is in the address again", () => search() === "?new=1");
      };
      await goBack();
      await dialog.getByText("Discard what you entered?").waitFor();
      await dialog.getByRole("button", { name: "Keep editing" }).click();
      expect(await dialog.getByLabel("Title").inputValue()).toBe("Half a thought");
      await goBack();
      await dialog.getByRole("button", { name: "Discard" }).click();
      await dialog.waitFor({ state: "detached" });
      await until("the dialog has left the address", () => search() === "");
    }),
  TIMEOUT_MS,
);

test(
  "an edit changes only what was edited, and suggests tags in use",
  () =>
    onStage(
      [
        { slug: "edit-me", title: "Before", tags: ["email"], utm: { utm_source: "x" } },
        { slug: "other", tags: ["summer"] },
      ],
      async ({ page, me }) => {
        await page.getByRole("link", { name: /^Edit edit-me:/ }).click();
        const dialog = dialogOf(page);
        await dialog.getByLabel("Title").fill("After");
        await dialog.getByRole("combobox", { name: "Tags" }).fill("sum");
        await dialog.getByRole("option", { name: /^summer/ }).click();
        await dialog.getByRole("button", { name: "Save" }).click();
        await dialog.waitFor({ state: "detached" });
        await rowOf(page, "edit-me").getByText("After").waitFor();
        const saved = (await me.do(listLinks)).data.find((link) => link.slug === "edit-me");
        expect(saved).toMatchObject({
          title: "After",
          tags: ["email", "summer"],
          utm: { utm_source: "x" },
          version: 2,
        });
      },
    ),
  TIMEOUT_MS,
);

test(
  "an address is opened at its start, and what is selected in it later stays selected",
  () =>
    onStage([{ slug: "long-address" }], async ({ page }) => {
      await rowOf(page, "long-address").getByRole("link", { name: /^Edit/ }).click();
      const field = dialogOf(page).getByLabel("Destination");
      const selected = () =>
        page.evaluate("[document.activeElement.selectionStart, document.activeElement.selectionEnd]");
      await eventually(async () => expect(await selected()).toEqual([0, 0]));
      await page.evaluate("document.activeElement.setSelectionRange(8, 12)");
      // As by leaving for another window and coming back.
      await field.blur();
      await field.focus();
      expect(await selected()).toEqual([8, 12]);
    }),
  TIMEOUT_MS,
);

test(
  "a conflicting edit shows what someone else changed, and loses neither",
  () =>
    onStage([{ slug: "shared", title: "Old", tags: ["a"] }], async ({ page, me }) => {
      const [link] = (await me.do(listLinks)).data;
      const id = link?.id ?? "";
      await page.getByRole("link", { name: /^Edit shared:/ }).click();
      const dialog = dialogOf(page);
      await dialog.getByLabel("Title").fill("Mine");
      const theirs = { destination_url: "https://example.org/new", title: "Theirs" };
      await me.do(updateLink, { params: { id }, body: theirs });
      await dialog.getByRole("button", { name: "Save" }).click();
      const note = dialog.getByRole("alert", { name: "Changed meanwhile" });
      await note.getByText("https://example.org/new").waitFor();
      await note.getByText("Theirs", { exact: true }).waitFor();
      await eventually(async () => {
        expect(await dialog.getByLabel("Title").inputValue()).toBe("Mine");
        expect(await dialog.getByLabel("Destination").inputValue()).toBe("https://example.org/new");
      });
      await dialog.getByRole("button", { name: "Save" }).click();
      await dialog.waitFor({ state: "detached" });
      expect(await me.do(getLink, { params: { id } })).toMatchObject({
        title: "Mine",
        destination_url: "https://example.org/new",
        tags: ["a"],
      });
    }),
  TIMEOUT_MS,
);

test(
  "a destination that imitates another site is shown in punycode with a hint, an honest one as it is",
  () =>
    onStage([{ slug: "honest-one", destination_url: "https://bücher.example/" }], async ({ page, me }) => {
      await rowOf(page, "honest-one").getByText("bücher.example", { exact: true }).waitFor();
      await page.getByRole("button", { name: "Create link" }).click();
      const dialog = dialogOf(page);
      await dialog.getByLabel("Destination").fill("https://аррӏе.com/");
      await dialog.getByText("It may imitate another site.").waitFor();
      await dialog.getByRole("textbox", { name: "Slug" }).fill(`twin-${me.account.slice(-6)}`);
      await dialog.getByText("This slug is available.").waitFor();
      await dialog.getByRole("button", { name: "Create link" }).click();
      const row = rowOf(page, `twin-${me.account.slice(-6)}`);
      await row.getByText("xn--80ak6aa92e.com", { exact: true }).waitFor();
      expect(await row.getByText("It may imitate another site.").count()).toBe(1);
      const [link] = (await me.do(listLinks)).data;
      const preview = await (await fetch(`${link?.short_url}+`)).text();
      expect(preview).toContain("It may imitate another site.");
    }),
  TIMEOUT_MS,
);

test(
  "all fields of the form have text of one size",
  () =>
    onStage([], async ({ page }) => {
      await page.getByRole("button", { name: "Create your first link" }).click();
      const sizeOf = (label: string) =>
        dialogOf(page)
          .getByLabel(label, { exact: true })
          .evaluate((field) => field.ownerDocument.defaultView?.getComputedStyle(field).fontSize);
      expect(await sizeOf("Tags")).toBe(await sizeOf("Title"));
    }),
  TIMEOUT_MS,
);
