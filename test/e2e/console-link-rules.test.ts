import { expect, test } from "bun:test";
import { listLinks } from "#contract/links.ts";
import { expectAccessible } from "#test/support/console-page.ts";
import { dialogOf, openLinkStage, rowOf } from "#test/support/link-stage.ts";
import { until } from "#test/support/until.ts";

const TIMEOUT_MS = 600_000;

const { onStage } = await openLinkStage();

const twoRules = [
  { name: "phones", when: { device: ["mobile"] }, destination_url: "https://example.com/phone" },
  { name: "swiss", when: { country: ["CH"] }, destination_url: "https://example.com/swiss" },
];

test(
  "a rule is added by keyboard alone, saved, and reads the same after a reload",
  () =>
    onStage([{ slug: "ruled" }], async ({ page, me }) => {
      await page.getByRole("link", { name: /^Edit ruled:/ }).click();
      const dialog = dialogOf(page);
      const press = (key: string) => page.keyboard.press(key);
      const focused = (name: string, role: "button" | "combobox" | "textbox" | "menuitem") =>
        until(`${name} has the focus`, () =>
          page
            .getByRole(role, { name, exact: true })
            .evaluateAll((found) => found.some((one) => one.matches(":focus"))),
        );
      await dialog.locator("summary", { hasText: "Rules" }).focus();
      await press("Enter");
      await press("Tab");
      await focused("Add rule", "button");
      await press("Enter");
      await focused("Add condition", "button");
      await press("Enter");
      await focused("Country", "menuitem");
      await press("Enter");
      await focused("Country", "combobox");
      await page.keyboard.type("germ");
      await press("Enter");
      await page.keyboard.type("AT");
      await press("Enter");
      await press("Tab");
      await press("Tab");
      await focused("Add condition", "button");
      await press("Enter");
      await focused("Country", "menuitem");
      await press("d");
      await press("Enter");
      await dialog.getByRole("checkbox", { name: "Mobile" }).focus();
      await press("Space");
      await dialog.getByRole("textbox", { name: "Rule destination" }).focus();
      await page.keyboard.type("example.de/app");
      await press("Enter");
      await dialog.waitFor({ state: "detached" });
      expect((await me.do(listLinks)).data[0]?.rules).toEqual([
        {
          name: "rule-1",
          when: { country: ["DE", "AT"], device: ["mobile"] },
          destination_url: "https://example.de/app",
        },
      ]);
      await page.reload();
      await page.getByRole("link", { name: /^Edit ruled:/ }).click();
      const sentence = "If the country is Germany or Austria and the device is mobile, go to example.de/app";
      await dialog.getByRole("button", { name: `Rule 1: ${sentence}` }).waitFor();
    }),
  TIMEOUT_MS,
);

test(
  "a country is found by any of its names, and one that was typed and not selected isn't dropped",
  () =>
    onStage([{ slug: "abroad", rules: [twoRules[1] ?? {}] }], async ({ page, me }) => {
      await page.getByRole("link", { name: /^Edit abroad:/ }).click();
      const dialog = dialogOf(page);
      await dialog.getByRole("button", { name: /^Rule 1:/ }).click();
      const row = dialog.getByRole("group", { name: "Country", exact: true });
      const input = row.getByRole("combobox", { name: "Country", exact: true });
      await input.fill("UK");
      await row.getByRole("option", { name: "United Kingdom", selected: true }).waitFor();
      await page.keyboard.press("Enter");
      await row.getByRole("button", { name: "Remove United Kingdom" }).waitFor();
      await input.fill("atlantis");
      await row.getByText("No matching countries.").waitFor();
      await input.fill("switzerland");
      await row.getByText("Switzerland is already selected.").waitFor();
      // What can only mean one country is that country.
      await input.fill("Holland");
      await page.keyboard.press("Tab");
      await row.getByRole("button", { name: "Remove Netherlands" }).waitFor();
      expect(await input.inputValue()).toBe("");
      await input.fill("Guin");
      await page.keyboard.press("Tab");
      await row.getByText("Several countries match “Guin”. Select one.").waitFor();
      expect(await input.inputValue()).toBe("Guin");
      await dialog.getByRole("button", { name: "Save" }).click();
      await until("the field has the focus", () => input.evaluate((field) => field.matches(":focus")));
      await input.fill("Guinea");
      await page.keyboard.press("Tab");
      await dialog.getByRole("button", { name: "Save" }).click();
      await dialog.waitFor({ state: "detached" });
      expect((await me.do(listLinks)).data[0]?.rules[0]?.when).toEqual({ country: ["CH", "GB", "NL", "GN"] });
    }),
  TIMEOUT_MS,
);

test(
  "text that was typed into a rule and not selected isn't discarded without asking",
  () =>
    onStage([{ slug: "unsaved", rules: [twoRules[1] ?? {}] }], async ({ page }) => {
      await page.getByRole("link", { name: /^Edit unsaved:/ }).click();
      const dialog = dialogOf(page);
      await dialog.getByRole("button", { name: /^Rule 1:/ }).click();
      const row = dialog.getByRole("group", { name: "Country", exact: true });
      await row.getByRole("combobox", { name: "Country", exact: true }).fill("Guin");
      await dialog.getByRole("button", { name: "Cancel" }).click();
      await dialog.getByText("Discard what you entered?").waitFor();
      await dialog.getByRole("button", { name: "Keep editing" }).click();
      await row.getByText("Several countries match “Guin”. Select one.").waitFor();
    }),
  TIMEOUT_MS,
);

test(
  "rules are reordered by buttons that keep the focus, and a deleted one comes back",
  () =>
    onStage([{ slug: "ordered", rules: twoRules }, { slug: "plain" }], async ({ page, me }) => {
      await rowOf(page, "ordered").getByTitle("2 rules").waitFor();
      expect(await rowOf(page, "plain").getByTitle(/rule/).count()).toBe(0);
      await page.getByRole("link", { name: /^Edit ordered:/ }).click();
      const dialog = dialogOf(page);
      await dialog.getByRole("button", { name: "Move rule 2 up" }).focus();
      await page.keyboard.press("Enter");
      await dialog.getByText("Rule moved to position 1 of 2.").waitFor();
      await until("the button still has the focus", () =>
        dialog.getByRole("button", { name: "Move rule 1 up" }).evaluate((button) => button.matches(":focus")),
      );
      await dialog.getByRole("button", { name: "Delete rule 1" }).click();
      await dialog.getByRole("button", { name: /^Rule 1: If the device is mobile/ }).waitFor();
      await dialog.getByRole("button", { name: "Undo" }).click();
      await dialog.getByRole("button", { name: /^Rule 2: If the device is mobile/ }).waitFor();
      await dialog.getByRole("button", { name: "Save" }).click();
      await dialog.waitFor({ state: "detached" });
      const link = (await me.do(listLinks)).data.find(({ slug }) => slug === "ordered");
      expect(link?.rules.map(({ name }) => name)).toEqual(["swiss", "phones"]);
    }),
  TIMEOUT_MS,
);

test(
  "a problem is shown at the part of the rule that has it, the server's too",
  () =>
    onStage([{ slug: "wrong", rules: twoRules }], async ({ page }) => {
      await page.getByRole("link", { name: /^Edit wrong:/ }).click();
      const dialog = dialogOf(page);
      await dialog.getByRole("button", { name: /^Rule 2:/ }).click();
      await dialog.getByRole("button", { name: "Remove Switzerland" }).click();
      await dialog.getByRole("button", { name: "Save" }).click();
      const country = dialog.getByRole("group", { name: "Country", exact: true });
      await country.getByText("Choose at least one.").waitFor();
      await country.getByRole("combobox", { name: "Country", exact: true }).fill("switz");
      await page.keyboard.press("Enter");
      // Only the server knows which hosts are private here.
      await dialog.getByRole("textbox", { name: "Rule destination" }).fill("https://intranet.local/");
      await dialog.getByRole("button", { name: "Save" }).click();
      const message = 'The host "intranet.local" is private; visitors can\'t reach it.';
      await dialog.getByRole("list", { name: "Rules" }).getByText(message, { exact: true }).waitFor();
      // The dry run has the same problem, and says which rule it is about.
      const result = dialog.getByRole("region", { name: "Try a visitor" }).getByRole("status", { name: "Result" });
      await result.getByText(`Rule 2: ${message}`, { exact: true }).waitFor();
      await until("the address has the focus", () =>
        dialog.getByRole("textbox", { name: "Rule destination" }).evaluate((input) => input.matches(":focus")),
      );
    }),
  TIMEOUT_MS,
);

test(
  "what is added after a refused save is no problem before the next one",
  () =>
    onStage([{ slug: "early" }], async ({ page }) => {
      await page.getByRole("link", { name: /^Edit early:/ }).click();
      const dialog = dialogOf(page);
      const isWrong = (label: string) =>
        dialog
          .getByLabel(label, { exact: true })
          .last()
          .evaluate((input) => input.getAttribute("aria-invalid"));
      await dialog.getByText("Rules", { exact: true }).click();
      await dialog.getByRole("button", { name: "Add rule" }).click();
      await dialog.getByRole("button", { name: "Save" }).click();
      await until("it is refused", async () => (await isWrong("Rule destination")) === "true");
      await dialog.getByRole("button", { name: "Split between destinations" }).click();
      expect(await isWrong("Destination 2")).toBe("false");
      await dialog.getByRole("button", { name: "Save" }).click();
      await until("it is refused, too", async () => (await isWrong("Destination 2")) === "true");
      await dialog.getByRole("button", { name: "Add rule" }).click();
      expect(await isWrong("Rule destination")).toBe("false");
    }),
  TIMEOUT_MS,
);

test(
  "a problem leaves with its rule, instead of being shown at the one that takes its place",
  () =>
    onStage([{ slug: "leaving" }], async ({ page }) => {
      await page.getByRole("link", { name: /^Edit leaving:/ }).click();
      const dialog = dialogOf(page);
      const destinations = dialog.getByRole("textbox", { name: "Rule destination" });
      const marks = () => destinations.evaluateAll((all) => all.map((one) => one.getAttribute("aria-invalid")));
      await dialog.getByText("Rules", { exact: true }).click();
      await dialog.getByRole("button", { name: "Add rule" }).click();
      await dialog.getByRole("button", { name: "Save" }).click();
      await until("it is refused", async () => (await marks())[0] === "true");
      await dialog.getByRole("button", { name: "Add rule" }).click();
      await until("there are two", async () => (await marks()).length === 2);
      expect(await marks()).toEqual(["true", "false"]);
      await dialog.getByRole("button", { name: "Move rule 2 up" }).click();
      await dialog.getByText("Rule moved to position 1 of 2.").waitFor({ state: "attached" });
      expect(await marks()).toEqual(["false", "true"]);
      await dialog.getByRole("button", { name: "Delete rule 2" }).click();
      await until("there is one", async () => (await marks()).length === 1);
      expect(await marks()).toEqual(["false"]);
    }),
  TIMEOUT_MS,
);

test(
  "a split shows the share of each destination, which can have a name",
  () =>
    onStage([{ slug: "shared-out" }], async ({ page, me }) => {
      await page.getByRole("link", { name: /^Edit shared-out:/ }).click();
      const dialog = dialogOf(page);
      await dialog.getByText("Rules", { exact: true }).click();
      await dialog.getByRole("button", { name: "Add rule" }).click();
      await dialog.getByRole("button", { name: "Split between destinations" }).click();
      await dialog.getByLabel("Destination 1", { exact: true }).fill("https://a.example/");
      await dialog.getByLabel("Destination 2", { exact: true }).fill("https://b.example/");
      await dialog.getByLabel("Weight of destination 1").fill("3");
      const nameOf = (no: number) => dialog.getByLabel(`Name of destination ${no}`);
      expect(await nameOf(2).getAttribute("placeholder")).toBe("way-2");
      await nameOf(1).fill("Long headline");
      expect(await nameOf(1).inputValue()).toBe("long-headline");
      await nameOf(2).fill("long-headline");
      await dialog.getByRole("button", { name: "Save" }).click();
      await dialog.getByText("“long-headline” is used twice.").waitFor();
      await nameOf(2).fill("");
      await dialog.getByRole("button", { name: "Rule 1: Send 75% to a.example and 25% to b.example" }).waitFor();
      await dialog.getByRole("button", { name: "Save" }).click();
      await dialog.waitFor({ state: "detached" });
      const [rule] = (await me.do(listLinks)).data[0]?.rules ?? [];
      expect(rule?.split?.map(({ name, weight }) => [name, weight])).toEqual([
        ["long-headline", 3],
        ["way-1", 1],
      ]);
    }),
  TIMEOUT_MS,
);

test(
  "the rule editor has no accessibility violations in either theme, and fits every width",
  () =>
    onStage([{ slug: "seen", rules: twoRules }], async ({ page }) => {
      await page.getByRole("link", { name: /^Edit seen:/ }).click();
      const dialog = dialogOf(page);
      await dialog.getByRole("button", { name: /^Rule 1:/ }).click();
      for (const name of ["Language", "Referrer", "Query parameter", "Time"]) {
        await dialog.getByRole("button", { name: "Add condition" }).click();
        await page.getByRole("menuitem", { name, exact: true }).click({ scroll: "none" });
      }
      await dialog.getByRole("button", { name: "Save" }).click();
      await dialog.getByText("Choose at least one.").first().waitFor();
      await expectAccessible(page, dialog);
    }),
  TIMEOUT_MS,
);

test(
  "a dry run shows where a visitor goes with unsaved rules, and why not elsewhere",
  () =>
    onStage(
      [{ slug: "tried", destination_url: "https://example.com/all", rules: twoRules }],
      async ({ page, read, me }) => {
        await page.getByRole("link", { name: /^Edit tried:/ }).click();
        const dialog = dialogOf(page);
        const panel = dialog.getByRole("region", { name: "Try a visitor" });
        const result = panel.getByRole("status", { name: "Result" });
        await result.getByText("No rule matches: the link’s destination").waitFor();
        await result.getByText("https://example.com/all", { exact: true }).waitFor();
        // What no rule asks for is out of the way.
        expect(await panel.getByLabel("Browser").count()).toBe(0);
        await panel.getByRole("button", { name: "More about the visitor" }).click();
        await panel.getByLabel("Browser").selectOption("Firefox");
        await panel.getByRole("button", { name: "Less about the visitor" }).click();
        expect(await panel.getByLabel("Browser").inputValue()).toBe("Firefox");
        expect(await panel.getByLabel("Language").count()).toBe(0);
        const country = panel.getByRole("combobox", { name: "Country", exact: true });
        await country.fill("Guin");
        await page.keyboard.press("Tab");
        await panel.getByText("Several countries match “Guin”. Select one.").waitFor();
        await country.fill("UK");
        await panel.getByRole("option", { name: "United Kingdom", selected: true }).waitFor();
        await page.keyboard.press("Enter");
        await panel.getByRole("button", { name: "Remove United Kingdom" }).waitFor();
        // A visitor is in one country.
        expect(await panel.getByRole("listbox", { name: "Choices for Country" }).count()).toBe(0);
        await country.fill("switz");
        await page.keyboard.press("Enter");
        await panel.getByRole("button", { name: "Remove Switzerland" }).waitFor();
        expect(await panel.getByRole("button", { name: /^Remove/ }).count()).toBe(1);
        expect(await panel.getByText("Several countries").count()).toBe(0);
        await result.getByText("Rule 2 “swiss” decides").waitFor();
        await result.getByText("https://example.com/swiss", { exact: true }).waitFor();
        await result.getByText("Rule 1 “phones” doesn’t match, since the device isn’t mobile.").waitFor();
        await panel.getByLabel("Device").selectOption("Mobile");
        await result.getByText("Rule 1 “phones” decides").waitFor();
        await result.getByText("Rule 2 “swiss” also matches, but rule 1 comes first.").waitFor();
        // Not saved: the panel follows what the form shows.
        await dialog.getByRole("button", { name: "Move rule 2 up" }).click();
        await result.getByText("https://example.com/swiss", { exact: true }).waitFor();
        await dialog.getByRole("button", { name: "Add rule" }).click();
        await result.getByText("Complete the rules to see where this visitor goes.").waitFor();
        const [link] = (await me.do(listLinks)).data;
        expect(await read(link?.id ?? "")).toMatchObject({ version: 1, click_count: 0 });
      },
    ),
  TIMEOUT_MS,
);

test(
  "a dry run says what it can't read at its field, and which time zone its time is in",
  () => {
    const when = { referrer: ["example.org"], query: { ref: true as const }, time: { after: "2020-01-01T00:00:00Z" } };
    const rules = [{ name: "all", when, destination_url: "https://example.com/all" }];
    return onStage([{ slug: "unclear", rules }], async ({ page }) => {
      await page.setViewportSize({ width: 1280, height: 900 });
      await page.getByRole("link", { name: /^Edit unclear:/ }).click();
      const dialog = dialogOf(page);
      const panel = dialog.getByRole("region", { name: "Try a visitor" });
      const result = panel.getByRole("status", { name: "Result" });
      const zone = await page.evaluate<string>("Intl.DateTimeFormat().resolvedOptions().timeZone");
      await panel.getByText(`Now, if left empty. Your time zone: ${zone}.`).waitFor();
      await panel.getByLabel("Query").fill("?ref=1");
      await panel.getByLabel("Referrer").fill("not a url");
      await panel.getByText("Must be a URL or host name, such as example.com.").waitFor();
      await result.getByText("Fix the visitor’s details to see where they’d go.").waitFor();
      await panel.getByLabel("Referrer").fill("https://www.example.org/page");
      await result.getByText("Rule 1 “all” decides").waitFor();
      expect(await panel.getByText("Must be a URL").count()).toBe(0);

      // What is selected has to fit into the list that is closed.
      await dialog.getByRole("button", { name: /^Rule 1/ }).click();
      await dialog.getByLabel("Parameter value", { exact: true }).waitFor();
      const spare = await page.evaluate<number>(`(() => {
        const select = document.querySelector("select[aria-label='Parameter value']");
        const { paddingLeft, paddingRight, font } = getComputedStyle(select);
        const canvas = new OffscreenCanvas(1, 1).getContext("2d");
        canvas.font = font;
        const { width } = canvas.measureText("with the value");
        return select.clientWidth - parseFloat(paddingLeft) - parseFloat(paddingRight) - width;
      })()`);
      expect(spare).toBeGreaterThan(0);
    });
  },
  TIMEOUT_MS,
);

test(
  "a dry run follows the path of a link that passes it on, saved or new",
  () =>
    onStage(
      [
        { slug: "deep", forward_path: true, rules: twoRules },
        { slug: "flat", rules: twoRules },
      ],
      async (stage) => {
        const { page } = stage;
        const dialog = dialogOf(page);
        const panel = dialog.getByRole("region", { name: "Try a visitor" });
        const result = panel.getByRole("status", { name: "Result" });
        const path = panel.getByLabel("Path after the slug");
        await page.getByRole("link", { name: /^Edit flat:/ }).click();
        await result.getByText("https://example.com/", { exact: true }).waitFor();
        expect(await path.count()).toBe(0);
        await page.keyboard.press("Escape");
        await dialog.waitFor({ state: "detached" });
        await page.getByRole("link", { name: /^Edit deep:/ }).click();
        await path.fill("a/b");
        await result.getByText("https://example.com/a/b", { exact: true }).waitFor();
        await page.keyboard.press("Escape");
        await dialog.waitFor({ state: "detached" });

        await page.getByRole("button", { name: "Create link" }).click();
        await dialog.getByLabel("Destination", { exact: true }).fill("https://example.com/new");
        await dialog.getByText("Rules", { exact: true }).click();
        await dialog.getByRole("button", { name: "Add rule" }).click();
        await dialog.getByRole("textbox", { name: "Rule destination" }).fill("https://example.com/ruled");
        await dialog.getByText("More options", { exact: true }).click();
        await dialog.getByLabel("Pass on the path").check();
        await path.fill("/c");
        await result.getByText("https://example.com/ruled/c", { exact: true }).waitFor();
      },
    ),
  TIMEOUT_MS,
);

test(
  "a dry run works before the link is created, with its UTM parameters and the server's checks",
  () =>
    onStage([], async ({ page, me }) => {
      await page.getByRole("button", { name: "Create your first link" }).click();
      const dialog = dialogOf(page);
      await dialog.getByText("Rules", { exact: true }).click();
      await dialog.getByRole("button", { name: "Add rule" }).click();
      const panel = dialog.getByRole("region", { name: "Try a visitor" });
      const result = panel.getByRole("status", { name: "Result" });
      await result.getByText("Enter the link’s destination to see where this visitor goes.").waitFor();
      await dialog.getByLabel("Destination", { exact: true }).fill("example.com/all");
      await dialog.getByText("UTM parameters", { exact: true }).click();
      await dialog.getByLabel("Source", { exact: true }).fill("mail");
      await result.getByText("Complete the rules to see where this visitor goes.").waitFor();
      await dialog.getByRole("button", { name: "Add condition" }).click();
      await page.getByRole("menuitem", { name: "Device", exact: true }).click({ scroll: "none" });
      await dialog.getByRole("checkbox", { name: "Mobile" }).focus();
      await page.keyboard.press("Space");
      await dialog.getByRole("textbox", { name: "Rule destination" }).fill("https://example.com/phone");
      await result.getByText("https://example.com/all?utm_source=mail", { exact: true }).waitFor();
      await result.getByText("Rule 1 doesn’t match, since the device isn’t mobile.").waitFor();
      await panel.getByLabel("Device").selectOption("Mobile");
      await result.getByText("https://example.com/phone?utm_source=mail", { exact: true }).waitFor();
      await dialog.getByRole("textbox", { name: "Rule destination" }).fill("https://intranet.local/");
      await result.getByText('Rule 1: The host "intranet.local" is private; visitors can\'t reach it.').waitFor();
      expect((await me.do(listLinks)).data).toEqual([]);
    }),
  TIMEOUT_MS,
);
