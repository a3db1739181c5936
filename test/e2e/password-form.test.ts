import { expect, test } from "bun:test";
import { openWatchedPage } from "#test/support/browser.ts";
import { launchBrowserBeside } from "#test/support/browser-beside.ts";
import { startKurzWithApi } from "#test/support/link-api.ts";
import { until } from "#test/support/until.ts";

const TIMEOUT_MS = 600_000;
// A browser without a window calls itself a bot.
const PERSON = "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36";

const { kurz, api } = await startKurzWithApi({
  env: { KURZ_REDIRECT_PROCESSES: "1", KURZ_ALLOW_PRIVATE_DESTINATIONS: "on", KURZ_RATE_LIMIT_PER_MINUTE: "0" },
});
const referrers: (string | null)[] = [];
const site = Bun.serve({
  hostname: "127.0.0.1",
  port: 0,
  fetch(request) {
    if (new URL(request.url).pathname !== "/secret-page") return new Response(null, { status: 204 });
    referrers.push(request.headers.get("referer"));
    return new Response(`<!doctype html><title>There</title><h1>${request.method}</h1>`, {
      headers: { "content-type": "text/html" },
    });
  },
});
const browser = await launchBrowserBeside({
  async stop() {
    await site.stop(true);
    await kurz.stop();
  },
});
const origin = `http://localhost:${kurz.port}`;

test(
  "a visitor enters the password of a link, wrong and right, by keyboard, and gets to another site",
  async () => {
    // A name that the browser doesn't take for the site of the form.
    const destination = `http://elsewhere.test:${site.port}/secret-page`;
    const { id, slug } = await api.create({ destination_url: destination, password: "tulip & rose" });
    const watched = await openWatchedPage(browser, { locale: "de-DE", userAgent: PERSON });
    const { page } = watched;
    await page.goto(`${origin}/${slug}?from=mail`);
    expect(await page.title()).toBe("Dieser Link hat ein Passwort");
    expect(await page.content()).not.toContain("secret-page");
    const field = page.getByLabel("Passwort");
    await until("the field has the focus", () =>
      field.evaluate((input) => input.ownerDocument.activeElement === input),
    );
    await page.keyboard.type("tulip");
    await Promise.all([page.waitForEvent("load"), page.keyboard.press("Enter")]);
    expect(await page.getByRole("alert").textContent()).toBe("Das ist nicht das richtige Passwort.");
    expect(page.url()).toBe(`${origin}/${slug}?from=mail`);
    expect(await page.content()).not.toContain("secret-page");

    await page.getByLabel("Passwort").fill("tulip & rose");
    await page.getByRole("button", { name: "Weiter" }).click();
    await page.waitForURL(`${destination}?from=mail`);
    expect([await page.locator("h1").textContent(), ...referrers]).toEqual(["GET", null]);
    expect([watched.scriptErrors, watched.policyViolations]).toEqual([[], []]);
    expect(await page.context().cookies(origin)).toEqual([]);
    await watched.close();
    await until("the click is counted", async () => (await api.get(id)).click_count === 1);
  },
  TIMEOUT_MS,
);

test(
  "without scripts and in the dark the form looks and works the same",
  async () => {
    const { slug } = await api.create({ password: "tulip" });
    const { page, close } = await openWatchedPage(browser, {
      javaScriptEnabled: false,
      colorScheme: "dark",
      viewport: { width: 320, height: 480 },
    });
    await page.goto(`${origin}/${slug}`);
    const button = await page.getByRole("button", { name: "Continue" }).boundingBox();
    expect(button && button.x >= 0 && button.x + button.width <= 320).toBe(true);
    const [label, input] = [
      await page.getByText("Password", { exact: true }).boundingBox(),
      await page.locator("input").boundingBox(),
    ];
    expect(label && input && label.y + label.height <= input.y).toBe(true);
    await close();
  },
  TIMEOUT_MS,
);
