import { expect, test } from "bun:test";
import { getAccountAnalytics } from "#contract/analytics.ts";
import { createLink } from "#contract/links.ts";
import { launchBrowserBeside } from "#test/support/browser-beside.ts";
import { startConsole } from "#test/support/console-client.ts";
import { expectAccessible } from "#test/support/console-page.ts";
import { eventually } from "#test/support/eventually.ts";
import { operatorOf } from "#test/support/operator.ts";
import { leavePastClicks } from "#test/support/past-clicks.ts";
import { daysAgo } from "#test/support/report-clicks.ts";
import { onReport, type ReportPage, type ReportPageOptions } from "#test/support/report-page.ts";
import { until } from "#test/support/until.ts";
import { visit } from "#test/support/visit.ts";

const TIMEOUT_MS = 600_000;

const site = await startConsole();
const { owner, server } = site;
const browser = await launchBrowserBeside(site);

const to = (name: string) => `https://example.com/${name}`;
const way = (name: string, weight: number) => ({ name, weight, destination_url: to(name) });

const create = (body: object) => owner.do(createLink, { body: { destination_url: to("all"), ...body } });
const ruled = await create({
  slug: "ruled",
  rules: [
    { name: "ios", when: { os: ["iOS"] }, destination_url: to("ios") },
    { name: "headline", when: { language: ["de"] }, split: [way("short", 1), way("long", 1)] },
    { name: "price", when: { language: ["fr"] }, split: [way("low", 3), way("high", 1)] },
    { name: "fresh", split: [way("left", 1), way("right", 1)] },
  ],
});
const plain = await create({ slug: "plain" });

const clicks = (rule: string, times: number, fields: object = {}) => ({
  link: ruled.id,
  at: daysAgo(1),
  rule,
  times,
  domain: "go.acme.example",
  ...fields,
});
await leavePastClicks(server, [
  clicks("ios", 20),
  clicks("headline/short", 52),
  clicks("headline/long", 48),
  // The first click of one visitor, and more of them by the same: one throw of the dice.
  clicks("headline/long", 30, { visitor: "000000000000aaaa" }),
  clicks("price/low", 100),
  clicks("price/high", 100),
  clicks("fresh/left", 3),
  { link: plain.id, at: daysAgo(1), times: 7 },
]);
await until("the clicks are in reports", async () => {
  const { totals } = await owner.do(getAccountAnalytics, { query: { interval: "7d" } });
  return totals.clicks === 360;
});

const reporting = (options: ReportPageOptions, act: (report: ReportPage) => Promise<void>) =>
  onReport(browser, owner, options, act);

const textOf = (text: string): string => text.replace(/\s+/g, " ").trim();

/** What the card of a split says: its verdict, then each way. */
async function splitOf({ page }: ReportPage, name: string) {
  const title = page.getByRole("heading", { name: `Split “${name}”`, exact: true });
  const card = page.locator("section", { has: title });
  await card.waitFor();
  const ways = await page
    .getByRole("list", { name: `Split “${name}”` })
    .getByRole("listitem")
    .allInnerTexts();
  return { text: textOf(await card.innerText()), ways: ways.map(textOf) };
}

test(
  "the result of a split says in words whether visitors were divided as planned",
  () =>
    reporting({ link: ruled.id, search: "?interval=7d" }, async (report) => {
      await eventually(async () => {
        const headline = await splitOf(report, "headline");
        expect(headline.text).toContain("As planned “short” got 51% of 101 visitors; 50% was planned.");
        expect(headline.ways).toEqual([
          "short example.com/short Share 51% Planned 50% Visitors 52 Clicks 52",
          "long example.com/long Share 49% Planned 50% Visitors 49 Clicks 78",
        ]);
        const price = await splitOf(report, "price");
        expect(price.text).toContain(
          "Not as planned “high” got 50% of 200 visitors; 25% was planned. Chance alone makes a difference this large " +
            "in fewer than 1 of 1,000 splits.",
        );
        const fresh = await splitOf(report, "fresh");
        expect(fresh.text).toContain("Too early to tell 3 visitors so far. It takes about 10");
      });
    }),
  TIMEOUT_MS,
);

test(
  "a filter by one way leaves the result of its split whole, and one by anything else narrows it",
  () =>
    reporting({ link: ruled.id, search: "?interval=7d&rule=price/low" }, async (report) => {
      expect(await report.total("Clicks")).toStartWith("Clicks 100");
      await eventually(async () => expect((await splitOf(report, "price")).text).toContain("of 200 visitors"));
      await report.page.goto(report.page.url().replace("rule=price%2Flow", "country=DE"));
      await report.page.getByText("No clicks").first().waitFor();
    }),
  TIMEOUT_MS,
);

test(
  "clicks are listed by rule, and a rule is a filter",
  () =>
    reporting({ link: ruled.id, search: "?interval=7d" }, async (report) => {
      await eventually(async () =>
        expect(await report.rows("Clicks by rule")).toEqual([
          "price/high 28% 100",
          "price/low 28% 100",
          "headline/long 22% 78",
          "headline/short 15% 52",
          "ios 6% 20",
          "fresh/left 0.8% 3",
        ]),
      );
      await report.row("Clicks by rule", "ios").click();
      await until("the filter is applied", async () => (await report.total("Clicks")).startsWith("Clicks 20"));
      await eventually(async () => expect(await report.chips()).toEqual(["Rule ios"]));
    }),
  TIMEOUT_MS,
);

test(
  "a link that never had rules has no list of them",
  () =>
    reporting({ link: plain.id, search: "?interval=7d" }, async (report) => {
      expect(await report.total("Clicks")).toStartWith("Clicks 7");
      expect(await report.page.getByRole("heading", { name: "Devices" }).count()).toBe(1);
      expect(await report.page.getByRole("heading", { name: "Rules" }).count()).toBe(0);
    }),
  TIMEOUT_MS,
);

test(
  "the account's clicks are listed by domain and by rule, and a domain is a filter",
  () =>
    reporting({ search: "?interval=7d" }, async (report) => {
      await eventually(async () => expect(await report.rows("Clicks by rule")).toContain("No rule 2% 7"));
      await report.page.getByText("“No rule” includes visitors who ask not to be tracked.").waitFor();
      await report.page.getByRole("tab", { name: "Domains" }).click();
      await eventually(async () =>
        expect(await report.rows("Clicks by domain")).toEqual(["go.acme.example 98% 353", `${plain.domain} 2% 7`]),
      );
      await report.row("Clicks by domain", plain.domain).click();
      await until("the filter is applied", async () => (await report.total("Clicks")).startsWith("Clicks 7"));
      await eventually(async () => expect(await report.chips()).toEqual([`Domain ${plain.domain}`]));
      expect(report.query).toContain(`domain=${plain.domain}`);
    }),
  TIMEOUT_MS,
);

test(
  "links without a title are told apart by their domain, in lists, filters and live clicks",
  async () => {
    const me = await site.newOwner();
    const host = "twin.acme.example";
    await operatorOf(server).vouchFor(me.account, host);
    const twin = (body: object) => me.do(createLink, { body: { slug: "twin", ...body } });
    const first = await twin({ destination_url: to("first") });
    const second = await twin({ destination_url: to("second"), domain: host });
    const visitSecond = (method: string) =>
      visit(server, "/twin", { method, headers: { host, "user-agent": "Mozilla/5.0 Firefox/140.0" } });
    await until("its host is known", async () => (await visitSecond("HEAD")).location === to("second"));
    await leavePastClicks(server, [
      { link: first.id, at: daysAgo(1), times: 7 },
      { link: second.id, at: daysAgo(1), times: 4, domain: host },
    ]);
    await until("the clicks are in reports", async () => {
      const { totals } = await me.do(getAccountAnalytics, { query: { interval: "7d" } });
      return totals.clicks === 11;
    });
    const act = async (report: ReportPage) => {
      const { page } = report;
      await eventually(async () =>
        expect(await report.rows("Clicks by link")).toEqual(["/twin 64% 7", `${host}/twin 36% 4`]),
      );
      // On a phone, too, the slug isn't cut off.
      await page.setViewportSize({ width: 375, height: 800 });
      const name = report.row("Clicks by link", `${host}/twin`).getByText(`${host}/twin`);
      await until("the name is whole", () =>
        name.evaluate(
          ({ scrollWidth, clientWidth, scrollHeight, clientHeight }) =>
            scrollWidth <= clientWidth && scrollHeight <= clientHeight,
        ),
      );
      await page.setViewportSize({ width: 1280, height: 800 });
      await report.row("Clicks by link", `${host}/twin`).click();
      await until("the filter is applied", async () => (await report.total("Clicks")).startsWith("Clicks 4"));
      await eventually(async () => expect(await report.chips()).toEqual([`Link ${host}/twin`]));
      await page.getByRole("button", { name: "Live: 0 clicks" }).waitFor();
      await visitSecond("GET");
      await page.getByRole("button", { name: "Live: 1 click since" }).click();
      await page.getByRole("list", { name: "Latest clicks" }).getByText(`${host}/twin`).waitFor();
      await page.keyboard.press("Escape");
      await page.getByRole("link", { name: `Report of ${host}/twin` }).click();
      await page.getByRole("link", { name: /^twin\.acme\.example(?::\d+)?\/twin$/ }).waitFor();
    };
    await onReport(browser, me, { search: "?interval=7d" }, act);
  },
  TIMEOUT_MS,
);

test(
  "the results of splits pass the accessibility checker in both themes, and fit every width",
  () => reporting({ link: ruled.id, search: "?interval=7d" }, ({ page }) => expectAccessible(page)),
  TIMEOUT_MS,
);
