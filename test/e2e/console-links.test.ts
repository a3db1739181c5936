import { afterAll, describe, expect, test } from "bun:test";
import type { Page } from "playwright-core";
import type { Link, LinkCreate } from "#contract/link-record.ts";
import { createLink, getLink, listLinks, pauseLink, updateLink } from "#contract/links.ts";
import { launchBrowser, type WatchedPage } from "#test/support/browser.ts";
import { type ConsoleClient, startConsole } from "#test/support/console-client.ts";
import { openConsolePage } from "#test/support/console-page.ts";
import { until } from "#test/support/until.ts";

const TIMEOUT_MS = 60_000;
const PHONE = { width: 375, height: 740 };

const site = await startConsole({ KURZ_RATE_LIMIT_PER_MINUTE: "0" });
const browser = await launchBrowser().catch(async (error) => {
  await site.stop();
  throw error;
});
afterAll(async () => {
  await browser.close();
  await site.stop();
}, 20_000);

interface Stage {
  readonly page: Page;
  readonly watched: WatchedPage;
  readonly me: ConsoleClient;
  make(body?: Partial<LinkCreate>): Promise<Link>;
  read(id: string): Promise<Link>;
}

/** An account of its own for every test, and the list on screen. */
async function onStage(links: readonly Partial<LinkCreate>[], act: (stage: Stage) => Promise<void>, search = "") {
  const me = await site.newOwner();
  const make = (body: Partial<LinkCreate> = {}) =>
    me.do(createLink, { body: { destination_url: "https://example.com/", ...body } });
  for (const body of links) await make(body);
  const watched = await openConsolePage(browser, me, `/a/${me.account}/links${search}`, {
    permissions: ["clipboard-read", "clipboard-write"],
  });
  const { page } = watched;
  await page.getByRole("heading", { name: "Links", exact: true }).waitFor();
  const read = (id: string) => me.do(getLink, { params: { id } });
  await act({ page, watched, me, make, read }).finally(() => watched.close());
  expect(watched.scriptErrors).toEqual([]);
  expect(watched.policyViolations).toEqual([]);
}

const rowOf = (page: Page, slug: string) =>
  page.getByRole("listitem").filter({ has: page.getByRole("checkbox", { name: `Select ${slug}`, exact: true }) });

async function choose(page: Page, slug: string, action: string): Promise<void> {
  await page.getByRole("button", { name: `Actions for ${slug}`, exact: true }).click();
  await page.getByRole("menuitem", { name: action, exact: true }).click();
}

const dialogOf = (page: Page) => page.getByRole("dialog", { name: /link$/ });
const slugsOf = (page: Page): Promise<string[]> =>
  page
    .getByRole("checkbox", { name: /^Select / })
    .evaluateAll((boxes) => boxes.map((box) => (box.getAttribute("aria-label") ?? "").slice("Select ".length)));

const shows = (page: Page, slugs: readonly string[]) =>
  until(`the list shows ${slugs}`, async () => JSON.stringify(await slugsOf(page)) === JSON.stringify(slugs));

describe("creating", () => {
  test(
    "the first link is made from an empty account, shown at once and can be copied",
    () =>
      onStage([], async ({ page, me }) => {
        await page.getByRole("button", { name: "Create your first link" }).click();
        const dialog = dialogOf(page);
        await dialog.getByLabel("Destination").fill("example.com/sale");
        await dialog.getByRole("textbox", { name: "Slug" }).fill(`first-${me.account.slice(-6)}`);
        await dialog.getByText("This slug is free.").waitFor();
        await dialog.getByLabel("Title").fill("Spring sale");
        await dialog.getByRole("button", { name: "Create link" }).click();
        const slug = `first-${me.account.slice(-6)}`;
        await rowOf(page, slug).waitFor();
        const [link] = (await me.do(listLinks)).data;
        expect(link).toMatchObject({ slug, destination_url: "https://example.com/sale", title: "Spring sale" });
        expect(link?.created_via).toBe("dashboard");
        await rowOf(page, slug)
          .getByRole("button", { name: /^Copy / })
          .click();
        await rowOf(page, slug)
          .getByRole("button", { name: /^Copied / })
          .waitFor();
        expect(await page.evaluate<string>("navigator.clipboard.readText()")).toBe(link?.short_url ?? "");
      }),
    TIMEOUT_MS,
  );

  test(
    "problems are told at their fields before anything is sent, and the server's as well",
    () =>
      onStage([{ slug: "taken-slug" }], async ({ page, watched }) => {
        await page.getByRole("button", { name: "Create link" }).click();
        const dialog = dialogOf(page);
        await dialog.getByLabel("Destination").fill("javascript:alert(1)");
        await dialog.getByLabel("Title").focus();
        await dialog.getByText("The destination has to start with https:// or http://.").waitFor();
        await dialog.getByRole("textbox", { name: "Slug" }).fill("taken-slug");
        await dialog.getByText("in use").waitFor();
        await dialog.getByRole("button", { name: "Create link" }).click();
        expect(watched.requests.filter((url) => url.endsWith("/api/v1/links"))).toEqual([]);
        // Only the server knows which hosts are private here.
        await dialog.getByLabel("Destination").fill("https://intranet.local/");
        await dialog.getByRole("textbox", { name: "Slug" }).fill("");
        await dialog.getByRole("button", { name: "Create link" }).click();
        await dialog.getByText(/is private/).waitFor();
        const field = dialog.getByLabel("Destination");
        await until("the field has the focus", () => field.evaluate((input) => input.matches(":focus")));
      }),
    TIMEOUT_MS,
  );

  test(
    "a double click makes one link, and so does a second try after the answer was lost",
    () =>
      onStage([], async ({ page, me }) => {
        await page.getByRole("button", { name: "Create your first link" }).click();
        await dialogOf(page).getByLabel("Destination").fill("https://example.com/once");
        await dialogOf(page).getByRole("button", { name: "Create link" }).dblclick();
        await page.getByRole("list", { name: "Links" }).waitFor();
        expect((await me.do(listLinks)).data).toHaveLength(1);

        let lost = 0;
        await page.route("**/api/v1/links", async (route) => {
          if (route.request().method() !== "POST" || lost > 0) return route.fallback();
          lost += 1;
          await route.fetch();
          await route.abort();
        });
        await page.getByRole("button", { name: "Create link" }).click();
        await dialogOf(page).getByLabel("Destination").fill("https://example.com/twice");
        await dialogOf(page).getByRole("button", { name: "Create link" }).click();
        await dialogOf(page).getByText("The server cannot be reached.").waitFor();
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
    "the address that the UTM builder shows is the one that visitors are sent to",
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
    "what was typed is not lost by one press of Escape",
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
});

describe("changing", () => {
  test(
    "an edit changes what it names and nothing else, and tags are offered from those in use",
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
    "an edit on top of someone else's shows what they changed and loses neither",
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
        expect(await dialog.getByLabel("Title").inputValue()).toBe("Mine");
        expect(await dialog.getByLabel("Destination").inputValue()).toBe("https://example.org/new");
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
    "a link is paused, resumed, archived and unarchived, and each can be undone",
    () =>
      onStage([{ slug: "switch-me" }], async ({ page, me, read }) => {
        const [link] = (await me.do(listLinks)).data;
        const id = link?.id ?? "";
        const becomes = (state: string) => until(`it is ${state}`, async () => (await read(id)).state === state);
        await choose(page, "switch-me", "Pause");
        await becomes("paused");
        await rowOf(page, "switch-me").getByText("Paused").waitFor();
        expect((await fetch(link?.short_url ?? "", { redirect: "manual" })).status).toBe(404);
        await choose(page, "switch-me", "Resume");
        await becomes("active");
        await choose(page, "switch-me", "Archive");
        await becomes("archived");
        await page.getByText("No links yet").waitFor();
        await page.getByRole("button", { name: "Undo" }).last().click();
        await becomes("active");
        await page.goto(`${page.url()}?show=archived`);
        await page.getByText("No link matches").waitFor();
      }),
    TIMEOUT_MS,
  );

  test(
    "a refused change is taken back on screen and its reason told",
    () =>
      onStage([{ slug: "stubborn" }], async ({ page }) => {
        await page.route("**/pause", (route) =>
          route.fulfill({
            status: 503,
            contentType: "application/json",
            body: JSON.stringify({ error: { code: "unavailable", message: "The disk is full.", request_id: "req_1" } }),
          }),
        );
        await choose(page, "stubborn", "Pause");
        await page.getByText("The disk is full.").waitFor();
        expect(await rowOf(page, "stubborn").getByText("Paused").count()).toBe(0);
      }),
    TIMEOUT_MS,
  );
});

describe("deleting", () => {
  test(
    "a deleted link can be brought back for eight seconds, during which it still redirects; then it is gone",
    () =>
      onStage([{ slug: "stays" }, { slug: "goes" }], async ({ page, me }) => {
        await choose(page, "stays", "Delete");
        await shows(page, ["goes"]);
        expect((await fetch(`${site.url}/stays`, { redirect: "manual" })).status).toBe(302);
        await page.getByRole("button", { name: "Undo" }).click();
        await shows(page, ["goes", "stays"]);
        await choose(page, "goes", "Delete");
        await shows(page, ["stays"]);
        await until(
          "it is gone",
          async () => (await fetch(`${site.url}/goes`, { redirect: "manual" })).status === 410,
          20_000,
        );
        expect((await me.do(listLinks)).data.map((link) => link.slug)).toEqual(["stays"]);
      }),
    TIMEOUT_MS,
  );

  test(
    "a link that was deleted just before the page is left is deleted",
    () =>
      onStage([{ slug: "left-behind" }], async ({ page }) => {
        await choose(page, "left-behind", "Delete");
        await page.getByText("No links yet").waitFor();
        await page.goto("about:blank");
        await until(
          "it is gone",
          async () => (await fetch(`${site.url}/left-behind`, { redirect: "manual" })).status === 410,
          6000,
        );
      }),
    TIMEOUT_MS,
  );
});

describe("many at once", () => {
  const slugs = ["bulk-1", "bulk-2", "bulk-3", "bulk-4", "bulk-5"];
  const links = slugs.toReversed().map((slug) => ({ slug }));

  test(
    "a range is chosen with shift, and what fails stays chosen with its reason",
    () =>
      onStage(
        links.map((link) => ({ ...link, slug: `${link.slug}-range` })),
        async ({ page, me }) => {
          const failing = (await me.do(listLinks)).data.find((link) => link.slug === "bulk-3-range");
          await page.route(`**/${failing?.id}/pause`, (route) =>
            route.fulfill({
              status: 403,
              contentType: "application/json",
              body: JSON.stringify({ error: { code: "plan_limit", message: "Not on this plan.", request_id: "r" } }),
            }),
          );
          await page.getByRole("checkbox", { name: "Select bulk-2-range" }).click();
          await page.getByRole("checkbox", { name: "Select bulk-4-range" }).click({ modifiers: ["Shift"] });
          const bar = page.getByRole("region", { name: "Chosen links" });
          await bar.getByText("3 chosen").waitFor();
          await bar.getByRole("button", { name: "Pause" }).click();
          await bar.getByText("Not on this plan.").waitFor();
          await bar.getByText("1 chosen").waitFor();
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
    "all links that were deleted just before the page is left are deleted",
    () =>
      onStage(
        Array.from({ length: 12 }, (_, index) => ({ slug: `left-${index}` })),
        async ({ page, me }) => {
          await page.getByRole("checkbox", { name: "Select left-11" }).click();
          await page.getByRole("checkbox", { name: "Select left-0" }).click({ modifiers: ["Shift"] });
          const bar = page.getByRole("region", { name: "Chosen links" });
          await bar.getByText("12 chosen").waitFor();
          await bar.getByRole("button", { name: "Delete" }).click();
          await page.getByText("No links yet").waitFor();
          await page.goto("about:blank");
          await until("all are gone", async () => (await me.do(listLinks)).data.length === 0, 6000);
        },
      ),
    TIMEOUT_MS,
  );

  test(
    "several links are deleted together and brought back together",
    () =>
      onStage(
        links.map((link) => ({ ...link, slug: `${link.slug}-all` })),
        async ({ page }) => {
          for (const slug of ["bulk-1-all", "bulk-5-all"])
            await page.getByRole("checkbox", { name: `Select ${slug}` }).check();
          await page.getByRole("region", { name: "Chosen links" }).getByRole("button", { name: "Delete" }).click();
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
});

describe("finding", () => {
  const links = [
    { slug: "find-a", title: "Autumn sale", tags: ["shop"] },
    { slug: "find-b", title: "Winter sale", tags: ["shop", "mail"] },
    { slug: "find-c", destination_url: "https://example.org/autumn" },
  ];
  const named = (suffix: string) => links.map((link) => ({ ...link, slug: `${link.slug}-${suffix}` }));

  test(
    "search and filters narrow the list, stand in the address and survive a reload",
    () =>
      onStage(named("f"), async ({ page, me }) => {
        await page.getByLabel("Search links").fill("autumn");
        await shows(page, ["find-c-f", "find-a-f"]);
        await until("the address says it", () => page.url().includes("q=autumn"));
        await page.reload();
        await shows(page, ["find-c-f", "find-a-f"]);
        expect(await page.getByLabel("Search links").inputValue()).toBe("autumn");
        await page.getByRole("button", { name: "Clear", exact: true }).click();
        await shows(page, ["find-c-f", "find-b-f", "find-a-f"]);
        await page.getByRole("button", { name: "Tags: any" }).click();
        await page.getByRole("checkbox", { name: /^shop/ }).check();
        await page.getByRole("checkbox", { name: /^mail/ }).check();
        await page.keyboard.press("Escape");
        await shows(page, ["find-b-f"]);
        await page.getByRole("button", { name: "Clear", exact: true }).click();
        const [, paused] = (await me.do(listLinks)).data;
        await me.do(pauseLink, { params: { id: paused?.id ?? "" } });
        await page.getByRole("button", { name: /^Status/ }).click();
        await page.getByRole("menuitemradio", { name: "Paused", exact: true }).click();
        await shows(page, ["find-b-f"]);
        await page.getByRole("button", { name: /^Status/ }).click();
        await page.getByRole("menuitemradio", { name: "All links" }).click();
        await page.getByRole("button", { name: /^Sort/ }).click();
        await page.getByRole("menuitemradio", { name: "Oldest first" }).click();
        await shows(page, ["find-a-f", "find-b-f", "find-c-f"]);
        await page.getByLabel("Search links").fill("nothing like this");
        await page.getByRole("button", { name: "Clear filters" }).click();
        await shows(page, ["find-a-f", "find-b-f", "find-c-f"]);
      }),
    TIMEOUT_MS,
  );

  test(
    "the way back from a dialog closes it, and from a page returns to the same place of the list",
    () =>
      onStage(
        Array.from({ length: 120 }, (_, index) => ({ slug: `place-${index}` })),
        async ({ page }) => {
          await page.getByRole("checkbox", { name: "Select place-119" }).waitFor();
          // The end of each page brings the next one.
          await until("the place is reached", async () => {
            await page.evaluate("scrollTo(0, 3500)");
            return (await page.evaluate<number>("scrollY")) === 3500;
          });
          await page.getByRole("checkbox", { name: "Select place-70", exact: true }).waitFor();
          const place = await page.evaluate<number>("scrollY");
          await page.getByRole("button", { name: "Actions for place-70", exact: true }).click();
          await page.getByRole("menuitem", { name: "Edit" }).click();
          await dialogOf(page).waitFor();
          await page.goBack();
          await dialogOf(page).waitFor({ state: "detached" });
          expect(Math.abs((await page.evaluate<number>("scrollY")) - place)).toBeLessThan(100);
          await page.getByRole("button", { name: "Actions for place-70", exact: true }).click();
          const before = await page.evaluate<number>("scrollY");
          await page.getByRole("menuitem", { name: "Report" }).click();
          await until("the report's address", () => /\/links\/lnk_/.test(page.url()));
          await page.goBack();
          await page.getByRole("checkbox", { name: "Select place-70", exact: true }).waitFor();
          await until("the same place", async () => Math.abs((await page.evaluate<number>("scrollY")) - before) < 100);
        },
      ),
    TIMEOUT_MS,
  );

  test(
    "a list that cannot be read says so and tries again when asked",
    () =>
      onStage([{ slug: "behind-a-fault" }], async ({ page }) => {
        await page.route("**/api/v1/links?*", (route) =>
          route.fulfill({
            status: 500,
            contentType: "application/json",
            body: JSON.stringify({ error: { code: "internal_error", message: "It broke.", request_id: "req_77" } }),
          }),
        );
        await page.reload();
        await page.getByText("It broke.").waitFor();
        await page.getByText("req_77").waitFor();
        await page.unroute("**/api/v1/links?*");
        await page.getByRole("button", { name: "Try again" }).click();
        await shows(page, ["behind-a-fault"]);
      }),
    TIMEOUT_MS,
  );
});

test(
  "everything can be done on a phone, and nothing is wider than it",
  () =>
    onStage(
      [{ slug: "pocket", title: "A rather long title for such a small screen, is it not?" }],
      async ({ page }) => {
        await page.setViewportSize(PHONE);
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
        await choose(page, "pocket", "Archive");
        await page.getByRole("checkbox", { name: "Select pocket" }).waitFor({ state: "detached" });
        await page.getByRole("checkbox", { name: /^Select/ }).check();
        await page.getByRole("region", { name: "Chosen links" }).getByRole("button", { name: "Pause" }).click();
        await page.getByText("Paused", { exact: true }).waitFor();
        await isNarrow();
      },
    ),
  TIMEOUT_MS,
);
