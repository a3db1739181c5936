import { expect, test } from "bun:test";
import type { Locator, Page } from "playwright-core";
import { getAccountAnalytics } from "#contract/analytics.ts";
import { listLinkDays } from "#contract/console/links.ts";
import { listLinks } from "#contract/links.ts";
import { expectAccessible } from "#test/support/console-page.ts";
import { copiedBy } from "#test/support/copied.ts";
import { eventually } from "#test/support/eventually.ts";
import { choose, openLinkStage, rowOf } from "#test/support/link-stage.ts";
import { leavePastClicks } from "#test/support/past-clicks.ts";
import { middleOf } from "#test/support/pictures.ts";
import { daysAgo } from "#test/support/report-clicks.ts";
import { until } from "#test/support/until.ts";

const TIMEOUT_MS = 600_000;

const { site, onStage } = await openLinkStage();

/** By its place, since a link that covers the row takes the click. */
async function clickOn(page: Page, text: Locator): Promise<void> {
  const box = await text.boundingBox();
  if (!box) throw new Error("it isn't on screen");
  await page.mouse.click(box.x + box.width / 2, box.y + box.height / 2);
}

test(
  "a click on the short link opens the link like one on the rest of the row; its copy button copies, and its clicks lead to the report",
  () =>
    onStage([{ slug: "row-a" }], async ({ page, me }) => {
      const [link] = (await me.do(listLinks)).data;
      const row = rowOf(page, "row-a");
      await page.evaluate("navigator.clipboard.writeText('untouched')");
      await clickOn(page, row.getByText("/row-a", { exact: true }));
      const dialog = page.getByRole("dialog", { name: "Edit link" });
      await dialog.waitFor();
      expect(await page.evaluate<string>("navigator.clipboard.readText()")).toBe("untouched");
      await page.keyboard.press("Escape");
      await dialog.waitFor({ state: "detached" });
      const copy = row.getByRole("button", { name: `Copy ${link?.short_url}` });
      expect(await copiedBy(page, copy, { startsWith: `Copied ${link?.short_url}` })).toBe(link?.short_url ?? "");
      await row.getByRole("link", { name: "0 clicks in total: report of row-a" }).click();
      await page.getByRole("heading", { level: 1, name: "/row-a" }).waitFor();
    }),
  TIMEOUT_MS,
);

test(
  "a duplicate begins with everything but the slug, and nothing is lost by closing it",
  () =>
    onStage(
      [
        {
          slug: "original",
          title: "Spring sale",
          destination_url: "https://example.com/sale",
          tags: ["spring"],
          utm: { utm_source: "news" },
          external_id: "order-1",
          max_clicks: 5,
        },
      ],
      async ({ page, me }) => {
        await choose(page, "original", "Duplicate");
        const dialog = page.getByRole("dialog", { name: "Duplicate link" });
        expect(await dialog.getByLabel("Title").inputValue()).toBe("Spring sale");
        expect(await dialog.getByRole("textbox", { name: "Slug" }).inputValue()).toBe("");
        await page.keyboard.press("Escape");
        await dialog.waitFor({ state: "detached" });
        await choose(page, "original", "Duplicate");
        await dialog.getByLabel("Title").fill("Summer sale");
        await dialog.getByRole("button", { name: "Create link" }).click();
        await dialog.waitFor({ state: "detached" });
        const [copy, original] = (await me.do(listLinks)).data;
        expect(copy).toMatchObject({
          title: "Summer sale",
          destination_url: "https://example.com/sale",
          tags: ["spring"],
          utm: { utm_source: "news" },
          external_id: null,
          max_clicks: 5,
        });
        expect(original).toMatchObject({ slug: "original", title: "Spring sale", version: 1 });
        expect(copy?.slug).not.toBe("original");
      },
    ),
  TIMEOUT_MS,
);

test(
  "a tag has the same colour in every row, and all colours are readable in both themes",
  () =>
    onStage(
      Array.from({ length: 12 }, (_, index) => ({
        slug: `tinted-${index}`,
        destination_url: `https://site-${index}.example/`,
        tags: ["same", `tag-${index}`],
      })),
      async ({ page }) => {
        await rowOf(page, "tinted-0").waitFor();
        const colours = async (tag: string | RegExp) =>
          new Set(
            await page
              .getByRole("list", { name: "Links" })
              .getByText(tag, { exact: true })
              .evaluateAll((tags) =>
                tags.map((element) => element.ownerDocument.defaultView?.getComputedStyle(element).backgroundColor),
              ),
          );
        await eventually(async () => {
          expect((await colours("same")).size).toBe(1);
          expect((await colours(/^tag-\d+$/)).size).toBeGreaterThan(4);
        });
        await expectAccessible(page);
      },
    ),
  TIMEOUT_MS,
);

test(
  "at 1280 pixels, the address makes room for the title, and a tag isn't cut for the sake of another",
  () =>
    onStage(
      [
        {
          slug: "shared-two",
          tags: ["qr", "A rather long tag that doesn't fit beside it"],
        },
        {
          slug: "shared-one",
          title: "Roses in five minutes, step by step",
          destination_url: `https://garden.example/${"roses-in-five-minutes/".repeat(10)}`,
          tags: ["Summer Campaign"],
        },
      ],
      async ({ page }) => {
        await page.setViewportSize({ width: 1280, height: 800 });
        for (const [slug, text] of [
          ["shared-one", "Roses in five minutes, step by step"],
          ["shared-one", "Summer Campaign"],
          ["shared-two", "qr"],
        ] as const) {
          const isCut = await rowOf(page, slug)
            .getByText(text, { exact: true })
            .evaluate((element) => element.scrollWidth > element.clientWidth);
          expect({ text, isCut }).toEqual({ text, isCut: false });
        }
      },
    ),
  TIMEOUT_MS,
);

test(
  "a row shows when its link ends, on wide and narrow screens",
  () =>
    onStage([{ slug: "endless" }, { slug: "ends", expires_at: "2099-07-15T12:00:00Z" }], async ({ page }) => {
      for (const width of [1280, 375]) {
        await page.setViewportSize({ width, height: 800 });
        const end = rowOf(page, "ends").getByText("Ends Jul 2099", { exact: true });
        await end.waitFor();
        expect(await end.getAttribute("title")).toStartWith("Expires Jul 15, 2099");
        expect(await rowOf(page, "endless").getByText(/^Ends/).count()).toBe(0);
      }
    }),
  TIMEOUT_MS,
);

test(
  "a row says what its clicks and its line cover",
  () =>
    onStage([{ slug: "covered" }], async ({ page }) => {
      const clicks = rowOf(page, "covered").getByRole("link", { name: "0 clicks in total: report of covered" });
      const title = () => clicks.getAttribute("title");
      await page.setViewportSize({ width: 1280, height: 800 });
      await eventually(async () =>
        expect(await title()).toBe("0 clicks in total\nLine: last 30 days\nClick to open the report"),
      );
      // Without a line there is nothing to say about it.
      await page.setViewportSize({ width: 375, height: 800 });
      await eventually(async () => expect(await title()).toBe("0 clicks in total\nClick to open the report"));
    }),
  TIMEOUT_MS,
);

test(
  "an unchecked box shows what is behind it in both themes, and a checked one is filled",
  () =>
    onStage([{ slug: "boxed" }], async ({ page }) => {
      const box = page.getByRole("checkbox", { name: "Select boxed" });
      await box.waitFor();
      const behind = async () => {
        const { x = 0, y = 0, width = 0 } = (await box.boundingBox()) ?? {};
        return middleOf(await page.screenshot({ clip: { x: x + width + 4, y, width: 4, height: 4 } }));
      };
      for (const colorScheme of ["light", "dark"] as const) {
        await page.emulateMedia({ colorScheme, reducedMotion: "reduce" });
        expect({ colorScheme, inside: middleOf(await box.screenshot()) }).toEqual({
          colorScheme,
          inside: await behind(),
        });
        await box.press("Space");
        await page.getByText("1 selected").waitFor();
        expect(middleOf(await box.screenshot())).not.toEqual(await behind());
        await box.press("Space");
        await page.getByText("1 selected").waitFor({ state: "detached" });
      }
    }),
  TIMEOUT_MS,
);

test(
  "search and filters stay in sight while the list scrolls, and a row that gets the focus isn't behind them",
  () =>
    onStage(
      Array.from({ length: 40 }, (_, index) => ({ slug: `scrolled-${index}` })),
      async ({ page }) => {
        await rowOf(page, "scrolled-39").waitFor();
        for (const size of [
          { width: 1280, height: 700 },
          { width: 375, height: 700 },
        ]) {
          await page.setViewportSize(size);
          await page.evaluate("scrollTo(0, 1500)");
          const box = page.getByLabel("Search links");
          const bottomOf = async (element: Locator) => {
            const place = await element.boundingBox();
            return place ? place.y + place.height : Number.NaN;
          };
          await until("the search box is at the top", async () => {
            const place = await box.boundingBox();
            return place !== null && place.y >= 0 && place.y < 60;
          });
          await page.getByLabel("Search links").focus();
          await page.keyboard.press("ArrowDown");
          const first = rowOf(page, "scrolled-39");
          const bar = page.getByRole("status", { name: "Number of links" });
          await until("the first row is below the bar", async () => {
            const place = await first.boundingBox();
            return place !== null && place.y >= (await bottomOf(bar));
          });
          // From nowhere in particular, the list goes on where it is being read.
          await page.evaluate("document.activeElement.blur(); scrollTo(0, 1500)");
          await until("the rows there are drawn", () =>
            page.evaluate<boolean>("document.elementFromPoint(innerWidth / 2, innerHeight / 2).closest('li') !== null"),
          );
          await page.keyboard.press("ArrowDown");
          const focused = page.locator("[data-row]:focus");
          await focused.waitFor();
          expect(Number(await focused.getAttribute("data-row"))).toBeGreaterThan(5);
          // At most by the part of a row that was behind the bar.
          await eventually(async () => {
            expect(await page.evaluate<number>("scrollY")).toBeGreaterThan(1400);
            const place = await page.getByRole("listitem").filter({ has: focused }).boundingBox();
            expect(place?.y).toBeGreaterThanOrEqual(await bottomOf(bar));
          });
        }
      },
    ),
  TIMEOUT_MS,
);

test(
  "rows show the last 30 days of their clicks, which one request asks for",
  () =>
    onStage(
      Array.from({ length: 8 }, (_, index) => ({ slug: `lined-${index}` })),
      async ({ page, me, watched }) => {
        const { data } = await me.do(listLinks);
        const clicked = data.slice(0, 3);
        await leavePastClicks(
          site.server,
          clicked.flatMap(({ id }) => [3, 5, 9].map((days) => ({ link: id, at: daysAgo(days), times: days }))),
        );
        // Counts and reports follow the journal each at its own pace.
        await until("the clicks are counted", async () =>
          (await me.do(listLinks)).data.slice(0, 3).every(({ click_count }) => click_count === 17),
        );
        await until("reports have them", async () => (await me.do(getAccountAnalytics)).totals.clicks === 51);
        const asked = watched.requests.length;
        await page.reload();
        const filled = rowOf(page, "lined-7")
          .getByRole("link", { name: "17 clicks in total: report of lined-7" })
          .locator("svg[width='72'] path");
        await until("the line is drawn", async () => (await filled.count()) > 1);
        const requests = watched.requests.slice(asked).filter((url) => url.includes(listLinkDays.path));
        expect(requests).toHaveLength(1);
        // A link without clicks needs no answer.
        expect(new URL(requests[0] ?? "").searchParams.getAll("id").toSorted()).toEqual(
          clicked.map(({ id }) => id).toSorted(),
        );
      },
    ),
  TIMEOUT_MS,
);

test(
  "rows are compact and show only what is wanted, also after a reload",
  () =>
    onStage(
      [
        { slug: "dense-a", title: "First", tags: ["shop"] },
        { slug: "dense-b", tags: ["shop"] },
      ],
      async ({ page }) => {
        const heightOf = async (slug: string) => (await rowOf(page, slug).boundingBox())?.height;
        await rowOf(page, "dense-b").getByText("shop").filter({ visible: true }).waitFor();
        await eventually(async () => expect(await heightOf("dense-b")).toBe(76));
        await page.getByRole("button", { name: "Display" }).click();
        await page.getByRole("radio", { name: "Compact" }).click();
        await page.getByRole("checkbox", { name: "Tags" }).click();
        const isDense = async () => (await heightOf("dense-b")) === 48;
        await until("rows are lower", isDense);
        await page.keyboard.press("Escape");
        await page.reload();
        await until("rows are still lower", isDense);
        expect(await rowOf(page, "dense-b").getByText("shop").filter({ visible: true }).count()).toBe(0);
        await expectAccessible(page);
      },
    ),
  TIMEOUT_MS,
);

test(
  "rows just below the screen stay as they are when the first link goes",
  () =>
    onStage(
      Array.from({ length: 40 }, (_, at) => ({ slug: `below-${at}` })),
      async ({ page }) => {
        const rows = page.getByRole("list", { name: "Links" }).getByRole("listitem");
        const fourthLast = () => rows.nth(-4);
        // More than fit: those beyond the screen come a moment later.
        await until("rows below the screen", async () => {
          const box = await fourthLast().boundingBox();
          return box !== null && box.y > (page.viewportSize()?.height ?? 0);
        });
        const below = await fourthLast().elementHandle();
        await choose(page, "below-39", "Delete");
        await rowOf(page, "below-39").waitFor({ state: "detached" });
        expect(await below?.evaluate((row) => row.isConnected)).toBe(true);
      },
    ),
  TIMEOUT_MS,
);
