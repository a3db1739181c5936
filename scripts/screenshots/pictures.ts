import { join } from "node:path";
import type { Browser, Locator, Page } from "playwright-core";
import { getLinkAnalytics } from "#contract/analytics.ts";
import { createDomain } from "#contract/domains.ts";
import { createLink } from "#contract/links.ts";
import type { ConsoleServer } from "#test/support/console-client.ts";
import { openConsolePage } from "#test/support/console-page.ts";
import type { DnsServer } from "#test/support/dns-server.ts";
import { leavePastClicks } from "#test/support/past-clicks.ts";
import { until } from "#test/support/until.ts";

interface Stage {
  readonly browser: Browser;
  readonly console: ConsoleServer;
  readonly dns: DnsServer;
  readonly directory: string;
}

const YESTERDAY = new Date(Date.now() - 86_400_000);
/** A form is as high as its contents, so that none of them is scrolled away. */
const FORM = { width: 1280, height: 2600 };
const PAGE = { width: 1280, height: 900 };

/** Parts of the console for the docs, twice as fine as a screen. */
export async function takePictures({ browser, console, dns, directory }: Stage): Promise<void> {
  const me = console.owner;
  const to = (path: string): string => `https://acme.example/${path}`;

  async function take(
    name: string,
    path: string,
    viewport: typeof PAGE,
    prepare: (page: Page) => Promise<Locator | Page>,
  ): Promise<void> {
    const { page, close } = await openConsolePage(browser, me, `/a/${me.account}/${path}`, {
      viewport,
      deviceScaleFactor: 2,
      colorScheme: "light",
      locale: "en-US",
    });
    const part = await prepare(page);
    // Nothing shows that someone clicked there.
    await page.mouse.move(0, 0);
    await page.evaluate("document.activeElement?.blur()");
    await part.screenshot({ path: join(directory, `${name}.png`), animations: "disabled" });
    await close();
    process.stderr.write(`${name}\n`);
  }

  const domain = await me.do(createDomain, { body: { name: "go.acme.example" } });
  dns.set(domain.verification.name, "kurz-verify=of-another-account");
  await take("domain-setup", `domains/${domain.id}`, { ...PAGE, height: 1000 }, async (page) => {
    await page.getByRole("button", { name: "Check now" }).click();
    await page.getByRole("status").getByText("has another value").waitFor();
    return page;
  });

  const ruled = await me.do(createLink, {
    body: {
      destination_url: to("spring"),
      slug: "spring",
      title: "Spring sale",
      rules: [
        { name: "app", when: { os: ["iOS"], country: ["DE", "AT"] }, destination_url: to("app") },
        {
          name: "headline",
          when: { language: ["de"] },
          split: [
            { name: "short", weight: 3, destination_url: to("kurz") },
            { name: "long", weight: 1, destination_url: to("lang") },
          ],
        },
      ],
    },
  });
  await take("rules-dry-run", `links?edit=${ruled.id}`, FORM, async (page) => {
    await page.getByRole("button", { name: /^Rule 2:/ }).click();
    const panel = page.getByRole("region", { name: "Try a visitor" });
    const country = panel.getByRole("combobox", { name: "Country", exact: true });
    await country.fill("Germany");
    await country.press("Enter");
    await panel.getByLabel("Language").selectOption("German");
    await panel.getByText("Rule 2 “headline” decides").waitFor();
    return page.locator("details", { has: panel });
  });

  const guarded = await me.do(createLink, {
    body: {
      destination_url: to("plans"),
      slug: "plans",
      password: "tulips in may",
      max_clicks: 50,
      expired_url: to("too-late"),
      preview: {
        title: "The plans for May",
        description: "For the crew only. Ask Kim for the password.",
        image_url: to("plans.png"),
      },
    },
  });
  const fold = (page: Page, title: string) => page.locator("details", { has: page.getByText(title, { exact: true }) });
  await take("protection", `links?edit=${guarded.id}`, FORM, async (page) => {
    await page.getByLabel("Click limit").waitFor();
    return fold(page, "Protection");
  });
  await take("chat-card", `links?edit=${guarded.id}`, FORM, async (page) => {
    await page.getByLabel("Headline").waitFor();
    return fold(page, "Preview card");
  });

  await leavePastClicks(console.server, [
    { link: ruled.id, at: YESTERDAY, rule: "headline/short", times: 911 },
    { link: ruled.id, at: YESTERDAY, rule: "headline/long", times: 287 },
  ]);
  await until("the clicks are in reports", async () => {
    const { totals } = await me.do(getLinkAnalytics, { params: { id: ruled.id }, query: { interval: "7d" } });
    return totals.clicks === 1198;
  });
  await take("split-result", `links/${ruled.id}`, PAGE, async (page) => {
    const title = page.getByRole("heading", { name: "Split “headline”" });
    await title.waitFor();
    return page.locator("section", { has: title });
  });
}
