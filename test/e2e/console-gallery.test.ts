import { afterAll, beforeAll, expect, test } from "bun:test";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Browser } from "playwright-core";
import { launchBrowser, openWatchedPage } from "#test/support/browser.ts";
import { expectAccessible } from "#test/support/console-page.ts";
import { buildGallery } from "../../console/gallery/build-gallery.ts";

const TIMEOUT_MS = 600_000;

const directory = mkdtempSync(join(tmpdir(), "kurz-gallery-"));
let browser: Browser;
let server: Bun.Server<undefined>;
beforeAll(async () => {
  await buildGallery(directory);
  server = Bun.serve({
    port: 0,
    fetch: ({ url }) => new Response(Bun.file(join(directory, new URL(url).pathname.slice(1) || "index.html"))),
  });
  browser = await launchBrowser();
}, TIMEOUT_MS);
afterAll(async () => {
  await browser.close();
  await server.stop(true);
  rmSync(directory, { recursive: true });
});

test(
  "every component in every state is accessible, in both themes and at every width",
  async () => {
    const { page, close, scriptErrors } = await openWatchedPage(browser);
    await page.goto(String(server.url));
    await page.getByRole("heading", { name: "Overlays" }).waitFor();
    await expectAccessible(page);
    for (const [opener, opened] of [
      ["Dialog", page.getByRole("dialog", { name: "A dialog" })],
      ["Confirmation", page.getByRole("dialog", { name: "Delete the account?" })],
      ["Menu", page.getByRole("menu")],
    ] as const) {
      await page.getByRole("button", { name: opener, exact: true }).click();
      await opened.waitFor();
      await expectAccessible(page);
      await page.keyboard.press("Escape");
      await opened.waitFor({ state: "hidden" });
    }
    await close();
    expect(scriptErrors).toEqual([]);
  },
  TIMEOUT_MS,
);
