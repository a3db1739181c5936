import { beforeAll, describe, expect, test } from "bun:test";
import type { Page } from "playwright-core";
import { createWebhook } from "#contract/console/webhooks.ts";
import { createDomain } from "#contract/domains.ts";
import { createLink } from "#contract/links.ts";
import { openWatchedPage } from "#test/support/browser.ts";
import { openConsolePage, untilLoaded } from "#test/support/console-page.ts";
import { openConsoleStage } from "#test/support/console-stage.ts";
import { until } from "#test/support/until.ts";

const TIMEOUT_MS = 600_000;
/** Phones, tablets and desks, and every width at which the layout changes. */
const WIDTHS = [375, 640, 768, 1024, 1280, 1920];
const SIDEBAR_FROM = 1024;

const { site, browser, onStage } = await openConsoleStage({ KURZ_RATE_LIMIT_PER_MINUTE: "0" });
const me = await site.newOwner();

const places = [
  "links",
  "links?new=1",
  "links?q=nothing-like-this",
  "links/{link}",
  "reports",
  "domains",
  "domains/{domain}",
  "developer/tokens",
  "developer/webhooks",
  "developer/webhooks/{webhook}",
  "developer/api",
  "settings",
  "settings/members",
  "settings/security",
  "settings/appearance",
  "settings/export",
  "settings/audit",
];
const gates = ["sign-in", "forgot", "reset/none", "join/none"];

const ids: Record<string, string> = {};
beforeAll(async () => {
  const long = "a-very-long-slug-that-nobody-types-but-that-somebody-pasted";
  const { id: link } = await me.do(createLink, {
    body: {
      slug: long,
      title: `${"A title that goes on and on ".repeat(5)}and${"on".repeat(60)}`.slice(0, 200),
      destination_url: `https://example.com/${"path/".repeat(60)}?q=${"x".repeat(200)}`,
      tags: ["spring", "a tag that takes up quite some room"],
    },
  });
  for (const slug of ["one", "two", "three"]) {
    await me.do(createLink, { body: { slug: `layout-${slug}`, destination_url: "https://example.com/" } });
  }
  const { id: domain } = await me.do(createDomain, { body: { name: `${"long-".repeat(8)}name.example.com` } });
  const { id: webhook } = await me.do(createWebhook, {
    body: { url: `https://hooks.example.com/${"incoming/".repeat(20)}`, events: ["link.created"] },
  });
  Object.assign(ids, { link, domain, webhook });
}, TIMEOUT_MS);

interface Layout {
  readonly excess: number;
  readonly forms: readonly string[];
  /** How far navigation and content reach into each other, in pixels. */
  readonly overlap: number;
}

// Runs in the page. The content may scroll below a bar at the bottom, but its end must come to rest above it.
const MEASURE = `(() => {
  const root = document.documentElement;
  const nav = document.querySelector("nav[aria-label=Main]");
  const header = nav?.closest("header");
  const main = document.querySelector("main");
  const isBar = nav && getComputedStyle(nav).position === "fixed";
  const isColumn = header && getComputedStyle(header).position === "fixed";
  scrollTo(0, 0);
  const top = header && !isColumn ? header.getBoundingClientRect().bottom - main.getBoundingClientRect().top : 0;
  const left = isColumn ? header.getBoundingClientRect().right - main.getBoundingClientRect().left : 0;
  scrollTo(0, root.scrollHeight);
  const end = main.lastElementChild.getBoundingClientRect().bottom;
  const bottom = isBar ? end - nav.getBoundingClientRect().top : 0;
  scrollTo(0, 0);
  return {
    excess: Math.max(0, root.scrollWidth - root.clientWidth),
    forms: [isBar && "bar", isColumn && "sidebar"].filter(Boolean),
    overlap: Math.max(0, Math.ceil(top), Math.ceil(left), Math.ceil(bottom)),
  };
})()`;

const layoutAt = async (page: Page, width: number): Promise<Layout> => {
  await page.setViewportSize({ width, height: 800 });
  return page.evaluate<Layout>(MEASURE);
};

describe("nothing overlaps or scrolls sideways at any width, and there is one navigation", () => {
  test.each(places)(
    "%s",
    async (place) => {
      const path = place.replace(/\{(\w+)\}/, (_, name: string) => ids[name] ?? "");
      const watched = await openConsolePage(browser, me, `/a/${me.account}/${path}`);
      await watched.page.getByRole("navigation", { name: "Main", includeHidden: true }).waitFor();
      await untilLoaded(watched.page);
      for (const width of WIDTHS) {
        const form = width < SIDEBAR_FROM ? "bar" : "sidebar";
        const layout = await layoutAt(watched.page, width);
        expect({ width, ...layout }).toEqual({ width, excess: 0, forms: [form], overlap: 0 });
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
        const clicks = page.getByRole("link", { name: /clicks: report of layout-one$/ });
        await clicks.first().waitFor();
        for (const width of WIDTHS) {
          await page.setViewportSize({ width, height: 800 });
          expect({ width, shown: await clicks.count() }).toEqual({ width, shown: 1 });
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
        const bar = page.getByRole("region", { name: "Selected links" });
        await bar.waitFor();
        await page.getByRole("button", { name: "Actions for layout-three" }).click();
        await page.getByRole("menuitem", { name: "Pause" }).click();
        const notice = page.getByRole("region", { name: "Notices" }).locator("> div");
        await notice.waitFor();
        await notice.hover();
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
