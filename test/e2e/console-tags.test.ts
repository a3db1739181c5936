import { expect, test } from "bun:test";
import { createLink, listLinks } from "#contract/links.ts";
import { listTags, updateTag } from "#contract/tags.ts";
import { expectAccessible } from "#test/support/console-page.ts";
import { openConsoleStage } from "#test/support/console-stage.ts";
import { until } from "#test/support/until.ts";

const TIMEOUT_MS = 600_000;

const { site, onStage } = await openConsoleStage();

test(
  "tags are renamed, colored, merged and deleted, with all of their links",
  async () => {
    const me = await site.newOwner();
    const links = [["spring"], ["spring", "Shop"], ["sprin"], ["50%/off?#1"]];
    for (const tags of links) await me.do(createLink, { body: { destination_url: "https://example.com/", tags } });
    await me.do(updateTag, { params: { tag: "spring" }, body: { color: "pink" } });
    const tagsOfLinks = async () => (await me.do(listLinks)).data.map(({ tags }) => tags.toSorted()).toReversed();
    await onStage(
      "settings/tags",
      async ({ page, go }) => {
        const rows = page.getByRole("list", { name: "Tags" }).getByRole("listitem");
        const shows = (texts: readonly string[]) =>
          until(`the page shows ${texts}`, async () => {
            const shown = await rows.allInnerTexts();
            return shown.length === texts.length && texts.every((text, index) => shown[index]?.startsWith(text));
          });
        await shows(["50%/off?#1", "shop", "sprin", "spring"]);
        expect(await rows.nth(3).innerText()).toContain("2 links");
        await expectAccessible(page);

        await page.getByRole("button", { name: "Delete 50%/off?#1" }).press("Enter");
        const dialog = page.getByRole("dialog");
        await dialog.getByRole("button", { name: "Delete" }).click();
        await shows(["shop", "sprin", "spring"]);

        await page.getByRole("button", { name: "Edit shop" }).press("Enter");
        await dialog.getByRole("textbox", { name: "Name" }).fill("Store");
        // By keyboard: the radio itself is hidden beside its colour, and may be clicked outside while the dialog moves in.
        await dialog.getByRole("radio", { name: "Green" }).press("Space");
        expect(await dialog.getByRole("radio", { name: "Green" }).isChecked()).toBe(true);
        await expectAccessible(page);
        await dialog.getByRole("button", { name: "Save" }).click();
        await page.getByText("Saved the tag “Store”.").waitFor();
        await shows(["sprin", "spring", "store"]);
        expect(await tagsOfLinks()).toEqual([["spring"], ["Store", "spring"], ["sprin"], []]);

        // Where the name is taken, it asks before two become one.
        await page.getByRole("button", { name: "Edit sprin", exact: true }).press("Enter");
        await dialog.getByRole("textbox", { name: "Name" }).fill("spring");
        await dialog.getByRole("button", { name: "Save" }).click();
        await dialog.getByRole("heading", { name: "Merge “sprin” into “spring”?" }).waitFor();
        await expectAccessible(page);
        expect(await tagsOfLinks()).toEqual([["spring"], ["Store", "spring"], ["sprin"], []]);
        await dialog.getByRole("button", { name: "Merge" }).click();
        await shows(["spring", "store"]);
        expect(await tagsOfLinks()).toEqual([["spring"], ["Store", "spring"], ["spring"], []]);
        const colors = (await me.do(listTags)).data.map(({ name, color }) => [name, color]);
        expect(colors).toEqual([
          ["spring", "pink"],
          ["store", "green"],
        ]);

        // A list shows the color that was chosen.
        await page.getByRole("link", { name: "Links with the tag store: 1 link" }).click();
        await page.getByRole("button", { name: "Tags: store" }).waitFor();
        const chip = page.getByRole("list", { name: "Links" }).getByText("Store", { exact: true }).first();
        await until("it is green", async () => (await chip.getAttribute("style"))?.includes("145") === true);

        await go("settings/tags");
        await page.getByRole("button", { name: "Delete store" }).press("Enter");
        await dialog.getByText("It is removed from 1 link. The links stay.").waitFor();
        await dialog.getByRole("button", { name: "Delete" }).click();
        await shows(["spring"]);
        expect((await me.do(listTags)).data.map(({ name }) => name)).toEqual(["spring"]);

        await page.getByRole("searchbox", { name: "Search tags" }).fill("nothing");
        await page.getByText("No tag matches").waitFor();
      },
      me,
    );
  },
  TIMEOUT_MS,
);
