import { expect, test } from "bun:test";
import { deleteLink, listLinks } from "#contract/links.ts";
import { expectAccessible } from "#test/support/console-page.ts";
import { choose, holdUndo, openLinkStage, rowOf, shows } from "#test/support/link-stage.ts";
import { until } from "#test/support/until.ts";

const TIMEOUT_MS = 600_000;

const { site, onStage } = await openLinkStage();

const statusOf = async (slug: string) => (await fetch(`${site.url}/${slug}`, { redirect: "manual" })).status;

test(
  "the trash lists deleted links, the last deleted first, and restores one or erases it for good",
  () =>
    onStage([{ slug: "one", title: "First" }, { slug: "two" }, { slug: "three" }], async ({ page, me }) => {
      const trash = async () => (await me.do(listLinks, { query: { state: "deleted" } })).data;
      await holdUndo(page);
      for (const slug of ["one", "three", "two"]) {
        await choose(page, slug, "Delete");
        await page.getByText(`Moved /${slug} to the trash.`).waitFor();
      }
      await page.getByText("No links yet").waitFor();
      await page.getByRole("button", { name: "Trash: 3 links" }).click();
      await page.getByRole("button", { name: "Status: Trash" }).waitFor();
      await shows(page, ["two", "three", "one"]);
      await rowOf(page, "one").getByText("30 days left").waitFor();
      await expectAccessible(page);

      // What is deleted can be looked at, and not changed.
      await rowOf(page, "one")
        .getByRole("link", { name: /^Show one/ })
        .click();
      const dialog = page.getByRole("dialog", { name: "Link" });
      await dialog.getByText(/^In the trash until /).waitFor();
      expect(await dialog.getByRole("textbox").count()).toBe(0);
      await expectAccessible(page);
      await dialog.getByRole("button", { name: "Restore" }).click();
      await page.getByText("Restored /one.").waitFor();
      expect(await statusOf("one")).toBe(302);
      await page.keyboard.press("Escape");
      await shows(page, ["two", "three"]);

      await choose(page, "two", "Restore");
      await page.getByText("Restored /two.").waitFor();
      await shows(page, ["three"]);

      await choose(page, "three", "Delete for good");
      const question = page.getByRole("dialog", { name: "Delete /three for good?" });
      await expectAccessible(page);
      await question.getByRole("button", { name: "Cancel" }).click();
      await question.waitFor({ state: "detached" });
      expect((await trash()).map(({ slug }) => slug)).toEqual(["three"]);
      await choose(page, "three", "Delete for good");
      await question.getByRole("button", { name: "Delete for good" }).click();
      await page.getByText("Deleted /three for good.").waitFor();
      await page.getByText("The trash is empty").waitFor();
      expect(await trash()).toEqual([]);
      expect(await statusOf("three")).toBe(410);

      await page.getByRole("button", { name: /^Status/ }).click();
      await page.getByRole("menuitemradio", { name: "Active and paused" }).click({ scroll: "none" });
      await shows(page, ["two", "one"]);
    }),
  TIMEOUT_MS,
);

test(
  "many links are restored together, undone, and erased together",
  () =>
    onStage(
      Array.from({ length: 4 }, (_, at) => ({ slug: `many-${at}` })),
      async ({ page, me }) => {
        await holdUndo(page);
        const slugsIn = async (state: "deleted" | "all") =>
          (await me.do(listLinks, { query: { state, sort: "created_at" } })).data.map(({ slug }) => slug);
        const bar = page.getByRole("region", { name: "Selected links" });
        for (const { id } of (await me.do(listLinks)).data) await me.do(deleteLink, { params: { id } });
        await page.goto(`${page.url()}?show=deleted`);
        await shows(page, ["many-0", "many-1", "many-2", "many-3"]);
        for (const slug of ["many-1", "many-2"]) await page.getByRole("checkbox", { name: `Select ${slug}` }).check();
        expect(await bar.getByRole("button", { name: "Tag", exact: true }).count()).toBe(0);
        await bar.getByRole("button", { name: "Restore" }).click();
        await page.getByText("Restored 2 links.").waitFor();
        await shows(page, ["many-0", "many-3"]);
        expect(await slugsIn("all")).toEqual(["many-1", "many-2"]);
        await page.getByRole("button", { name: "Undo" }).click();
        await until("they are back in the trash", async () => (await slugsIn("deleted")).length === 4);
        await page.getByText("4 links", { exact: true }).waitFor();

        await page.getByRole("checkbox", { name: "Select all links" }).check();
        await bar.getByRole("button", { name: "Delete for good" }).click();
        const question = page.getByRole("dialog", { name: "Delete 4 links for good?" });
        await question.getByRole("button", { name: "Delete for good" }).click();
        await page.getByText("Deleted 4 links for good.").waitFor();
        await page.getByText("The trash is empty").waitFor();
        expect([await slugsIn("deleted"), await slugsIn("all")]).toEqual([[], []]);
        for (const slug of ["many-0", "many-3"]) expect(await statusOf(slug)).toBe(410);
      },
    ),
  TIMEOUT_MS,
);

test(
  "the report of a deleted link stays, and restores it",
  () =>
    onStage([{ slug: "reported" }], async ({ page, me }) => {
      const [link] = (await me.do(listLinks)).data;
      await me.do(deleteLink, { params: { id: link?.id ?? "" } });
      await page.goto(`${page.url()}/${link?.id}`);
      await page.getByText("30 days left").waitFor();
      await choose(page, "reported", "Restore");
      await page.getByText("Restored /reported.").waitFor();
      await page.getByText("30 days left").waitFor({ state: "detached" });
      expect(await statusOf("reported")).toBe(302);
    }),
  TIMEOUT_MS,
);
