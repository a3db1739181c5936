import { expect, test } from "bun:test";
import type { Page } from "playwright-core";
import { createLink, listLinks } from "#contract/links.ts";
import { openConsoleStage } from "#test/support/console-stage.ts";
import { until } from "#test/support/until.ts";

const TIMEOUT_MS = 600_000;

const { site, onStage } = await openConsoleStage();

const listOf = (page: Page) => page.getByRole("list", { name: "Links", exact: true });
const focusedName = (page: Page): Promise<string> =>
  page.evaluate<string>(
    "document.activeElement?.getAttribute('aria-label') ?? document.activeElement?.textContent?.trim() ?? ''",
  );
const hasFocus = (page: Page, name: RegExp | string) =>
  until(`the focus is on ${name}`, async () => {
    const focused = await focusedName(page);
    return typeof name === "string" ? focused === name : name.test(focused);
  });

test(
  "by keyboard alone a link is found, opened, changed, selected, paused and deleted",
  async () => {
    const me = await site.newOwner();
    for (const slug of ["key-c", "key-b", "key-a"]) {
      await me.do(createLink, { body: { destination_url: "https://example.com/", slug, title: slug } });
    }
    const stateOf = async (slug: string) => (await me.do(listLinks)).data.find((link) => link.slug === slug)?.state;
    await onStage(
      "links",
      async ({ page }) => {
        await listOf(page).waitFor();
        await page.keyboard.press("/");
        await hasFocus(page, "Search links");
        await page.keyboard.type("key-");
        // A new list clears the selection, so it has to be there before anything is selected.
        await page.getByRole("button", { name: "Clear", exact: true }).waitFor();
        await page.keyboard.press("ArrowDown");
        await hasFocus(page, /^Edit key-a:/);
        await page.keyboard.press("ArrowDown");
        await hasFocus(page, /^Edit key-b:/);
        await page.keyboard.press("Enter");
        const dialog = page.getByRole("dialog", { name: "Edit link" });
        await dialog.waitFor();
        await until("the form has the focus", () =>
          dialog.getByLabel("Destination").evaluate((field) => field.matches(":focus")),
        );
        await page.keyboard.press("Tab");
        await page.keyboard.press("Control+a");
        await page.keyboard.type("Typed");
        await page.keyboard.press("Enter");
        await dialog.waitFor({ state: "detached" });
        await hasFocus(page, /^Edit key-b:.*Typed/);
        await page.keyboard.press("x");
        await page.keyboard.press("Shift+ArrowDown");
        await page.getByText("2 selected").waitFor();
        await page.keyboard.press("Escape");
        await page.getByText("2 selected").waitFor({ state: "detached" });
        // From the row's link on to its report and its menu.
        await hasFocus(page, /^Edit key-c:/);
        await page.keyboard.press("Tab");
        await page.keyboard.press("Tab");
        await hasFocus(page, "Actions for key-c");
        await page.keyboard.press("Enter");
        await hasFocus(page, "Edit");
        await page.keyboard.press("p");
        await page.keyboard.press("ArrowDown");
        await page.keyboard.press("Enter");
        await until("it is paused", async () => (await stateOf("key-c")) === "paused");
        await hasFocus(page, "Actions for key-c");
        await page.keyboard.press("Enter");
        await hasFocus(page, "Edit");
        await page.keyboard.press("End");
        await page.keyboard.press("Enter");
        await page.getByRole("checkbox", { name: "Select key-c" }).waitFor({ state: "detached" });
        await hasFocus(page, /^Edit key-b:/);
        await until("it is deleted", async () => (await stateOf("key-c")) === undefined);
      },
      me,
    );
  },
  TIMEOUT_MS,
);

test(
  "c creates, ? shows help, and the palette goes anywhere; single-key shortcuts can be switched off",
  async () => {
    const me = await site.newOwner();
    await me.do(createLink, { body: { destination_url: "https://example.com/", title: "Asleep" } });
    await onStage(
      "links",
      async ({ page }) => {
        await listOf(page).waitFor();
        await page.keyboard.press("c");
        await page.getByRole("dialog", { name: "Create link" }).waitFor();
        await page.keyboard.press("Escape");
        await page.getByRole("dialog").waitFor({ state: "detached" });
        await page.keyboard.press("Control+k");
        await page.getByRole("combobox", { name: "Search links and commands" }).waitFor();
        await page.keyboard.type("dark");
        await page.keyboard.press("Enter");
        await until("it is dark", () => page.evaluate<boolean>("document.documentElement.dataset.theme === 'dark'"));
        await page.keyboard.press("Control+k");
        await page.getByRole("combobox", { name: "Search links and commands" }).waitFor();
        await page.keyboard.type("asleep");
        await page.getByRole("option", { name: /Asleep/ }).waitFor();
        await page.keyboard.press("Enter");
        const dialog = page.getByRole("dialog", { name: "Edit link" });
        await dialog.waitFor();
        expect(await dialog.getByLabel("Title").inputValue()).toBe("Asleep");
        await page.keyboard.press("Escape");
        await dialog.waitFor({ state: "detached" });
        await page.keyboard.press("?");
        await page.getByRole("checkbox", { name: "Single-key shortcuts" }).uncheck();
        await page.keyboard.press("Escape");
        await page.getByRole("dialog").waitFor({ state: "detached" });
        await page.keyboard.press("c");
        await page.keyboard.press("Control+k");
        await page.getByRole("combobox", { name: "Search links and commands" }).waitFor();
        expect(await page.getByRole("dialog").count()).toBe(1);
      },
      me,
    );
  },
  TIMEOUT_MS,
);

test(
  "a dialog that is closed twice, before the browser went back, doesn't leave the page",
  () =>
    onStage("domains", async ({ page, go }) => {
      await go("links");
      const path = new URL(page.url()).pathname;
      await page.getByRole("button", { name: "Create your first link" }).click();
      const dialog = page.getByRole("dialog", { name: "Create link" });
      await dialog.waitFor();
      const timesBack = await page.evaluate<number>(`(() => {
        let times = 0;
        const back = history.back.bind(history);
        history.back = () => {
          times++;
          back();
        };
        const escape = () => new KeyboardEvent("keydown", { key: "Escape", bubbles: true, cancelable: true });
        for (let presses = 0; presses < 2; presses++) document.querySelector("dialog[open]").dispatchEvent(escape());
        return times;
      })()`);
      expect(timesBack).toBe(1);
      await dialog.waitFor({ state: "detached" });
      expect(new URL(page.url()).pathname).toBe(path);
      // It can be opened and closed again.
      await page.getByRole("button", { name: "Create your first link" }).click();
      await dialog.waitFor();
      await page.keyboard.press("Escape");
      await dialog.waitFor({ state: "detached" });
      expect(new URL(page.url()).pathname).toBe(path);
    }),
  TIMEOUT_MS,
);
