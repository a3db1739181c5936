import { expect, test } from "bun:test";
import { createToken } from "#contract/console/account.ts";
import { createLink, pauseLink, updateLink } from "#contract/links.ts";
import { expectAccessible } from "#test/support/console-page.ts";
import { openConsoleStage } from "#test/support/console-stage.ts";
import { until } from "#test/support/until.ts";

const TIMEOUT_MS = 600_000;

const { site, onStage } = await openConsoleStage();

test(
  "“who paused this?” has an answer, of one link and by filters",
  async () => {
    const me = await site.newOwner();
    const colleague = await site.newMember("member", me);
    const newLink = (slug: string) => me.do(createLink, { body: { destination_url: "https://example.com/", slug } });
    const [link, other] = [await newLink("whose"), await newLink("another")];
    await colleague.do(pauseLink, { params: { id: link.id } });
    const { token } = await me.do(createToken, {
      body: { name: "CI", scopes: ["links:write"], expires_in_days: 30 },
    });
    await fetch(`${site.url}/api/v1/links/${other.id}`, {
      method: "PATCH",
      headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
      body: JSON.stringify({ title: "By a program" }),
    });
    await onStage(
      "links",
      async ({ page, go }) => {
        const entries = page.getByRole("list", { name: "Audit log" }).getByRole("listitem");
        const shows = (texts: readonly RegExp[]) =>
          until(`the log shows ${texts}`, async () => {
            const shown = await entries.allInnerTexts();
            return shown.length === texts.length && texts.every((text, index) => text.test(shown[index] ?? ""));
          });
        await go(`settings/audit?link=${link.id}`);
        await shows([/^member paused \/whose/, new RegExp(`^${me.email.split("@")[0]} created the link /whose`)]);
        await expectAccessible(page);
        await page.getByRole("button", { name: "/whose: show all" }).press("Enter");
        await page.getByLabel("Who").selectOption("Token “CI”");
        await shows([/^The token “CI” changed the title of \/another · API/]);
        await page.getByLabel("Who").selectOption("Who: anyone");
        await page.getByLabel("What").selectOption("Links: paused");
        await shows([/^member paused \/whose/]);
        expect(page.url()).toContain("action=link.paused");
        await page.reload();
        await shows([/^member paused \/whose/]);
        await page.getByLabel("What").selectOption("Domains");
        await page.getByText("No matching entries").waitFor();
        await expectAccessible(page);
        await page.getByRole("button", { name: "Clear filters" }).press("Enter");
        await entries.filter({ hasText: "created the account" }).waitFor();
        await entries.getByRole("button", { name: "paused /whose" }).press("Enter");
        await shows([/^member paused \/whose/, new RegExp(`^${me.email.split("@")[0]} created the link /whose`)]);
      },
      me,
    );
  },
  TIMEOUT_MS,
);

test(
  "a long log is read page by page, link changes and others in one order",
  async () => {
    const me = await site.newOwner();
    const { id } = await me.do(createLink, { body: { destination_url: "https://example.com/", slug: "busy" } });
    for (let change = 0; change < 60; change += 1) {
      await me.do(updateLink, { params: { id }, body: { title: `Title ${change}` } });
    }
    await onStage(
      "settings/audit",
      async ({ page }) => {
        const entries = page.getByRole("list", { name: "Audit log" }).getByRole("listitem");
        await until("a page is shown", async () => (await entries.count()) === 50);
        await page.getByRole("button", { name: "Show more" }).press("Enter");
        // 60 changes, the link's and the account's creation.
        await until("all are shown", async () => (await entries.count()) === 62);
        await entries.last().getByText("created the account").waitFor();
      },
      me,
    );
  },
  TIMEOUT_MS,
);
