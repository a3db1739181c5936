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
        await page.locator('input[type="file"]').setInputFiles(links);

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

        await page.getByRole("button", { name: "All imports" }).press("Enter");
        await page.getByRole("list", { name: "Imports" }).getByText("links.csv").click();
        await page.getByRole("button", { name: "Undo import" }).press("Enter");
        await page
          .getByRole("dialog")
          .getByText(/^1 link that it created/)
          .waitFor();
        await page.getByRole("dialog").getByRole("button", { name: "Undo import" }).click();
        await page.getByRole("heading", { name: "Import undone" }).waitFor();
        expect(await slugs()).toEqual(["taken"]);
      },
      me,
    ).finally(() => rmSync(directory, { recursive: true }));
  },
  TIMEOUT_MS,
);
