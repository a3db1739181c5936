import { expect, test } from "bun:test";
import { createLink } from "#contract/links.ts";
import { listLinkShares, shareLink } from "#contract/shares.ts";
import { expectAccessible, untilLoaded } from "#test/support/console-page.ts";
import { openConsoleStage } from "#test/support/console-stage.ts";
import { expiringSoon, TooLate } from "#test/support/expiring.ts";
import { until } from "#test/support/until.ts";

const TIMEOUT_MS = 600_000;

const { site, onStage } = await openConsoleStage({ KURZ_RATE_LIMIT_PER_MINUTE: "0" });
const me = await site.newOwner();
const newLink = () => me.do(createLink, { body: { destination_url: "https://example.com/", title: "Spring sale" } });

test(
  "a report is shared, copied and revoked by keyboard alone",
  async () => {
    const { id } = await newLink();
    await onStage(
      `links/${id}`,
      async ({ page }) => {
        const shares = async () => (await me.do(listLinkShares, { params: { id } })).data;
        await page.getByRole("button", { name: "Share report" }).focus();
        await page.keyboard.press("Enter");
        await page.getByRole("dialog").getByLabel("Password").waitFor();
        await until("the first field has the focus", () =>
          page.evaluate<boolean>(`document.activeElement?.getAttribute("type") === "password"`),
        );
        await page.keyboard.press("Enter");
        const address = page.getByRole("textbox", { name: "Address" });
        await address.waitFor();
        const [share] = await shares();
        expect(await address.inputValue()).toBe(share?.url ?? "");
        await page.keyboard.press("Tab");
        await page.keyboard.press("Enter");
        await page.getByRole("button", { name: "Copy address: copied" }).waitFor();
        expect(await page.evaluate<string>("navigator.clipboard.readText()")).toBe(share?.url ?? "");
        await page.getByRole("button", { name: /^Revoke / }).focus();
        await page.keyboard.press("Enter");
        const question = page.getByRole("dialog", { name: "Revoke this shared report?" });
        await question.getByRole("button", { name: "Revoke" }).focus();
        await page.keyboard.press("Enter");
        await question.waitFor({ state: "detached" });
        await page.getByRole("button", { name: "Create address" }).waitFor();
        expect(await shares()).toEqual([]);
        expect((await fetch(share?.url ?? "")).status).toBe(404);
      },
      me,
    );
  },
  TIMEOUT_MS,
);

test(
  "an address that has expired is removed without a question",
  async () => {
    const { id } = await newLink();
    const shares = async () => (await me.do(listLinkShares, { params: { id } })).data;
    await expiringSoon(async (expires_at) => {
      const { status, text } = await me.call(shareLink, { params: { id }, body: { expires_at } });
      if (status === 422) throw new TooLate(text);
    });
    await until("it has expired", async () => (await shares())[0]?.expired === true);
    await onStage(
      `links/${id}`,
      async ({ page }) => {
        await page.getByRole("button", { name: "Share report" }).click();
        await page.getByRole("button", { name: /^Remove / }).click();
        await page.getByText("Removed.").waitFor();
        expect(await shares()).toEqual([]);
      },
      me,
    );
  },
  TIMEOUT_MS,
);

test(
  "terms are set, and the badge is copied as Markdown and HTML",
  async () => {
    const { id } = await newLink();
    await onStage(
      `links/${id}`,
      async ({ page }) => {
        await page.getByRole("button", { name: "Share report" }).click();
        await page.getByLabel("Minimum visitors").fill("5");
        await page.getByText(/fewer than 5 visitors are left out/).waitFor();
        const zone = page.getByRole("dialog").getByLabel("Time zone");
        await zone.fill("Asia/Tokio");
        await page.getByText("Unknown time zone.").waitFor();
        await zone.fill("Asia/Tokyo");
        await page.getByRole("button", { name: "Create address" }).click();
        await page.getByText("5+ visitors").waitFor();
        const [share] = (await me.do(listLinkShares, { params: { id } })).data;
        expect(share).toMatchObject({ min_visitors: 5, password_protected: false, timezone: "Asia/Tokyo" });
        await page.getByText("Badge", { exact: true }).click();
        for (const [name, text] of [
          ["Copy Markdown", `[![Clicks](${share?.badge_url})](${share?.url})`],
          ["Copy HTML", `<a href="${share?.url}"><img src="${share?.badge_url}" alt="Clicks" height="20"></a>`],
        ] as const) {
          await page.getByRole("button", { name }).click();
          await page.getByRole("button", { name: `${name}: copied` }).waitFor();
          expect(await page.evaluate<string>("navigator.clipboard.readText()")).toBe(text);
        }
        await page.getByRole("button", { name: "New address" }).click();
        await page.getByRole("dialog").getByLabel("Password").fill("tulip");
        await page.getByRole("button", { name: "Create address" }).click();
        await until("there are two", async () => (await page.getByRole("textbox", { name: "Address" }).count()) === 2);
        await page.getByText("No badge: it would show the clicks without the password.").waitFor();
        await untilLoaded(page);
        await expectAccessible(page, page.getByRole("dialog"));
      },
      me,
    );
  },
  TIMEOUT_MS,
);

test(
  "a viewer can't share",
  async () => {
    const { id } = await newLink();
    const viewer = await site.newMember("viewer", me);
    await onStage(
      `links/${id}`,
      async ({ page }) => {
        await page.getByRole("heading", { level: 1, name: "Spring sale" }).waitFor();
        await page.getByRole("button", { name: "Copy the short address" }).waitFor();
        expect(await page.getByRole("button", { name: "Share report" }).count()).toBe(0);
      },
      viewer,
    );
  },
  TIMEOUT_MS,
);
