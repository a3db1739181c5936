import { afterAll, expect, test } from "bun:test";
import { $ } from "bun";
import type { Page } from "playwright-core";
import type { Link, LinkPage } from "#contract/link-record.ts";
import { launchBrowser, openWatchedPage, type WatchedPage } from "#test/support/browser.ts";
import { PASSWORD, setUpCodeOf } from "#test/support/console-client.ts";
import { startKurz } from "#test/support/kurz-server.ts";
import { ReportPage } from "#test/support/report-page.ts";
import { until } from "#test/support/until.ts";
import { startReceiver } from "#test/support/webhook-receiver.ts";

const TIMEOUT_MS = 600_000;
// Without the word "Headless", which would make the visitor a bot.
const CHROME = "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36";

const server = await startKurz({
  env: {
    KURZ_ALLOW_PRIVATE_DESTINATIONS: "1",
    KURZ_WEBHOOK_ALLOW_CIDRS: "127.0.0.0/8",
    KURZ_WEBHOOK_ALLOW_INSECURE: "1",
  },
});
const shop = Bun.serve({ hostname: "127.0.0.1", port: 0, fetch: () => new Response("Everything must go") });
const receiver = startReceiver();
const browser = await launchBrowser().catch(async (error) => {
  await server.stop();
  throw error;
});
afterAll(async () => {
  await browser.close();
  await Promise.all([server.stop(), shop.stop(true), receiver.stop()]);
});

const site = `http://localhost:${server.port}`;

test(
  "from the first start to a redelivery, in one sitting",
  async () => {
    const watched = await openWatchedPage(browser, { userAgent: CHROME, timezoneId: "UTC", locale: "en-US" });
    const { page } = watched;

    await setUp(page);
    await createLink(page);
    await openLink(page);
    await seeClick(watched);
    const token = await createToken(page);
    const listWithCurl = () => callWithCurl<LinkPage>(token, "links");
    // Independently of reports, which may have the click earlier.
    await until("the click is counted", async () => (await listWithCurl()).data[0]?.click_count !== 0);
    expect(await listWithCurl()).toMatchObject({ data: [{ slug: "sale", click_count: 1 }] });
    await registerReceiver(page);
    const made = await callWithCurl<Link>(token, "links", { destination_url: shop.url.href, title: "By curl" });
    await seeDelivery(page, made);
    await sendAgain(page);

    expect(watched.scriptErrors).toEqual([]);
    expect(watched.policyViolations).toEqual([]);
    await watched.close();
  },
  TIMEOUT_MS,
);

const dialogOf = (page: Page, name: string) => page.getByRole("dialog", { name });
const go = (page: Page, area: string, name: string) =>
  page.getByRole("navigation", { name: area }).getByRole("link", { name }).click();

async function setUp(page: Page): Promise<void> {
  await page.goto(`${site}/console/setup?code=${setUpCodeOf(server)}`);
  await page.getByLabel("Account name").fill("Acme");
  await page.getByLabel("Your name").fill("Ada");
  await page.getByLabel("E-mail address").fill("ada@example.com");
  await page.getByLabel("Password", { exact: true }).fill(PASSWORD);
  await page.getByRole("button", { name: "Create account" }).click();
}

async function createLink(page: Page): Promise<void> {
  await page.getByRole("button", { name: "Create your first link" }).click();
  const dialog = dialogOf(page, "Create link");
  await dialog.getByLabel("Destination").fill(shop.url.href);
  await dialog.getByRole("textbox", { name: "Slug" }).fill("sale");
  await dialog.getByRole("button", { name: "Create link" }).click();
}

async function openLink(page: Page): Promise<void> {
  await page.getByRole("link", { name: "report of sale" }).click();
  await page.getByRole("button", { name: "Live: 0 clicks" }).waitFor();
  const opening = page.waitForEvent("popup");
  await page.getByRole("link", { name: `localhost:${server.port}/sale` }).click();
  const opened = await opening;
  await opened.getByText("Everything must go").waitFor();
  expect(opened.url()).toBe(shop.url.href);
  await opened.close();
}

async function seeClick(watched: WatchedPage): Promise<void> {
  const report = new ReportPage(watched);
  await until("the click is in the report", async () => (await report.total("Clicks")).startsWith("Clicks 1"));
  await report.row("Clicks by device", "Desktop").waitFor();
}

async function createToken(page: Page): Promise<string> {
  await go(page, "Main", "Developer");
  await page.getByRole("button", { name: "Create token" }).click();
  await dialogOf(page, "Create token").getByLabel("Name").fill("Laptop");
  await dialogOf(page, "Create token").getByLabel("Change links").check();
  await dialogOf(page, "Create token").getByRole("button", { name: "Create token" }).click();
  const shown = dialogOf(page, "Your new token");
  const token = await shown.getByRole("textbox", { name: "Token" }).inputValue();
  await shown.getByRole("button", { name: "I’ve saved it" }).click();
  return token;
}

function callWithCurl<T>(token: string, path: string, body?: object): Promise<T> {
  const bearer = `Authorization: Bearer ${token}`;
  const data = body ? ["-H", "Content-Type: application/json", "-d", JSON.stringify(body)] : [];
  return $`curl -s ${site}/api/v1/${path} -H ${bearer} ${data}`.json();
}

async function registerReceiver(page: Page): Promise<void> {
  await go(page, "Developer", "Webhooks");
  await page.getByRole("button", { name: "Add endpoint" }).click();
  await dialogOf(page, "Add endpoint").getByLabel("Address").fill(receiver.url);
  await dialogOf(page, "Add endpoint").getByRole("button", { name: "Add endpoint" }).click();
  await dialogOf(page, "secret").getByRole("button", { name: "I’ve saved it" }).click();
  await page.getByRole("link", { name: receiver.url.replace("http://", "") }).click();
  await page.getByText("Nothing sent yet").waitFor();
}

async function seeDelivery(page: Page, { id }: Link): Promise<void> {
  const log = page.getByRole("list", { name: "Deliveries" }).getByRole("button");
  await log.filter({ hasText: "link.created" }).filter({ hasText: "Delivered" }).click();
  const delivery = dialogOf(page, "link.created");
  await delivery.getByText("Status 204").waitFor();
  await delivery.getByText(`"id": "${id}"`).waitFor();
}

async function sendAgain(page: Page): Promise<void> {
  const delivery = dialogOf(page, "link.created");
  await delivery.getByRole("button", { name: "Redeliver" }).click();
  await delivery.getByText("manual").waitFor();
  await until("it has arrived again", () => receiver.hits.length > 1);
  const [first, second, ...more] = receiver.hits;
  expect(first?.delivery).toStartWith("dlv_");
  expect(second?.delivery).toBe(first?.delivery ?? "");
  expect(second?.body).toEqual(first?.body);
  expect(more).toEqual([]);
}
