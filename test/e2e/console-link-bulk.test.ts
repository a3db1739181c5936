import { expect, test } from "bun:test";
import { listLinks } from "#contract/links.ts";
import { holdUndo, openLinkStage, shows } from "#test/support/link-stage.ts";

const TIMEOUT_MS = 600_000;

const { onStage } = await openLinkStage();

const slugs = ["bulk-1", "bulk-2", "bulk-3", "bulk-4", "bulk-5"];
const links = slugs.toReversed().map((slug) => ({ slug }));

test(
  "a range is selected with shift, and links that fail stay selected with the reason",
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
  "several links are deleted together and restored together",
  () =>
    onStage(
      links.map((link) => ({ ...link, slug: `${link.slug}-all` })),
      async ({ page }) => {
        await holdUndo(page);
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
