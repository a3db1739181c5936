import { beforeAll, describe, expect, test } from "bun:test";
import type { Page } from "playwright-core";
import { getAccountAnalytics } from "#contract/analytics.ts";
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
import { findAxeViolations, openConsolePage, untilLoaded } from "#test/support/console-page.ts";
import { openConsoleStage } from "#test/support/console-stage.ts";
import { eventually } from "#test/support/eventually.ts";
import { leavePastClicks } from "#test/support/past-clicks.ts";
import { until } from "#test/support/until.ts";

const TIMEOUT_MS = 600_000;
const german = { locale: "de-DE", timezoneId: "Europe/Berlin" } as const;

const { site, browser } = await openConsoleStage({ KURZ_RATE_LIMIT_PER_MINUTE: "0" });
const me = await site.newOwner();

let ids: Ids;
beforeAll(async () => {
  ids = await fillAccount(me);
  await leavePastClicks(site.server, [
    { link: ids.link, at: new Date("2026-01-05T11:00:00Z"), times: 1234, country: "AT" },
  ]);
  const query = { from: "2026-01-01", to: "2026-02-01" };
  await until("the clicks are in reports", async () => {
    return (await me.do(getAccountAnalytics, { query })).totals.clicks === 1234;
  });
}, TIMEOUT_MS);

const expectLanguage = (page: Page, language: string): Promise<void> =>
  page.locator(`html[lang=${language}]`).waitFor({ state: "attached" });

/** In German, on a page that must cause no script error. */
async function onGermanPage(path: string, act: (page: Page) => Promise<void>): Promise<void> {
  const watched = await openConsolePage(browser, me, `/a/${me.account}/${path}`, german);
  await act(watched.page).finally(() => watched.close());
  expect(watched.scriptErrors).toEqual([]);
  expect(watched.policyViolations).toEqual([]);
}

// Runs in the page: texts and labels with words that German doesn't have, apart from code and what people entered.
const FIND_ENGLISH = `(() => {
  const words = /\\b(the|and|of|with|your|you|this|are|from|have|has|not|by|for|to)\\b/i;
  const isForeign = (element) =>
    element === null || element.closest("pre, code, kbd, script, style, [lang]:not(html)") !== null;
  const found = [];
  const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (texts.nextNode()) {
    if (words.test(texts.currentNode.data) && !isForeign(texts.currentNode.parentElement)) found.push(texts.currentNode.data);
  }
  for (const element of document.querySelectorAll("[aria-label], [title], [placeholder], [alt]")) {
    for (const name of ["aria-label", "title", "placeholder", "alt"]) {
      const text = element.getAttribute(name);
      if (text !== null && words.test(text) && !isForeign(element)) found.push(name + ": " + text);
    }
  }
  return found;
})()`;

/** Names that the tests' people gave to things. */
const ENTERED = /a-very-long-slug|A title that goes on|a tag that takes|long-long|^https?:|example\.com/;

const findEnglish = async (page: Page): Promise<string[]> =>
  (await page.evaluate<string[]>(FIND_ENGLISH)).filter((text) => !ENTERED.test(text));

describe("every page is in German, accessible, and fits at any width", () => {
  test.each(places)(
    "%s",
    (place) =>
      onGermanPage(pathOf(place, ids), async (page) => {
        await page.getByRole("navigation", { name: "Hauptmenü", includeHidden: true }).waitFor();
        await untilLoaded(page);
        await expectLanguage(page, "de");
        expect(await findEnglish(page)).toEqual([]);
        expect(await findAxeViolations(page)).toEqual([]);
        for (const width of WIDTHS) {
          await eventually(async () =>
            expect({ width, ...(await layoutAt(page, width)) }).toEqual({ width, ...goodLayoutAt(width) }),
          );
        }
        // On the smallest screen, the bar has the least room for its words.
        await page.setViewportSize({ width: 375, height: 800 });
        expect(await findAxeViolations(page)).toEqual([]);
      }),
    TIMEOUT_MS,
  );

  test.each(gates)(
    "%s",
    async (path) => {
      const watched = await openWatchedPage(browser, german);
      const { page } = watched;
      await page.goto(`${site.url}/console/${path}`);
      await page.getByRole("heading", { level: 1 }).waitFor();
      await expectLanguage(page, "de");
      expect(await findEnglish(page)).toEqual([]);
      expect(await findAxeViolations(page)).toEqual([]);
      for (const width of WIDTHS) {
        const { excess } = await layoutAt(page, width);
        expect({ width, excess }).toEqual({ width, excess: 0 });
      }
      await watched.close();
    },
    TIMEOUT_MS,
  );
});

test(
  "navigation, tabs and titles are in German",
  () =>
    onGermanPage("links", async (page) => {
      const main = page.getByRole("navigation", { name: "Hauptmenü" });
      const namesIn = (name: string) => page.getByRole("navigation", { name }).getByRole("link").allInnerTexts();
      await main.waitFor();
      expect(await namesIn("Hauptmenü")).toEqual(["Links", "Berichte", "Domains", "Entwickler", "Einstellungen"]);
      await main.getByRole("link", { name: "Entwickler" }).click();
      await page.getByRole("heading", { level: 1, name: "Entwickler" }).waitFor();
      expect(await namesIn("Entwickler")).toEqual(["Tokens", "Webhooks", "API"]);
      await main.getByRole("link", { name: "Einstellungen" }).click();
      await page.getByRole("heading", { level: 1, name: "Einstellungen" }).waitFor();
      expect(await namesIn("Einstellungen")).toEqual([
        "Allgemein",
        "Mitglieder",
        "Tags",
        "Import",
        "Export",
        "Protokoll",
      ]);
      await until("the tab is named", async () => (await page.title()) === "Einstellungen · Kurz");
      await page.getByRole("button", { name: "Konto: " }).click();
      await page.getByRole("menuitem", { name: "Persönliche Einstellungen" }).click({ scroll: "none" });
      await page.getByRole("heading", { level: 1, name: "Persönliche Einstellungen" }).waitFor();
      expect(await namesIn("Persönliche Einstellungen")).toEqual(["Anmeldung und Sicherheit", "Darstellung"]);
    }),
  TIMEOUT_MS,
);

test(
  "the words of the navigation are whole on the smallest phones",
  () =>
    onGermanPage("links", async (page) => {
      await page.setViewportSize({ width: 320, height: 640 });
      const words = page.getByRole("navigation", { name: "Hauptmenü" }).locator("a > span");
      await words.first().waitFor();
      const cut = await words.evaluateAll((all) =>
        all.filter((word) => word.scrollWidth > word.clientWidth).map((word) => word.textContent),
      );
      expect(cut).toEqual([]);
    }),
  TIMEOUT_MS,
);

test(
  "problems are named in German, whether the page or the server finds them",
  async () => {
    await onGermanPage("links?new=1", async (page) => {
      const dialog = page.getByRole("dialog", { name: "Link erstellen" });
      await dialog.getByLabel("Ziel", { exact: true }).fill("ftp://example.com/");
      await dialog.getByRole("button", { name: "Link erstellen" }).click();
      await dialog.getByText("Das Ziel muss mit https:// oder http:// beginnen.").waitFor();
      await dialog.getByLabel("Ziel", { exact: true }).fill("https://example.com/");
      await dialog.getByLabel("Slug").fill("layout-one");
      await dialog.getByRole("button", { name: "Link erstellen" }).click();
      await dialog.getByText("schon vergeben").waitFor();
    });
    await onGermanPage("personal", async (page) => {
      await page.getByLabel("Aktuelles Passwort").fill("not this one at all");
      await page.getByLabel("Neues Passwort").fill("four quiet green lanterns");
      await page.getByRole("button", { name: "Passwort ändern" }).click();
      await page.getByText("Das ist nicht Ihr aktuelles Passwort.").waitFor();
    });
  },
  TIMEOUT_MS,
);

test(
  "reports have dates, numbers and countries as Germans write them",
  () =>
    onGermanPage("reports?from=2026-01-01&to=2026-02-01", async (page) => {
      await page.getByRole("button", { name: /^Zeitraum: 1\.\s*–\s*31\. Jan\.? 2026$/ }).waitFor();
      await page.locator("main section").first().getByText("1.234", { exact: true }).first().waitFor();
      await page
        .getByRole("button", { name: /Österreich/ })
        .first()
        .waitFor();
      await page.getByRole("slider").focus();
      await page.keyboard.press("Home");
      await until("the chart says the day", async () => {
        const said = await page.getByRole("slider").getAttribute("aria-valuetext");
        return said !== null && /1\. Jan/.test(said);
      });
    }),
  TIMEOUT_MS,
);

test(
  "a printed report has no navigation",
  () =>
    onGermanPage("reports", async (page) => {
      const main = page.getByRole("navigation", { name: "Hauptmenü" });
      await main.waitFor();
      await page.emulateMedia({ media: "print" });
      expect(await main.isVisible()).toBe(false);
    }),
  TIMEOUT_MS,
);

test(
  "the language that someone chooses stays, and the palette finds it in both languages",
  () =>
    onGermanPage("links", async (page) => {
      const open = async (words: string, option: string) => {
        await page.getByRole("navigation").first().waitFor();
        await page.keyboard.press("Control+k");
        await page.getByRole("combobox").fill(words);
        await page.getByRole("option", { name: option, exact: true }).click();
      };
      await open("sprache", "Darstellung");
      await page.getByRole("radio", { name: "English" }).check();
      await page.getByRole("heading", { level: 1, name: "Personal settings" }).waitFor();
      await expectLanguage(page, "en");
      await page.reload();
      await page.getByRole("heading", { level: 1, name: "Personal settings" }).waitFor();
      await page.getByRole("radio", { name: "English", checked: true }).waitFor();

      const other = await page.context().newPage();
      await other.goto(`${site.url}/console/a/${me.account}/settings`);
      await other.getByRole("heading", { level: 1, name: "Settings" }).waitFor();
      await expectLanguage(other, "en");
      await other.close();

      await open("language", "Language: Deutsch");
      await page.getByRole("heading", { level: 1, name: "Persönliche Einstellungen" }).waitFor();
      await expectLanguage(page, "de");
    }),
  TIMEOUT_MS,
);

test(
  "the language can be chosen before signing in",
  async () => {
    const watched = await openWatchedPage(browser, { locale: "en-US" });
    const { page } = watched;
    await page.goto(`${site.url}/console/sign-in`);
    await page.getByRole("heading", { level: 1, name: "Sign in" }).waitFor();
    const chooser = page.getByRole("navigation", { name: "Language" });
    expect(await chooser.locator("[aria-current]").allInnerTexts()).toEqual(["English"]);
    await chooser.getByRole("button", { name: "Deutsch" }).click();
    await page.getByRole("heading", { level: 1, name: "Anmelden" }).waitFor();
    await expectLanguage(page, "de");
    expect(await page.getByRole("navigation", { name: "Sprache" }).locator("[aria-current]").allInnerTexts()).toEqual([
      "Deutsch",
    ]);
    await watched.close();
    expect(watched.scriptErrors).toEqual([]);
  },
  TIMEOUT_MS,
);
