import { beforeAll, describe, expect, test } from "bun:test";
import { openWatchedPage } from "#test/support/browser.ts";
import {
  fillAccount,
  gates,
  goodLayoutAt,
  type Ids,
  layoutAt,
  pathOf,
  places,
  WIDTHS,
} from "#test/support/console-layout.ts";
import { openConsolePage, untilLoaded } from "#test/support/console-page.ts";
import { openConsoleStage } from "#test/support/console-stage.ts";
import { eventually } from "#test/support/eventually.ts";
import { holdUndo } from "#test/support/link-stage.ts";
import { until } from "#test/support/until.ts";

const TIMEOUT_MS = 600_000;

const { site, browser, onStage } = await openConsoleStage({ KURZ_RATE_LIMIT_PER_MINUTE: "0" });
const me = await site.newOwner();

let ids: Ids;
beforeAll(async () => {
  ids = await fillAccount(me);
}, TIMEOUT_MS);

describe("nothing overlaps or scrolls sideways at any width, and there is one navigation", () => {
  test.each(places)(
    "%s",
    async (place) => {
      const watched = await openConsolePage(browser, me, `/a/${me.account}/${pathOf(place, ids)}`);
      await watched.page.getByRole("navigation", { name: "Main", includeHidden: true }).waitFor();
      await untilLoaded(watched.page);
      for (const width of WIDTHS) {
        await eventually(async () =>
          expect({ width, ...(await layoutAt(watched.page, width)) }).toEqual({ width, ...goodLayoutAt(width) }),
        );
      }
      await watched.close();
    },
    TIMEOUT_MS,
  );

  test.each(gates)(
    "%s",
    async (path) => {
      const watched = await openWatchedPage(browser);
      await watched.page.goto(`${site.url}/console/${path}`);
      await watched.page.getByRole("heading", { level: 1 }).waitFor();
      for (const width of WIDTHS) {
        const { excess } = await layoutAt(watched.page, width);
        expect({ width, excess }).toEqual({ width, excess: 0 });
      }
      await watched.close();
    },
    TIMEOUT_MS,
  );
});

test(
  "a row shows its clicks once, at every width",
  () =>
    onStage(
      "links",
      async ({ page }) => {
        const clicks = page.getByRole("link", { name: /clicks in total: report of layout-one$/ });
        await clicks.first().waitFor();
        for (const width of WIDTHS) {
          await page.setViewportSize({ width, height: 800 });
          await eventually(async () => expect({ width, shown: await clicks.count() }).toEqual({ width, shown: 1 }));
        }
      },
      me,
    ),
  TIMEOUT_MS,
);

test(
  "a notice doesn't cover the bar of selected links",
  () =>
    onStage(
      "links",
      async ({ page }) => {
        await page.getByRole("checkbox", { name: "Select layout-two" }).check();
        await holdUndo(page);
        const bar = page.getByRole("region", { name: "Selected links" });
        await bar.waitFor();
        await page.getByRole("button", { name: "Actions for layout-three" }).click();
        await page.getByRole("menuitem", { name: "Pause" }).click({ scroll: "none" });
        const notice = page.getByRole("region", { name: "Notices" }).locator("> div");
        await notice.waitFor();
        for (const width of WIDTHS) {
          await page.setViewportSize({ width, height: 800 });
          await until(`the notice is above the bar at ${width} pixels`, async () => {
            const [above, below] = await Promise.all([notice.boundingBox(), bar.boundingBox()]);
            return above !== null && below !== null && above.y + above.height <= below.y;
          });
        }
      },
      me,
    ),
  TIMEOUT_MS,
);
