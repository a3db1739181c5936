import type { Page } from "playwright-core";
import { createWebhook } from "#contract/console/webhooks.ts";
import { createDomain } from "#contract/domains.ts";
import { createLink } from "#contract/links.ts";
import type { ConsoleClient } from "./console-client.ts";

/** Phones, tablets and desks, and every width at which the layout changes. */
export const WIDTHS = [375, 640, 768, 1024, 1280, 1920];
export const SIDEBAR_FROM = 1024;

/** Every page of an account; what is in braces is an id of `fillAccount`. */
export const places = [
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
  "settings/tags",
  "settings/import",
  "settings/export",
  "settings/audit",
  "personal",
  "personal/appearance",
];

/** Pages before the account. */
export const gates = ["sign-in", "forgot", "reset/none", "join/none"];

export type Ids = Readonly<Record<"link" | "domain" | "webhook", string>>;

/** Things with long names, and a few with short ones. */
export async function fillAccount(me: ConsoleClient): Promise<Ids> {
  const { id: link } = await me.do(createLink, {
    body: {
      slug: "a-very-long-slug-that-nobody-types-but-that-somebody-pasted",
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
  return { link, domain, webhook };
}

export const pathOf = (place: string, ids: Ids): string =>
  place.replace(/\{(\w+)\}/, (_, name: string) => ids[name as keyof Ids]);

export interface Layout {
  readonly excess: number;
  readonly forms: readonly string[];
  /** How far navigation and content reach into each other, in pixels. */
  readonly overlap: number;
}

// Runs in the page. The content may scroll below a bar at the bottom, but its end must come to rest above it.
const MEASURE = `(() => {
  const root = document.documentElement;
  const nav = document.querySelector("header nav");
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

export const layoutAt = async (page: Page, width: number): Promise<Layout> => {
  await page.setViewportSize({ width, height: 800 });
  return page.evaluate<Layout>(MEASURE);
};

/** What a good page is at a width: nothing scrolls sideways or overlaps, and there is one navigation. */
export const goodLayoutAt = (width: number): Layout => ({
  excess: 0,
  forms: [width < SIDEBAR_FROM ? "bar" : "sidebar"],
  overlap: 0,
});
