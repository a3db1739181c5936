import { expect, test } from "bun:test";
import { actOnLinks } from "#contract/console/links.ts";
import { changeLinkTags, countLinks, listLinks } from "#contract/links.ts";
import { expectAccessible } from "#test/support/console-page.ts";
import { intercept } from "#test/support/intercept.ts";
import { holdUndo, openLinkStage, rowOf, shows } from "#test/support/link-stage.ts";
import { until } from "#test/support/until.ts";

const TIMEOUT_MS = 600_000;

const { onStage } = await openLinkStage();

const slugs = ["bulk-1", "bulk-2", "bulk-3", "bulk-4", "bulk-5"];
const links = slugs.toReversed().map((slug) => ({ slug }));

test(
  "a range is selected with shift, and links that fail stay selected with the reason",
  () =>
    onStage(
      links.map((link) => ({ ...link, slug: `${link.slug}-range` })),
      async ({ page, me }) => {
        const failing = (await me.do(listLinks)).data.find((link) => link.slug === "bulk-3-range");
        await intercept(page, `**${actOnLinks.path}`, async (route) => {
          const { ids, ...rest } = route.request().postDataJSON() as { readonly ids: readonly string[] };
          const others = ids.filter((id) => id !== failing?.id);
          const response = await route.fetch({ postData: { ids: others, ...rest } });
          const { data } = (await response.json()) as { data: object[] };
          const refused = {
            id: failing?.id,
            link: null,
            problem: { code: "plan_limit", message: "Not on this plan." },
          };
          await route.fulfill({ response, json: { data: [...data, refused] } });
        });
        await page.getByRole("checkbox", { name: "Select bulk-2-range" }).click();
        await page.getByRole("checkbox", { name: "Select bulk-4-range" }).click({ modifiers: ["Shift"] });
        const bar = page.getByRole("region", { name: "Selected links" });
        await bar.getByText("3 selected").waitFor();
        await bar.getByRole("button", { name: "Pause" }).click();
        await bar.getByText("Not on this plan.").waitFor();
        await bar.getByText("1 selected").waitFor();
        expect((await me.do(listLinks)).data.map((link) => link.state)).toEqual([
          "active",
          "paused",
          "active",
          "paused",
          "active",
        ]);
      },
    ),
  TIMEOUT_MS,
);

test(
  "several links are deleted together and restored together",
  () =>
    onStage(
      links.map((link) => ({ ...link, slug: `${link.slug}-all` })),
      async ({ page }) => {
        await holdUndo(page);
        for (const slug of ["bulk-1-all", "bulk-5-all"])
          await page.getByRole("checkbox", { name: `Select ${slug}` }).check();
        await page.getByRole("region", { name: "Selected links" }).getByRole("button", { name: "Delete" }).click();
        await shows(page, ["bulk-2-all", "bulk-3-all", "bulk-4-all"]);
        await page.getByRole("button", { name: "Undo" }).click();
        await shows(
          page,
          slugs.map((slug) => `${slug}-all`),
        );
      },
    ),
  TIMEOUT_MS,
);

test(
  "everything that matches is selected beyond what is loaded, changed with progress, and changed back",
  () =>
    onStage(
      [...Array.from({ length: 120 }, (_, index) => ({ slug: `many-${index}`, tags: ["many"] })), { slug: "other" }],
      async ({ page, me }) => {
        await holdUndo(page);
        const countOf = async (state: string) => (await me.do(countLinks, { query: { state } })).count;
        const countAddress = `**${countLinks.path}?*q=*`;
        const release = Promise.withResolvers<void>();
        await intercept(page, countAddress, (route) => release.promise.then(() => route.continue()));
        await page.getByText("121 links", { exact: true }).waitFor();
        const address = page.url();
        await page.getByLabel("Search links").fill("many-");
        await page.getByRole("button", { name: "Clear", exact: true }).waitFor();
        await rowOf(page, "other").waitFor({ state: "detached" });
        await page.getByRole("checkbox", { name: "Select all links" }).check();
        const offered = page.getByRole("button", { name: /^Select all \d/ });
        await page.getByText("30 selected").waitFor();
        // The number of the list before is none of this one.
        expect(await offered.count()).toBe(0);
        release.resolve();
        await page.getByRole("button", { name: "Select all 120" }).waitFor();
        await page.unroute(countAddress);

        await page.goto(`${address}?tag=many`);
        await page.getByText("120 of 121", { exact: true }).waitFor();
        const bar = page.getByRole("region", { name: "Selected links" });
        await page.getByRole("checkbox", { name: "Select all links" }).check();
        await bar.getByText("30 selected").waitFor();
        await bar.getByRole("button", { name: "Select all 120" }).click();
        await bar.getByText("All 120 selected").waitFor();
        await bar.getByRole("button", { name: "Archive" }).click();
        await page.getByText("Archived 120 links.").waitFor();
        expect([await countOf("archived"), await countOf("active")]).toEqual([120, 1]);
        await page.getByText("No link matches").waitFor();
        await page.getByText("0 of 1", { exact: true }).waitFor();
        await page.getByRole("button", { name: "Undo" }).click();
        await until("all are back", async () => (await countOf("active")) === 121);
        await page.getByText("120 of 121", { exact: true }).waitFor();
        // Without one of them, what is in sight stays selected.
        await page.getByRole("checkbox", { name: "Select all links" }).check();
        await bar.getByRole("button", { name: "Select all 120" }).click();
        await page.getByRole("checkbox", { name: "Select many-119" }).uncheck();
        await bar.getByText(/^\d+ selected$/).waitFor();
        expect(await page.getByRole("checkbox", { name: "Select many-118" }).isChecked()).toBe(true);
      },
    ),
  TIMEOUT_MS,
);

test(
  "deleting everything that matches asks first",
  () =>
    onStage(
      Array.from({ length: 40 }, (_, index) => ({ slug: `gone-${index}` })),
      async ({ page, me }) => {
        await page.getByRole("checkbox", { name: "Select all links" }).check();
        const bar = page.getByRole("region", { name: "Selected links" });
        await bar.getByRole("button", { name: "Select all 40" }).click();
        await bar.getByRole("button", { name: "Delete" }).click();
        const dialog = page.getByRole("dialog", { name: "Delete 40 links?" });
        await dialog.getByRole("button", { name: "Cancel" }).click();
        await dialog.waitFor({ state: "detached" });
        await bar.getByRole("button", { name: "Delete" }).click();
        await dialog.getByRole("button", { name: "Delete links" }).click();
        await page.getByText("Moved 40 links to the trash.").waitFor();
        await page.getByText("No links yet").waitFor();
        expect((await me.do(countLinks)).count).toBe(0);
      },
    ),
  TIMEOUT_MS,
);

test(
  "a tag is added to the selected links and removed again, and no other tag is touched",
  () =>
    onStage(
      [{ slug: "tag-c" }, { slug: "tag-b", tags: ["Sale"] }, { slug: "tag-a", tags: ["kept"] }],
      async ({ page, me }) => {
        await holdUndo(page);
        const tagsOf = async () =>
          Object.fromEntries((await me.do(listLinks)).data.map(({ slug, tags }) => [slug, tags.join()]));
        await page.getByRole("checkbox", { name: "Select all links" }).check();
        const bar = page.getByRole("region", { name: "Selected links" });
        // Someone else tags one meanwhile, which this page doesn't know.
        const other = (await me.do(listLinks)).data.find(({ slug }) => slug === "tag-c");
        await me.do(changeLinkTags, { params: { id: other?.id ?? "" }, body: { add: ["theirs"] } });
        await bar.getByRole("button", { name: "Tag", exact: true }).click();
        await page.locator("[aria-label='Find or create a tag']:focus").waitFor();
        await page.keyboard.type("sale");
        await expectAccessible(page);
        await page.keyboard.press("Enter");
        // One of them had it.
        await page.getByText("Tagged 2 links “sale”.").waitFor();
        await bar.locator(":focus").waitFor();
        expect(await tagsOf()).toEqual({ "tag-a": "kept,sale", "tag-b": "Sale", "tag-c": "theirs,sale" });
        await rowOf(page, "tag-a").getByText("sale", { exact: true }).last().waitFor();
        await page.getByRole("button", { name: "Undo" }).click();
        await until("it is undone", async () => (await tagsOf())["tag-a"] === "kept");
        await until("nothing else is", async () => (await tagsOf())["tag-c"] === "theirs");
        expect((await tagsOf())["tag-b"]).toBe("Sale");
        await bar.getByText("3 selected").waitFor();
        await bar.getByRole("button", { name: "Tag", exact: true }).click();
        await page.getByRole("dialog", { name: "Tag selected links" }).getByText("Remove", { exact: true }).click();
        await page.getByRole("button", { name: /^kept/ }).click();
        await page.getByText("Removed “kept” from 1 link.").waitFor();
        expect(await tagsOf()).toMatchObject({ "tag-a": "", "tag-b": "Sale" });
      },
    ),
  TIMEOUT_MS,
);

test(
  "the focus goes back to the list when the bar is done",
  () =>
    onStage(
      links.map((link) => ({ ...link, slug: `${link.slug}-focus` })),
      async ({ page }) => {
        const bar = page.getByRole("region", { name: "Selected links" });
        const focused = page.locator("[data-row]:focus");
        const isFocused = async (slug: string) => {
          await bar.waitFor({ state: "detached" });
          await rowOf(page, slug).locator("[data-row]:focus").waitFor();
        };
        await page.getByRole("checkbox", { name: "Select all links" }).check();
        await bar.getByRole("button", { name: "Pause" }).press("Enter");
        await isFocused("bulk-1-focus");
        // Where someone was in the list is where they are again.
        await page.keyboard.press("ArrowDown");
        await page.keyboard.press("x");
        await bar.getByRole("button", { name: "Clear selection" }).press("Enter");
        await isFocused("bulk-2-focus");
        await page.keyboard.press("x");
        await bar.getByRole("button", { name: "Archive" }).press("Enter");
        await shows(
          page,
          ["bulk-1", "bulk-3", "bulk-4", "bulk-5"].map((slug) => `${slug}-focus`),
        );
        await isFocused("bulk-3-focus");
        expect(await focused.count()).toBe(1);
      },
    ),
  TIMEOUT_MS,
);

for (const [search, slug, empty] of [
  ["", "last", "No links yet"],
  ["?tag=last", "last-tagged", "No link matches"],
] as const) {
  test(
    `the focus goes to the heading when the bar has emptied the list: ${empty}`,
    () =>
      onStage(
        ["b", "a"].map((end) => ({ slug: `${slug}-${end}`, tags: ["last"] })),
        async ({ page }) => {
          await page.goto(`${page.url()}${search}`);
          await shows(page, [`${slug}-a`, `${slug}-b`]);
          await page.getByRole("checkbox", { name: "Select all links" }).check();
          const bar = page.getByRole("region", { name: "Selected links" });
          await bar.getByRole("button", { name: "Archive" }).press("Enter");
          await page.getByText(empty).waitFor();
          await page.locator("h1:focus").waitFor();
        },
      ),
    TIMEOUT_MS,
  );
}

test(
  "the page stays where it is when the focus goes back to the list",
  () =>
    onStage(
      Array.from({ length: 25 }, (_, index) => ({ slug: `stays-${index}` })),
      async ({ page }) => {
        const bar = page.getByRole("region", { name: "Selected links" });
        const scrolled = () => page.evaluate<number>("scrollY");
        await page.getByRole("checkbox", { name: "Select stays-24" }).check();
        await bar.waitFor();
        // So far that its row is still drawn, but above the screen.
        await page.evaluate("scrollTo(0, 420)");
        await until("the page is scrolled", async () => (await scrolled()) === 420);
        await bar.getByRole("button", { name: "Clear selection" }).press("Enter");
        await bar.waitFor({ state: "detached" });
        await page.locator("[data-row]:focus").waitFor();
        expect(await rowOf(page, "stays-24").locator("[data-row]:focus").count()).toBe(0);
        expect(await scrolled()).toBe(420);
      },
    ),
  TIMEOUT_MS,
);

test(
  "links that couldn't be changed back are told of",
  () =>
    onStage([{ slug: "undone-b" }, { slug: "undone-a" }], async ({ page }) => {
      await holdUndo(page);
      await page.getByRole("checkbox", { name: "Select all links" }).check();
      await page.getByRole("region", { name: "Selected links" }).getByRole("button", { name: "Archive" }).click();
      await page.getByText("Archived 2 links.").waitFor();
      await intercept(page, `**${actOnLinks.path}`, (route) =>
        route.fulfill({
          status: 503,
          contentType: "application/json",
          body: JSON.stringify({ error: { code: "unavailable", message: "The disk is full.", request_id: "r" } }),
        }),
      );
      await page.getByRole("button", { name: "Undo" }).click();
      await page.getByText("2 links couldn’t be changed back: The disk is full.").waitFor();
    }),
  TIMEOUT_MS,
);

test(
  "a link that loses the tag that a list is filtered by leaves the list",
  () =>
    onStage([{ slug: "loses", tags: ["shown"] }, { slug: "never" }], async ({ page }) => {
      await page.goto(`${page.url()}?tag=shown`);
      await shows(page, ["loses"]);
      await page.getByRole("checkbox", { name: "Select loses" }).check();
      await page
        .getByRole("region", { name: "Selected links" })
        .getByRole("button", { name: "Tag", exact: true })
        .click();
      const tags = page.getByRole("dialog", { name: "Tag selected links" });
      await tags.getByText("Remove", { exact: true }).click();
      await tags.getByRole("button", { name: /^shown/ }).click();
      await page.getByText("Removed “shown” from 1 link.").waitFor();
      await page.getByText("No link matches").waitFor();
    }),
  TIMEOUT_MS,
);
