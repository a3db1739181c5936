import { expect, test } from "bun:test";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createLink, listLinks } from "#contract/links.ts";
import { expectAccessible } from "#test/support/console-page.ts";
import { openConsoleStage } from "#test/support/console-stage.ts";
import { until } from "#test/support/until.ts";

const TIMEOUT_MS = 600_000;

const { site, onStage } = await openConsoleStage();

const LINKS = `Keyword,Long URL,Headline,Whatever
sale,https://example.com/sale,Spring sale,x
taken,https://example.com/theirs,Another,y
bad,not an address,Broken,z
`;
const CLICKS = `slug,date,clicks,country
sale,2025-03-01,7,DE
sale,2025-03-02,5,FR
`;

test(
  "a CSV file is previewed, mapped, checked, imported and undone",
  async () => {
    const directory = mkdtempSync(join(tmpdir(), "kurz-import-"));
    const [links, clicks] = [join(directory, "links.csv"), join(directory, "clicks.csv")];
    writeFileSync(links, LINKS);
    writeFileSync(clicks, CLICKS);
    const [unclear, dateless] = [join(directory, "unclear.csv"), join(directory, "dateless.csv")];
    writeFileSync(unclear, "Keyword,Goal\nsale,https://example.com/sale\n");
    writeFileSync(dateless, "slug,clicks\nsale,7\n");
    const me = await site.newOwner();
    await me.do(createLink, { body: { destination_url: "https://example.com/mine", slug: "taken" } });
    const slugs = async () => (await me.do(listLinks)).data.map(({ slug }) => slug).toSorted();
    await onStage(
      "settings/import",
      async ({ page }) => {
        await page.getByRole("button", { name: /^CSV/ }).waitFor();
        await expectAccessible(page);
        await page.getByRole("button", { name: /^CSV/ }).press("Enter");
        await page.getByRole("heading", { name: "Import from CSV" }).waitFor();
        const check = page.getByRole("button", { name: "Read and check" });

        // Without a destination nothing can be read. What else was recognized is shown all the same.
        await page.locator('input[type="file"]').setInputFiles(unclear);
        await page.getByText("Choose “Destination” above the one that has it.").waitFor();
        expect(await page.getByLabel("Field of the column Keyword").inputValue()).toBe("slug");
        expect(await check.isDisabled()).toBe(true);
        const words = await page.getByLabel("Field of the column Goal").locator("option").allInnerTexts();
        expect(words.filter((word) => /_|^[a-z]/.test(word))).toEqual([]);
        await page.getByLabel("Field of the column Goal").selectOption("Destination");
        await until("it can be read", () => check.isEnabled());
        // Nor can clicks without a date.
        await page.locator('input[type="file"]').nth(1).setInputFiles(dateless);
        await page.getByText('The file with clicks needs a column "date".').waitFor();
        expect(await check.isDisabled()).toBe(true);
        await expectAccessible(page);
        await page.locator('input[type="file"]').first().setInputFiles(links);

        // Columns with unusual names are mapped by hand.
        const title = page.getByLabel("Field of the column Headline");
        await title.waitFor();
        expect(await page.getByLabel("Field of the column Keyword").inputValue()).toBe("slug");
        expect(await page.getByLabel("Field of the column Long URL").inputValue()).toBe("destination_url");
        expect(await title.inputValue()).toBe("");
        await title.selectOption("Title");
        await until("it is mapped", async () => (await title.inputValue()) === "title");
        await page.locator('input[type="file"]').nth(1).setInputFiles(clicks);
        await page.getByText("clicks.csv").waitFor();
        await expectAccessible(page);
        await page.getByRole("textbox", { name: "Tag" }).fill("moved");
        await page.getByRole("button", { name: "Read and check" }).click();

        await page.getByRole("heading", { name: "What will happen" }).waitFor();
        await page.getByText("Links to create").waitFor();
        expect(await slugs()).toEqual(["taken"]);
        await expectAccessible(page);
        const download = page.waitForEvent("download");
        await page.getByRole("link", { name: "Download problems" }).click();
        const problems = await Bun.file(await (await download).path()).text();
        expect(problems).toContain("taken");
        expect(problems).toContain("bad");

        await page.getByRole("button", { name: "Import 1 link" }).click();
        await page.getByRole("heading", { name: "Import done" }).waitFor();
        expect(await slugs()).toEqual(["sale", "taken"]);
        const [sale] = (await me.do(listLinks, { query: { slug: "sale" } })).data;
        expect(sale).toMatchObject({ title: "Spring sale", tags: ["moved"], created_via: "import" });
        await until("its clicks are counted", async () => {
          const [counted] = (await me.do(listLinks, { query: { slug: "sale" } })).data;
          return counted?.click_count === 12;
        });
        await expectAccessible(page);

        // Its report says what imported counts don't: visitors, and hours.
        const wizard = page.url();
        await page.goto(`${me.url}/console/a/${me.account}/links/${sale?.id}?interval=all`);
        await page.getByText("Not included, because only the day is known: 12 clicks").waitFor();
        await page.getByTitle("Unknown: visitors can’t be told apart where clicks are old or imported").waitFor();
        await expectAccessible(page);
        await page.goto(wizard);

        await page.getByRole("button", { name: "All imports" }).press("Enter");
        await page.getByRole("list", { name: "Imports" }).getByText("links.csv").click();
        await page.getByRole("button", { name: "Undo import" }).press("Enter");
        await page
          .getByRole("dialog")
          .getByText(/^1 link that it created/)
          .waitFor();
        await page.getByRole("dialog").getByRole("button", { name: "Undo import" }).click();
        await page.getByRole("heading", { name: "Import undone" }).waitFor();
        await page.getByText("Links erased").waitFor();
        expect(await slugs()).toEqual(["taken"]);

        // What can't be read as it is has to be started again.
        await page.getByRole("button", { name: "All imports" }).click();
        await page.getByRole("button", { name: /^Kurz/ }).click();
        await page.getByLabel("From a file").check();
        await page.locator('input[type="file"]').setInputFiles(links);
        await until("it can be read", () => check.isEnabled());
        await check.click();
        await page.getByRole("heading", { name: "Import failed" }).waitFor();
        expect(await page.getByRole("button", { name: "Go on" }).count()).toBe(0);
        await page.getByRole("link", { name: "Start again" }).click();
        await page.getByRole("heading", { name: "Import from Kurz" }).waitFor();
      },
      me,
    ).finally(() => rmSync(directory, { recursive: true }));
  },
  TIMEOUT_MS,
);
