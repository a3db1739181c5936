import { expect, test } from "bun:test";
import { openWatchedPage } from "#test/support/browser.ts";
import { launchBrowserBeside } from "#test/support/browser-beside.ts";
import { startConsole } from "#test/support/console-client.ts";
import { findAxeViolations } from "#test/support/console-page.ts";

const TIMEOUT_MS = 600_000;

const site = await startConsole();
const browser = await launchBrowserBeside(site);

test(
  "opened at an address other than the base URL, the console says which one it expects and how to set it",
  async () => {
    // The same server under another name, as seen from another machine.
    const opened = `http://elsewhere.test:${site.server.port}`;
    const { page, scriptErrors, close } = await openWatchedPage(browser);
    try {
      await page.goto(`${opened}/console/sign-in`);
      await page.getByRole("heading", { name: "Wrong address" }).waitFor();
      const text = (await page.locator("main").textContent()) ?? "";
      expect(text).toContain(`You opened ${opened}, but this server is set up for ${site.url}.`);
      expect(text).toContain(`KURZ_BASE_URL=${opened}`);
      expect(await page.getByLabel("Password").count()).toBe(0);
      expect(await findAxeViolations(page)).toEqual([]);
      await page.getByRole("link", { name: "Go to the right address" }).click();
      await page.getByLabel("Password").waitFor();
      expect(page.url()).toStartWith(`${site.url}/console/sign-in`);
      expect(scriptErrors).toEqual([]);
    } finally {
      await close();
    }
  },
  TIMEOUT_MS,
);

test("requests from there are refused with the expected address", async () => {
  const answer = await site.guest().request("POST", "/console/api/sign-in", {
    headers: { "sec-fetch-site": "cross-site", origin: "http://elsewhere.test" },
    body: { email: "ada@example.com", password: "correct horse battery" },
  });
  expect(answer.status).toBe(403);
  expect(await answer.json()).toMatchObject({ error: { message: expect.stringContaining(site.url) } });
});
