import { expect, test } from "bun:test";
import { createLink, listLinks, pauseLink } from "#contract/links.ts";
import { expectAccessible } from "#test/support/console-page.ts";
import { eventually } from "#test/support/eventually.ts";
import { intercept } from "#test/support/intercept.ts";
import { choose, dialogOf, openLinkStage, shows } from "#test/support/link-stage.ts";
import { until } from "#test/support/until.ts";

const TIMEOUT_MS = 600_000;

const { onStage } = await openLinkStage();

const links = [
  { slug: "find-a", title: "Autumn sale", tags: ["shop"] },
  { slug: "find-b", title: "Winter sale", tags: ["shop", "mail"] },
  { slug: "find-c", destination_url: "https://example.org/autumn" },
];
const named = (suffix: string) => links.map((link) => ({ ...link, slug: `${link.slug}-${suffix}` }));

test(
  "search and filters narrow the list, are in the address and survive a reload",
  () =>
    onStage(named("f"), async ({ page, me }) => {
      await page.getByLabel("Search links").fill("autumn");
      await shows(page, ["find-c-f", "find-a-f"]);
      await until("the address has the search", () => page.url().includes("q=autumn"));
      await page.reload();
      await shows(page, ["find-c-f", "find-a-f"]);
      await eventually(async () => expect(await page.getByLabel("Search links").inputValue()).toBe("autumn"));
      await page.getByRole("button", { name: "Clear", exact: true }).click();
      await shows(page, ["find-c-f", "find-b-f", "find-a-f"]);
      await page.getByRole("button", { name: "Tags: any" }).click();
      const tags = [/^shop/, /^mail/];
      // Clicked rather than checked: the boxes follow the address, which takes a moment.
      for (const name of tags) await page.getByRole("checkbox", { name }).click();
      for (const name of tags) await page.getByRole("checkbox", { name, checked: true }).waitFor();
      await page.getByLabel("Find a tag").fill("mai");
      await page.getByRole("checkbox", { name: "shop" }).waitFor({ state: "detached" });
      await page.keyboard.press("Enter");
      await page.getByRole("checkbox", { name: /^mail/, checked: false }).waitFor();
      await page.keyboard.press("Enter");
      await page.getByRole("checkbox", { name: /^mail/, checked: true }).waitFor();
      await page.keyboard.press("Escape");
      await shows(page, ["find-b-f"]);
      await page.getByRole("button", { name: "Clear", exact: true }).click();
      await shows(page, ["find-c-f", "find-b-f", "find-a-f"]);
      const [, paused] = (await me.do(listLinks)).data;
      await me.do(pauseLink, { params: { id: paused?.id ?? "" } });
      await page.getByRole("button", { name: /^Status/ }).click();
      await page.getByRole("menuitemradio", { name: "Paused", exact: true }).click({ scroll: "none" });
      await shows(page, ["find-b-f"]);
      await page.getByRole("button", { name: /^Status/ }).click();
      await page.getByRole("menuitemradio", { name: "All links" }).click({ scroll: "none" });
      await page.getByRole("button", { name: /^Sort/ }).click();
      await page.getByRole("menuitemradio", { name: "Oldest first" }).click({ scroll: "none" });
      await shows(page, ["find-a-f", "find-b-f", "find-c-f"]);
      await page.getByLabel("Search links").fill("nothing like this");
      await page.getByRole("button", { name: "Clear filters" }).click();
      await shows(page, ["find-a-f", "find-b-f", "find-c-f"]);
    }),
  TIMEOUT_MS,
);

test(
  "the number of links is shown, and follows filters and changes",
  () =>
    onStage(named("count"), async ({ page }) => {
      const counts = (text: string) =>
        page.getByRole("status", { name: "Number of links" }).getByText(text, { exact: true }).waitFor();
      await counts("3 links");
      await page.getByLabel("Search links").fill("autumn");
      await counts("2 of 3");
      await choose(page, "find-a-count", "Archive");
      await counts("1 of 2");
      await page.getByRole("button", { name: "Clear", exact: true }).click();
      await counts("2 links");
      await page.getByRole("button", { name: /^Status/ }).click();
      await page.getByRole("menuitemradio", { name: "Archived", exact: true }).click({ scroll: "none" });
      await counts("1 of 3");
      await page.getByRole("button", { name: "Create link" }).click();
      const dialog = dialogOf(page);
      await dialog.getByLabel("Destination").fill("https://example.com/one-more");
      await dialog.getByRole("button", { name: "Create link" }).click();
      await counts("1 of 4");
    }),
  TIMEOUT_MS,
);

test(
  "a filtered list is saved as a view, chosen again and deleted",
  () =>
    onStage(named("view"), async ({ page }) => {
      const views = page.getByRole("button", { name: /^Views/ });
      await views.click();
      await page.getByText("Filter or sort the list to save it as a view.").waitFor();
      await page.keyboard.press("Escape");
      await page.getByLabel("Search links").fill("autumn");
      await shows(page, ["find-c-view", "find-a-view"]);
      await until("the address has the search", () => page.url().includes("q=autumn"));
      await views.click();
      await page.getByLabel("View name").fill("Autumn");
      await page.keyboard.press("Enter");
      await page.getByRole("button", { name: "Views: Autumn" }).waitFor();
      await page.getByRole("button", { name: "Clear", exact: true }).click();
      await shows(page, ["find-c-view", "find-b-view", "find-a-view"]);
      await page.reload();
      await views.click();
      await expectAccessible(page);
      await page.getByRole("button", { name: "Autumn", exact: true }).click();
      await shows(page, ["find-c-view", "find-a-view"]);
      await eventually(async () => expect(await page.getByLabel("Search links").inputValue()).toBe("autumn"));
      await views.click();
      await page.getByRole("button", { name: "Delete view Autumn" }).click();
      await page.getByLabel("View name").waitFor();
      await page.getByRole("button", { name: "Views", exact: true }).waitFor();
    }),
  TIMEOUT_MS,
);

test(
  "invalid parameters in the list's address are ignored and removed",
  () =>
    onStage(named("n"), async ({ page }) => {
      await page.goto(`${page.url()}?from=x&to=y&created=never&show=nothing&sort=colour&tag=shop`);
      await shows(page, ["find-b-n", "find-a-n"]);
      await until("the address is what is shown", () => new URL(page.url()).search === "?tag=shop");
    }),
  TIMEOUT_MS,
);

test(
  "links are found by the days they were created on",
  () =>
    onStage([{ slug: "of-today" }], async ({ page }) => {
      const now = Date.now();
      const dayFrom = (days: number) => new Date(now + days * 86_400_000).toISOString().slice(0, 10);
      const choose = async (first: string, last: string) => {
        await page.getByRole("button", { name: /^Created/ }).click();
        await page.getByRole("menuitemradio", { name: "Custom range" }).click({ scroll: "none" });
        await page.getByLabel("First day").fill(first);
        await page.getByLabel("Last day").fill(last);
        await page.getByRole("button", { name: "Show", exact: true }).click();
      };
      await choose(dayFrom(-9), dayFrom(-3));
      await page.getByText("No link matches").waitFor();
      await page.reload();
      await page.getByText("No link matches").waitFor();
      // A day of leeway, since the browser's date may differ from ours.
      await page.goto(page.url().replace(`to=${dayFrom(-2)}`, `to=${dayFrom(2)}`));
      await shows(page, ["of-today"]);
      const clear = page.getByRole("button", { name: "Clear", exact: true });
      await clear.click();
      await clear.waitFor({ state: "detached" });
      await shows(page, ["of-today"]);
      await until("the address is plain", () => new URL(page.url()).search === "");
    }),
  TIMEOUT_MS,
);

test(
  "the list stays on screen while the server is down, and is refreshed when it is back",
  () =>
    onStage([{ slug: "still-here" }], async ({ page, me }) => {
      await shows(page, ["still-here"]);
      await intercept(page, "**/console/api/**", (route) => route.abort());
      await page.getByRole("button", { name: /^Sort/ }).click();
      await page.getByRole("menuitemradio", { name: "Oldest first" }).click({ scroll: "none" });
      await page.getByText("What you see may be out of date.").waitFor();
      await page.getByText("This could not be loaded").waitFor();
      await page.getByRole("navigation", { name: "Main" }).waitFor();
      await me.do(createLink, { body: { destination_url: "https://example.com/", slug: "made-meanwhile" } });
      await page.unroute("**/console/api/**");
      await shows(page, ["still-here", "made-meanwhile"]);
      await page.getByText("What you see may be out of date.").waitFor({ state: "detached" });
    }),
  TIMEOUT_MS,
);

test(
  "going back closes a dialog, and from a page returns to the same place in the list",
  () =>
    onStage(
      Array.from({ length: 60 }, (_, index) => ({ slug: `place-${index}` })),
      async ({ page }) => {
        await page.getByRole("checkbox", { name: "Select place-59" }).waitFor();
        const isInPlace = async () => (await page.evaluate<number>("scrollY")) === 3500;
        // Reaching the end of a page loads the next one.
        await until("the place is reached", async () => {
          await page.evaluate("scrollTo(0, 3500)");
          return isInPlace();
        });
        await page.getByRole("checkbox", { name: "Select place-10", exact: true }).waitFor();
        // Playwright would scroll the page if the menu, which fades in, still moved when it first tries to click.
        const chooseInPlace = async (action: string) => {
          await page.getByRole("button", { name: "Actions for place-10", exact: true }).click({ scroll: "none" });
          await page.getByRole("menuitem", { name: action, exact: true }).click({ scroll: "none" });
        };
        await chooseInPlace("Edit");
        await dialogOf(page).waitFor();
        expect(await isInPlace()).toBe(true);
        await page.goBack();
        await dialogOf(page).waitFor({ state: "detached" });
        await until("the list stays", isInPlace);
        await chooseInPlace("Report");
        await page.getByRole("heading", { level: 1, name: "/place-10", exact: true }).waitFor();
        await page.goBack();
        await page.getByRole("checkbox", { name: "Select place-10", exact: true }).waitFor();
        await until("the same place", isInPlace);
      },
    ),
  TIMEOUT_MS,
);

test(
  "a list that can't be loaded says so and retries when asked",
  () =>
    onStage([{ slug: "behind-a-fault" }], async ({ page }) => {
      await intercept(page, "**/api/v1/links?*", (route) =>
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
