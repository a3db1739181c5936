import { expect, test } from "bun:test";
import { listLinks } from "#contract/links.ts";
import { intercept } from "#test/support/intercept.ts";
import { choose, holdUndo, openLinkStage, rowOf, shows } from "#test/support/link-stage.ts";
import { until } from "#test/support/until.ts";

const TIMEOUT_MS = 600_000;

const { site, onStage } = await openLinkStage();

test(
  "a link is paused, resumed, archived and unarchived, and each can be undone",
  () =>
    onStage([{ slug: "switch-me" }], async ({ page, me, read }) => {
      const [link] = (await me.do(listLinks)).data;
      const id = link?.id ?? "";
      const becomes = (state: string) => until(`it is ${state}`, async () => (await read(id)).state === state);
      /** Waits for the answer: until then the page shows a guess, which can't be undone. */
      const act = async (action: string, told: string) => {
        await choose(page, "switch-me", action);
        await page.getByText(`${told} /switch-me.`).waitFor();
      };
      await holdUndo(page);
      await act("Pause", "Paused");
      await becomes("paused");
      await rowOf(page, "switch-me").getByText("Paused").waitFor();
      expect((await fetch(link?.short_url ?? "", { redirect: "manual" })).status).toBe(404);
      await act("Resume", "Resumed");
      await becomes("active");
      await act("Archive", "Archived");
      await becomes("archived");
      await page.getByText("No links yet").waitFor();
      await page.getByRole("button", { name: "Undo" }).last().click();
      await becomes("active");
      await rowOf(page, "switch-me").waitFor();
      await page.goto(`${page.url()}?show=archived`);
      await page.getByText("No link matches").waitFor();
    }),
  TIMEOUT_MS,
);

test(
  "an undone change restores the link to its place, by keyboard too",
  () =>
    onStage([{ slug: "first" }, { slug: "second" }, { slug: "third" }], async ({ page }) => {
      const all = ["third", "second", "first"];
      await shows(page, all);
      await holdUndo(page);
      // In this order, since unarchiving can be undone too once it is answered.
      for (const [action, done] of [
        ["Delete", "Moved /second to the trash."],
        ["Archive", "Archived /second."],
      ] as const) {
        await choose(page, "second", action);
        await page.getByText(done).waitFor();
        await shows(page, ["third", "first"]);
        await page.keyboard.press("z");
        await shows(page, all);
      }
    }),
  TIMEOUT_MS,
);

test(
  "a changed link is found under its new state, even if that list was loaded before",
  () =>
    onStage([{ slug: "mover" }, { slug: "stayer" }], async ({ page }) => {
      const filter = async (status: string) => {
        await page.getByRole("button", { name: /^Status/ }).click();
        await page.getByRole("menuitemradio", { name: status, exact: true }).click({ scroll: "none" });
      };
      await filter("Paused");
      await page.getByText("No link matches").waitFor();
      await filter("Active");
      await shows(page, ["stayer", "mover"]);
      await choose(page, "mover", "Pause");
      await shows(page, ["stayer"]);
      await page.getByText("Paused /mover. Visitors see “not found” until you resume it.").waitFor();
      await filter("Paused");
      await shows(page, ["mover"]);
    }),
  TIMEOUT_MS,
);

test(
  "a refused change is reverted on screen, with its reason",
  () =>
    onStage([{ slug: "stubborn" }], async ({ page }) => {
      await intercept(page, "**/pause", (route) =>
        route.fulfill({
          status: 503,
          contentType: "application/json",
          body: JSON.stringify({ error: { code: "unavailable", message: "The disk is full.", request_id: "req_1" } }),
        }),
      );
      await choose(page, "stubborn", "Pause");
      await page.getByText("The disk is full.").waitFor();
      await until("it is reverted", async () => (await rowOf(page, "stubborn").getByText("Paused").count()) === 0);
    }),
  TIMEOUT_MS,
);

test(
  "a deleted link stops redirecting at once, and redirects again when that is undone",
  () =>
    onStage([{ slug: "stays" }, { slug: "goes" }], async ({ page, me }) => {
      const statusOf = async (slug: string) => (await fetch(`${site.url}/${slug}`, { redirect: "manual" })).status;
      await holdUndo(page);
      await choose(page, "stays", "Delete");
      await shows(page, ["goes"]);
      await page.getByText("Moved /stays to the trash.").waitFor();
      expect(await statusOf("stays")).toBe(410);
      await page.getByRole("button", { name: "Undo" }).click();
      await shows(page, ["goes", "stays"]);
      await page.getByText("Restored /stays.").waitFor();
      expect(await statusOf("stays")).toBe(302);
      expect((await me.do(listLinks)).data.map((link) => link.slug)).toEqual(["goes", "stays"]);
    }),
  TIMEOUT_MS,
);

test(
  "a refused deletion brings the link back, with its reason",
  () =>
    onStage([{ slug: "kept" }], async ({ page }) => {
      await intercept(page, "**/links/lnk_*", (route) =>
        route.request().method() !== "DELETE"
          ? route.fallback()
          : route.fulfill({
              status: 503,
              contentType: "application/json",
              body: JSON.stringify({ error: { code: "unavailable", message: "The disk is full.", request_id: "r" } }),
            }),
      );
      await choose(page, "kept", "Delete");
      await page.getByText("The disk is full.").waitFor();
      await shows(page, ["kept"]);
    }),
  TIMEOUT_MS,
);

test(
  "a link deleted just before leaving the page is deleted",
  () =>
    onStage([{ slug: "left-behind" }], async ({ page }) => {
      await choose(page, "left-behind", "Delete");
      await page.getByText("No links yet").waitFor();
      await page.goto("about:blank");
      await until(
        "it is gone",
        async () => (await fetch(`${site.url}/left-behind`, { redirect: "manual" })).status === 410,
      );
    }),
  TIMEOUT_MS,
);

test(
  "many links deleted together just before leaving the page are all deleted",
  () => {
    const slugs = Array.from({ length: 12 }, (_, index) => `left-${index}`);
    return onStage(
      slugs.map((slug) => ({ slug })),
      async ({ page }) => {
        await page.getByRole("checkbox", { name: "Select left-11" }).click();
        await page.getByRole("checkbox", { name: "Select left-0" }).click({ modifiers: ["Shift"] });
        await page.getByRole("region", { name: "Selected links" }).getByRole("button", { name: "Delete" }).click();
        await page.getByText("No links yet").waitFor();
        await page.goto("about:blank");
        const isGone = async (slug: string) =>
          (await fetch(`${site.url}/${slug}`, { redirect: "manual" })).status === 410;
        await until("all are gone", async () => (await Promise.all(slugs.map(isGone))).every(Boolean));
      },
    );
  },
  TIMEOUT_MS,
);
