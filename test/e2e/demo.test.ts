import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { join } from "node:path";
import type { Browser, Locator } from "playwright-core";
import { demoAccess } from "#demo/demo-access.ts";
import { launchBrowser, openWatchedPage, type WatchedPage } from "#test/support/browser.ts";
import { changeRecords } from "#test/support/change-records.ts";
import { DEMO_START_MS_MAX, type Demo, startDemo } from "#test/support/demo.ts";
import { eventually } from "#test/support/eventually.ts";
import { ReportPage } from "#test/support/report-page.ts";
import { until } from "#test/support/until.ts";

setDefaultTimeout(600_000);

let demo: Demo;
let browser: Browser;
let watched: WatchedPage;
beforeAll(async () => {
  demo = await startDemo();
  browser = await launchBrowser();
  watched = await openWatchedPage(browser);
}, DEMO_START_MS_MAX);
afterAll(async () => {
  await browser.close();
  await demo.stop();
});

const FIREFOX = "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0";
const json = { "content-type": "application/json" };

async function createLink(body: object): Promise<{ id: string; slug: string }> {
  const answer = await demo.api("/api/v1/links", { method: "POST", body: JSON.stringify(body), headers: json });
  expect(answer.status).toBe(201);
  return (await answer.json()) as { id: string; slug: string };
}

/** Sends a request from within the page, as the page itself would. */
const ask = (method: string, path: string, body: object): Promise<{ status: number; code: string }> =>
  watched.page.evaluate(
    `(async () => {
      const response = await fetch(${JSON.stringify(path)}, {
        method: ${JSON.stringify(method)},
        headers: { "content-type": "application/json", "kurz-account": location.pathname.split("/")[3] ?? "" },
        body: ${JSON.stringify(JSON.stringify(body))},
      });
      const answer = response.status === 204 ? {} : await response.json();
      return { status: response.status, code: answer.error?.code ?? "" };
    })()`,
  );

const pill = () => watched.page.getByRole("button", { name: /^Demo · resets in \d+ (?:min|h)$/ });

/** With one click. */
async function enter(name = "Enter the demo"): Promise<void> {
  const { page } = watched;
  await page.waitForURL(/\/console\/sign-in/);
  await page.getByRole("button", { name }).click();
  await page.waitForURL(/\/console\/a\/acc_/);
  await pill().waitFor();
}

const goTo = (place: string): Promise<void> =>
  watched.page.getByRole("navigation", { name: "Main" }).getByRole("link", { name: place, exact: true }).click();

describe("a visitor of the demo", () => {
  test("enters with one click, and finds the credentials for the API", async () => {
    const { page } = watched;
    await page.goto(`${demo.url}/`);
    await page.getByText("API token and credentials").click();
    for (const text of [demoAccess.email, demoAccess.password, demoAccess.token.value]) {
      await page.getByText(text).waitFor();
    }
    expect(await page.getByRole("textbox").count()).toBe(0);
    await enter();
    await pill().click();
    await page.getByRole("dialog", { name: "About this demo" }).getByText(demoAccess.token.value).waitFor();
    await page.keyboard.press("Escape");
    expect(watched.scriptErrors).toEqual([]);
    expect(watched.policyViolations).toEqual([]);
  });

  test("is shown around in four steps, once", async () => {
    const { page } = watched;
    const tour = page.getByRole("complementary", { name: "Tour of the demo" });
    await page
      .getByRole("checkbox", { name: /^Select / })
      .nth(1)
      .check();
    const bar = page.getByRole("region", { name: "Selected links" });
    await until("the tour is above the bar", async () => {
      const [card, below] = await Promise.all([tour.boundingBox(), bar.boundingBox()]);
      return card !== null && below !== null && card.y + card.height <= below.y;
    });
    await page.getByRole("button", { name: "Clear selection" }).click();
    await goTo("Settings");
    await tour.waitFor({ state: "hidden" });
    await goTo("Links");
    for (const [number, place] of ["links", "links", "reports", "developer/api"].entries()) {
      await tour.getByText(`Step ${number + 1} of 4`).waitFor();
      await page.waitForURL(new RegExp(`/${place}(?:\\?|$)`));
      if (number === 3) expect(await page.getByLabel("The demo’s token").inputValue()).toBe(demoAccess.token.value);
      await tour.getByRole("button", { name: number < 3 ? "Next" : "Done" }).click();
    }
    await tour.waitFor({ state: "hidden" });
    await page.reload();
    await pill().waitFor();
    expect(await tour.count()).toBe(0);
    expect(watched.scriptErrors).toEqual([]);
    expect(watched.policyViolations).toEqual([]);
  });

  test("can take the tour again from anywhere, and gets the focus back after it", async () => {
    const { page } = watched;
    const tour = page.getByRole("complementary", { name: "Tour of the demo" });
    await goTo("Domains");
    await page.getByRole("heading", { level: 1, name: "Domains" }).waitFor();
    await pill().press("Enter");
    await page.getByRole("button", { name: "Take the tour" }).press("Enter");
    await page.waitForURL(/\/links(?:\?|$)/);
    const hasFocus = (part: Locator) => part.evaluate((element) => element.matches(":focus"));
    await until("its heading has the focus", () => hasFocus(tour.getByRole("heading")));
    await tour.getByRole("button", { name: "Next" }).press("Enter");
    await tour.getByText("Step 2 of 4").waitFor();
    await tour.getByRole("button", { name: "End the tour" }).press("Enter");
    await tour.waitFor({ state: "hidden" });
    await until("the focus is back", () => hasFocus(pill()));
    expect(watched.scriptErrors).toEqual([]);
  });

  test("is greeted by links of today that work, and by no banner", async () => {
    const { page } = watched;
    await goTo("Links");
    const list = page.getByRole("list", { name: "Links", exact: true });
    await list.waitFor();
    const rows = list.getByRole("listitem");
    for (const row of (await rows.all()).slice(0, 10)) {
      expect(await row.getByText(/^(?:Paused|Archived|Expired)$/).count()).toBe(0);
    }
    expect(await rows.first().locator("time").first().innerText()).toMatch(/^\d+(?:m|min\.?|h|hr\.?) ?ago$/);
    // An endpoint is switched off, as there is to see in the developer area.
    await page.waitForLoadState("networkidle");
    expect(await page.locator("main > p").allInnerTexts()).toEqual([]);
  });

  test("sees links, the clicks of one and of all, and webhook deliveries", async () => {
    const { page } = watched;
    const report = new ReportPage(watched);
    await goTo("Links");
    const reports = page.getByRole("link", { name: /clicks? in total: report of / });
    await eventually(async () => expect(await reports.count()).toBeGreaterThan(10));
    await page
      .getByRole("link", { name: /^[1-9].* clicks in total: report of / })
      .first()
      .click();
    await page.waitForURL(/\/links\/lnk_/);
    await report.settled();
    await eventually(async () => expect(await report.total("Clicks")).toMatch(/^Clicks [1-9]/));

    await goTo("Reports");
    await report.headed("Reports");
    expect(await report.total("Clicks")).toMatch(/^Clicks [1-9]/);
    expect(await report.total("QR scans")).toMatch(/^QR scans [1-9]/);
    for (const list of ["Clicks by link", "Clicks by country", "Clicks by referrer"]) {
      expect((await report.rows(list)).length).toBeGreaterThan(3);
    }

    await goTo("Developer");
    await page.getByRole("link", { name: "Webhooks" }).click();
    await page.getByRole("link", { name: /crm\.example\.net/ }).click();
    await page.getByRole("list", { name: "Deliveries" }).getByRole("button").first().waitFor();
    expect(watched.scriptErrors).toEqual([]);
    expect(watched.policyViolations).toEqual([]);
  });

  test("sees who paused a link: someone of the team", async () => {
    const { page } = watched;
    await goTo("Settings");
    await page.getByRole("link", { name: "Audit log" }).click();
    await page.getByLabel("What").selectOption("Links: paused");
    const entries = page.getByRole("list", { name: "Audit log" }).getByRole("listitem");
    // Until the filtered list is loaded, the whole one stays on screen.
    await until("only pauses are shown", async () => {
      return (await entries.count()) > 0 && (await entries.filter({ hasNotText: " paused " }).count()) === 0;
    });
    for (const name of ["Tomás Weber", "Ines Almeida"]) await entries.filter({ hasText: name }).first().waitFor();
    expect(await entries.filter({ hasText: "The operator" }).count()).toBe(0);
  });

  test("is told before filling in a form that tokens can't be created, and which one to use", async () => {
    const { page } = watched;
    await goTo("Developer");
    await page.getByRole("link", { name: "Tokens" }).click();
    await page.getByText("You can’t create tokens in the demo").waitFor();
    expect(await page.getByRole("button", { name: "Create token" }).isDisabled()).toBe(true);
    expect(await page.getByLabel("The demo’s token").inputValue()).toBe(demoAccess.token.value);
  });

  test("sees where links could be imported from, and that the demo doesn't", async () => {
    const { page } = watched;
    await goTo("Settings");
    await page.getByRole("link", { name: "Import" }).click();
    await page.getByText("You can’t import in the demo").waitFor();
    expect(await page.getByRole("button", { name: /^CSV/ }).isDisabled()).toBe(true);
  });

  test("finds the audit log in order, with the times that other pages show", async () => {
    const read = <T>(path: string): Promise<T> =>
      watched.page.evaluate(
        `fetch(${JSON.stringify(path)}, { headers: { "kurz-account": location.pathname.split("/")[3] } })
          .then((response) => response.json())`,
      );
    interface Page {
      readonly data: readonly { readonly at: string; readonly action: string; readonly subject: string }[];
      readonly next_before: string | null;
    }
    const entries: Page["data"][number][] = [];
    for (let before: string | null = ""; before !== null; ) {
      const page: Page = await read(`/console/api/audit?limit=100${before && `&before=${before}`}`);
      entries.push(...page.data);
      before = page.next_before;
    }
    // Every link's creation, and more.
    expect(entries.length).toBeGreaterThan(180);
    const times = entries.map(({ at }) => at);
    expect(times).toEqual(times.toSorted().toReversed());
    const timeOf = (action: string, id: string) =>
      entries.find((entry) => entry.action === action && entry.subject === id)?.at ?? null;
    const { data: endpoints } = await read<{
      data: { id: string; created_at: string; disabled_at: string | null }[];
    }>("/console/api/webhooks");
    expect(endpoints.map(({ id }) => timeOf("webhook.created", id))).toEqual(endpoints.map((one) => one.created_at));
    expect(endpoints.map(({ id }) => timeOf("webhook.disabled", id))).toEqual(endpoints.map((one) => one.disabled_at));
  });

  test("confirms who they are with the password filled in, and sees that nothing is sent", async () => {
    const { page } = watched;
    const dataDir = join(demo.dataDir, demo.generations()[0] ?? "");
    changeRecords({ dataDir }, "update sessions set sudo_until = 0");
    await goTo("Developer");
    await page.getByRole("link", { name: "Webhooks" }).click();
    await page.getByRole("button", { name: "Add endpoint" }).click();
    await page.getByLabel("Address").fill("https://hooks.example.com/mine");
    await page.keyboard.press("Enter");
    const sudo = page.getByRole("dialog", { name: "Confirm it’s you" });
    await sudo.getByRole("button", { name: "Confirm" }).click();
    await page.getByRole("button", { name: "I’ve saved it" }).click();
    await page.getByRole("link", { name: /hooks\.example\.com\/mine/ }).click();
    await page.getByRole("button", { name: "Send test" }).click();
    const deliveries = page.getByRole("list", { name: "Deliveries" }).getByRole("button");
    await deliveries.getByText("Not sent", { exact: true }).waitFor();
    await deliveries.getByText("Nothing leaves the demo", { exact: true }).waitFor();
  });

  test.each([
    ["POST", "/console/api/user/password", { current: demoAccess.password, password: "another long password" }],
    ["PATCH", "/console/api/account", { name: "Mine" }],
    ["POST", "/console/api/tokens", { name: "Mine", scopes: ["links:read"], expires_in_days: null }],
    ["POST", "/console/api/invitations", { email: "friend@example.com", role: "member" }],
  ])("can't %s %s, which everyone shares", async (method, path, body) => {
    expect(await ask(method, path, body)).toEqual({ status: 403, code: "not_in_demo" });
  });

  test("visits a short link, sees where it leads, and the click is counted", async () => {
    const { page } = watched;
    const link = await createLink({ destination_url: "https://example.com/try-me", title: "Try me" });
    const answer = await page.goto(`${demo.url}/${link.slug}`);
    expect(answer?.status()).toBe(200);
    await page.getByText("Demo: no redirect").waitFor();
    expect(await page.getByRole("link", { name: "Continue" }).getAttribute("href")).toBe("https://example.com/try-me");
    // The test browser identifies itself as automated, so it counts as a bot.
    await fetch(`${demo.url}/${link.slug}`, { headers: { "user-agent": FIREFOX } });
    await until("the click is counted", async () => {
      const { click_count } = (await (await demo.api(`/api/v1/links/${link.id}`)).json()) as { click_count: number };
      return click_count === 1;
    });
  });

  test.each([
    `https://evil.test/"><script>document.title='owned'</script><img src=x onerror="document.title='owned'">`,
    "https://example.com.evil.test/",
    "https://evil.test/?next=javascript:alert(1)#@example.com",
  ])("is safe from %s: no script runs and nothing leads there", async (destination_url) => {
    const { page, requests } = watched;
    const title = `<script>document.title="owned"</script>`;
    const { slug } = await createLink({ destination_url, title });
    const before = requests.length;
    await page.goto(`${demo.url}/${slug}`);
    expect(await page.title()).toContain(slug);
    expect(await page.locator("a").count()).toBe(0);
    expect(await page.locator("script, img, iframe, form, meta[http-equiv]").count()).toBe(0);
    expect(requests.slice(before).filter((url) => !url.startsWith(demo.url))).toEqual([]);
  });
});

test("a bookmark leads to the same link after a reset, with a word about it and one click", async () => {
  const { page } = watched;
  const [link] = await demo.links("sort=-click_count");
  const { account } = (await (await demo.api("/api/v1/me")).json()) as { account: { id: string } };
  const bookmark = `${demo.url}/console/a/${account.id}/links/${link?.id}`;
  await demo.reset();
  await page.goto(bookmark);
  await page.getByText(/The demo has just been reset/).waitFor();
  await enter("Continue");
  await page
    .getByText(link?.title ?? "")
    .first()
    .waitFor();
  expect(page.url()).toContain(bookmark);
}, 600_000);

test("every answer says when the demo resets", async () => {
  for (const path of ["/healthz", "/console", "/nosuch", "/api/v1/me", "/docs"]) {
    const { headers } = await fetch(demo.url + path, { redirect: "manual" });
    const at = Date.parse(headers.get("x-demo-resets-at") ?? "");
    expect(at).toBeGreaterThan(Date.now());
    expect(at % 86_400_000).toBe(0);
  }
});
