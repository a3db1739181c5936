import { expect, test } from "bun:test";
import { choose, dialogOf, openLinkStage, shows } from "#test/support/link-stage.ts";

const TIMEOUT_MS = 600_000;
const PHONE = { width: 375, height: 740 };

const { onStage } = await openLinkStage();

test(
  "everything works on a phone, and nothing is wider than its screen",
  () =>
    onStage(
      [{ slug: "pocket", title: "A rather long title for such a small screen, is it not?" }],
      async ({ page }) => {
        await page.setViewportSize(PHONE);
        await shows(page, ["pocket"]);
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
        const card = page.getByRole("region", { name: "Link created" });
        await card.getByRole("button", { name: "Close" }).click();
        await card.waitFor({ state: "detached" });
        await choose(page, "pocket", "Archive");
        await page.getByRole("checkbox", { name: "Select pocket" }).waitFor({ state: "detached" });
        await page.getByRole("checkbox", { name: "Select all links" }).check();
        await page.getByRole("region", { name: "Selected links" }).getByRole("button", { name: "Pause" }).click();
        await page.getByText("Paused", { exact: true }).waitFor();
        await isNarrow();
      },
    ),
  TIMEOUT_MS,
);
