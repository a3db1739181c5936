import { expect, test } from "bun:test";
import type { Locator } from "playwright-core";
import type { LinkCount } from "#contract/links.ts";
import { intercept } from "#test/support/intercept.ts";
import { choose, dialogOf, openLinkStage, rowOf, shows } from "#test/support/link-stage.ts";

const TIMEOUT_MS = 600_000;
const PHONE = { width: 375, height: 740 };

const { onStage } = await openLinkStage();

test(
  "everything works on a phone, and nothing is wider than its screen",
  () =>
    onStage(
      [{ slug: "pocket", title: "A rather long title for such a small screen, is it not?" }],
      async ({ page }) => {
        await page.setViewportSize(PHONE);
        await shows(page, ["pocket"]);
        const isNarrow = async () =>
          expect(await page.evaluate<number>("document.documentElement.scrollWidth")).toBeLessThanOrEqual(PHONE.width);
        await isNarrow();
        await page.getByRole("button", { name: "Create link" }).click();
        const dialog = dialogOf(page);
        await dialog.getByText("UTM parameters").click();
        await isNarrow();
        await dialog.getByLabel("Destination").fill("https://example.com/phone");
        await dialog.getByRole("button", { name: "Create link" }).click();
        await dialog.waitFor({ state: "detached" });
        const card = page.getByRole("region", { name: "Link created" });
        await card.getByRole("button", { name: "Close" }).click();
        await card.waitFor({ state: "detached" });
        await choose(page, "pocket", "Archive");
        await page.getByRole("checkbox", { name: "Select pocket" }).waitFor({ state: "detached" });
        await page.getByRole("checkbox", { name: "Select all links" }).check();
        await page.getByRole("region", { name: "Selected links" }).getByRole("button", { name: "Pause" }).click();
        await page.getByText("Paused", { exact: true }).waitFor();
        await isNarrow();
      },
    ),
  TIMEOUT_MS,
);

test(
  "what a search needs stands in its field, not above the filters",
  () =>
    onStage(
      [{ slug: "hinted" }],
      async ({ page }) => {
        const field = page.getByRole("searchbox", { name: "Search links" });
        await field.fill("WW");
        const hint = page.getByText("Type 3 characters or more.");
        await hint.waitFor();
        const [outer, inner] = [await field.boundingBox(), await hint.boundingBox()];
        if (outer === null || inner === null) throw new Error("one of them isn't shown");
        expect(inner.x).toBeGreaterThan(outer.x + outer.width / 4);
        expect(inner.x + inner.width).toBeLessThanOrEqual(outer.x + outer.width);
        expect(inner.y).toBeGreaterThanOrEqual(outer.y);
        expect(inner.y + inner.height).toBeLessThanOrEqual(outer.y + outer.height);
      },
      { viewport: { ...PHONE, width: 320 } },
    ),
  TIMEOUT_MS,
);

/** What is wider than the screen makes a phone zoom out: its bars then end beside the screen. */
const SEEN = `({ width: innerWidth, scale: visualViewport.scale, content: document.documentElement.scrollWidth })`;

test.each([320, 375])(
  "at %d pixels, the bar of selected links shows all it can do by name, and the page stays as wide as the screen",
  (width) =>
    onStage(
      Array.from({ length: 31 }, (_, index) => ({ slug: `touched-${width}-${index}` })),
      async ({ page }) => {
        await choose(page, `touched-${width}-29`, "Pause");
        await rowOf(page, `touched-${width}-29`).getByText("Paused", { exact: true }).waitFor();
        for (const index of [30, 29]) {
          await page.getByRole("checkbox", { name: `Select touched-${width}-${index}`, exact: true }).tap();
        }
        const bar = page.getByRole("region", { name: "Selected links" });
        await bar.getByText("2 selected").waitFor();
        const names = ["Select all 31", "Tag", "Pause", "Resume", "Archive", "Delete"];
        expect(await page.evaluate<object>(SEEN)).toEqual({ width, scale: 1, content: width });
        for (const name of names) {
          const box = await bar.getByText(name, { exact: true }).boundingBox();
          const isInside = box !== null && box.x >= 0 && box.x + box.width <= width;
          // A name that only screen readers get is a pixel wide.
          expect({ name, isInside, isRead: (box?.width ?? 0) > 10 }).toEqual({ name, isInside: true, isRead: true });
        }
        const navigation = await page.getByRole("navigation", { name: "Main" }).boundingBox();
        expect((navigation?.y ?? 0) + (navigation?.height ?? 0)).toBeLessThanOrEqual(PHONE.height);
        await bar.getByRole("button", { name: "Delete" }).tap();
        await rowOf(page, `touched-${width}-30`).waitFor({ state: "detached" });
      },
      { viewport: { ...PHONE, width }, isMobile: true, hasTouch: true },
    ),
  TIMEOUT_MS,
);

const BAR_PADDING = 8;

test(
  "the longer words of German fit a small phone, too",
  () =>
    onStage(
      Array.from({ length: 31 }, (_, index) => ({ slug: `klein-${index}` })),
      async ({ page }) => {
        // So many that it takes long to create them.
        await intercept(page, "**/api/v1/links/count*", (route) =>
          route.fulfill({ json: { count: 10_000, at_least: true } satisfies LinkCount }),
        );
        await page.reload();
        const rows = page.getByRole("list", { name: "Links" }).getByRole("checkbox");
        for (const index of [0, 1]) await rows.nth(index).tap();
        const all = page.getByRole("button", { name: "Alle 10.000+ auswählen", exact: true });
        await all.waitFor();
        const endOf = async (one: Locator) => {
          const box = await one.boundingBox();
          return box ? box.x + box.width : Number.NaN;
        };
        const bar = page.getByRole("region").filter({ has: all });
        expect(await endOf(all)).toBeLessThanOrEqual((await endOf(bar)) - BAR_PADDING);
        expect(await page.evaluate<object>(SEEN)).toEqual({ width: 320, scale: 1, content: 320 });
      },
      { viewport: { ...PHONE, width: 320 }, isMobile: true, hasTouch: true, locale: "de-DE" },
    ),
  TIMEOUT_MS,
);
