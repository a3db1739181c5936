import { describe, expect, test } from "bun:test";
import { openWatchedPage, type WatchedPage } from "#test/support/browser.ts";
import { launchBrowserBeside } from "#test/support/browser-beside.ts";
import { startKurzWithApi } from "#test/support/link-api.ts";

const TIMEOUT_MS = 600_000;
// The limit of 600 and the tenth by which it may be exceeded.
const MISSES = 670;
const MISSES_AT_A_TIME = 20;

const { kurz, api } = await startKurzWithApi({ env: { KURZ_REDIRECT_PROCESSES: "1" } });
const browser = await launchBrowserBeside(kurz);

const visited = await api.create();
await fetch(visited.short_url, { redirect: "manual" });

const origin = `http://localhost:${kurz.port}`;

async function watching(work: (watched: WatchedPage) => Promise<void>): Promise<void> {
  const watched = await openWatchedPage(browser);
  await work(watched).finally(() => watched.close());
}

interface VisitorPage {
  readonly what: string;
  /** Prepares it and returns its path. */
  readonly prepare: () => Promise<string>;
  readonly status: number;
  readonly shows: string;
}

const visitorPages: readonly VisitorPage[] = [
  {
    what: "an unknown link",
    prepare: async () => "/nothing-here",
    status: 404,
    shows: "This link does not exist",
  },
  {
    what: "an archived link",
    async prepare() {
      const { id, slug } = await api.create();
      await api.act(id, "archive");
      return `/${slug}`;
    },
    status: 410,
    shows: "This link is no longer available",
  },
  {
    what: "a blocked link",
    async prepare() {
      const { slug } = await api.create();
      expect((await kurz.kurz(["links", "block", slug, "--reason", "phishing"])).code).toBe(0);
      return `/${slug}`;
    },
    status: 410,
    shows: "This link is blocked",
  },
  {
    what: "a preview with hostile text",
    async prepare() {
      const { slug } = await api.create({
        title: `<script>alert(1)</script><img src=x onerror=alert(1)> "'`,
        destination_url: "https://example.com/?q=%22%3E%3Cscript%3Ealert(1)%3C/script%3E'onload='alert(1)",
      });
      return `/${slug}+`;
    },
    status: 200,
    shows: `<script>alert(1)</script><img src=x onerror=alert(1)> "'`,
  },
  {
    what: "too many unknown links",
    async prepare() {
      for (let misses = 0; misses < MISSES; misses += MISSES_AT_A_TIME) {
        const paths = Array.from({ length: MISSES_AT_A_TIME }, (_, index) => `/miss-${misses + index}`);
        await Promise.all(paths.map(async (path) => (await fetch(`${kurz.url}${path}`)).text()));
      }
      return "/one-more";
    },
    status: 429,
    shows: "Too many unknown links",
  },
];

describe("a visitor page works without scripts, requests or policy violations:", () => {
  test.each(visitorPages)(
    "$what",
    ({ prepare, status, shows }) =>
      watching(async ({ page, requests, scriptErrors, consoleErrors, policyViolations }) => {
        const url = `${origin}${await prepare()}`;
        const response = await page.goto(url);
        expect(response?.status()).toBe(status);
        expect(await page.locator("main").innerText()).toContain(shows);
        expect(await page.evaluate("document.scripts.length + document.images.length")).toBe(0);
        // The one style sheet is allowed, or the page would be unstyled.
        expect(await page.evaluate("document.styleSheets[0].cssRules.length")).toBeGreaterThan(5);
        expect(requests).toEqual([url]);
        expect(scriptErrors).toEqual([]);
        expect(policyViolations).toEqual([]);
        expect(consoleErrors.filter((text) => /policy|refused/i.test(text))).toEqual([]);
      }),
    TIMEOUT_MS,
  );
});

test("a client that is refused for its misses can still visit existing links", async () => {
  expect((await fetch(`${origin}/nothing-here`)).status).toBe(429);
  expect((await fetch(`${origin}/${visited.slug}`, { redirect: "manual" })).status).toBe(302);
});
