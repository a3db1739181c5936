import { expect, test } from "bun:test";
import { getLink, listLinks, pauseLink, updateLink } from "#contract/links.ts";
import { WIDTHS } from "#test/support/console-layout.ts";
import { expectAccessible } from "#test/support/console-page.ts";
import { choose, holdUndo, openLinkStage } from "#test/support/link-stage.ts";

const TIMEOUT_MS = 600_000;

const { onStage } = await openLinkStage();

test(
  "a link's history shows who changed what, and brings a version back",
  () =>
    onStage([{ slug: "sale", title: "Spring", tags: ["a", "b"], notes: "one\ntwo" }], async ({ page, me }) => {
      const [link] = (await me.do(listLinks)).data;
      const params = { id: link?.id ?? "" };
      await me.do(updateLink, {
        params,
        body: { title: "Summer", tags: ["b", "c"], destination_url: "https://other.example/" },
      });
      await me.do(pauseLink, { params });
      await page.reload();
      await holdUndo(page);

      await choose(page, "sale", "History");
      const dialog = page.getByRole("dialog", { name: "History of /sale" });
      const versions = dialog.getByRole("list", { name: "Versions, newest first" }).getByRole("listitem");
      await dialog.getByText("created the link").waitFor();
      expect(await versions.count()).toBe(3);
      await dialog.getByText("changed the destination, the title, and the tags").waitFor();
      const changed = versions.nth(1);
      expect(await changed.locator("del").allInnerTexts()).toEqual([
        expect.stringContaining("example.com"),
        expect.stringContaining("Spring"),
        expect.stringMatching(/a$/),
      ]);
      expect(await changed.locator("ins").count()).toBe(3);
      await expectAccessible(page);

      // Nothing but the state differs from the version before.
      expect(await dialog.getByRole("button", { name: "Revert to this version" }).count()).toBe(1);
      await versions.nth(2).getByRole("button", { name: "Revert to this version" }).click();
      await page.getByText("Reverted to version 1.").waitFor();
      await dialog.getByText("reverted to version 1", { exact: false }).first().waitFor();
      const reverted = await me.do(getLink, { params });
      expect([reverted.title, reverted.tags, reverted.state]).toEqual(["Spring", ["a", "b"], "paused"]);

      // The button is gone, so the focus goes on to what came of it.
      await dialog.locator("p:focus").getByText("reverted to version 1").waitFor();
      await expectAccessible(page);

      // What a notice offers works while the dialog is open, by its key and by a press.
      await page.keyboard.press("z");
      await page.getByText("Reverted to version 3.").waitFor();
      expect((await me.do(getLink, { params })).title).toBe("Summer");
      await dialog.locator("p:focus").getByText("reverted to version 3").waitFor();
      await page.getByRole("button", { name: "Undo" }).click();
      await page.getByText("Reverted to version 4.").waitFor();
      expect((await me.do(getLink, { params })).title).toBe("Spring");
      await dialog.locator("p:focus").getByText("reverted to version 4").waitFor();

      // A notice doesn't keep the dialog open, and stays when it closes.
      await page.keyboard.press("Escape");
      await dialog.waitFor({ state: "detached" });
      await page.getByRole("button", { name: "Undo" }).click();
      await page.getByText("Reverted to version 5.").waitFor();
      expect((await me.do(getLink, { params })).title).toBe("Summer");

      await choose(page, "sale", "History");
      await dialog.getByText("created the link").waitFor();
      await dialog.getByText("Reverting keeps the link’s password and status.").waitFor();
      // Notes keep their lines.
      expect(await dialog.locator("ins").getByText("one").last().innerText()).toContain("one\ntwo");
      await page.setViewportSize({ width: 375, height: 500 });
      await dialog.getByText("created the link").scrollIntoViewIfNeeded();
      expect(await dialog.evaluate((element) => element.scrollTop)).toBeGreaterThan(0);
      // The head stays in place: what is at the middle of the button is the button.
      await dialog.getByRole("button", { name: "Close" }).click({ trial: true });
      const head = await dialog.getByRole("heading", { level: 2 }).boundingBox();
      expect(head?.y).toBeLessThan(100);
      expect(head?.y).toBeGreaterThan(0);
      for (const width of WIDTHS) {
        await page.setViewportSize({ width, height: 800 });
        const wide = await dialog.evaluate((element) => element.scrollWidth - element.clientWidth);
        expect([width, wide]).toEqual([width, 0]);
      }
    }),
  TIMEOUT_MS,
);
