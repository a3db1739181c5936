import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import fc from "fast-check";
import { describedOf, headersOf, rules, type Visitor, visitor } from "#dry-run/fixtures/random-visitors.ts";
import type { LinkCreate } from "#sdk/generated.ts";
import { type Api, type Caller, newLink, startApi } from "#test/support/api-client.ts";
import { visit } from "#test/support/visit.ts";
import { withinOneDay } from "#test/support/within-one-day.ts";

type Rules = NonNullable<LinkCreate["rules"]>;
type Conditions = NonNullable<Rules[number]["when"]>;

setDefaultTimeout(600_000);
// `RUNS=1000` visits 10 000 times.
const LINKS = Number(process.env.RUNS ?? 15);
const VISITS_EACH = 10;
const IPHONE =
  "Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.5 Mobile/15E148 Safari/604.1";
const LINUX = "Mozilla/5.0 (X11; Linux x86_64; rv:128.0) Gecko/20100101 Firefox/128.0";
const to = (path: string): string => `https://example.com/${path}`;
const hourAgo = new Date(Date.now() - 3_600_000).toISOString();
const inOneHour = new Date(Date.now() + 3_600_000).toISOString();

type Sent = { readonly query?: string; readonly headers?: Readonly<Record<string, string>> };

const cases: readonly [name: string, when: Conditions, holds: Sent, fails: Sent][] = [
  ["country", { country: ["DE", "AT"] }, { headers: { "x-country": "AT" } }, { headers: { "x-country": "CH" } }],
  [
    "language",
    { language: ["de"] },
    { headers: { "accept-language": "en;q=0.5,de-AT" } },
    { headers: { "accept-language": "en,de;q=0.9" } },
  ],
  ["device", { device: ["mobile"] }, { headers: { "user-agent": IPHONE } }, { headers: { "user-agent": LINUX } }],
  ["os", { os: ["iOS"] }, { headers: { "user-agent": IPHONE } }, { headers: { "user-agent": LINUX } }],
  ["browser", { browser: ["Firefox"] }, { headers: { "user-agent": LINUX } }, { headers: { "user-agent": IPHONE } }],
  [
    "referrer",
    { referrer: ["news.example"] },
    { headers: { referer: "https://www.news.example/a" } },
    { headers: { referer: "https://fakenews.example/" } },
  ],
  ["source", { source: ["qr"] }, { query: "?qr=1" }, { query: "?qr=2" }],
  ["query", { query: { ref: "x", any: true } }, { query: "?any&ref=x" }, { query: "?any=1&ref=y" }],
  ["time", { time: { after: hourAgo, before: inOneHour } }, {}, {}],
  ["time (over)", { time: { before: hourAgo } }, {}, {}],
  ["not", { not: { country: ["DE"] } }, { headers: { "x-country": "FR" } }, { headers: { "x-country": "DE" } }],
];

describe.each(["on", "off"])("with the fast lane %s,", (fastLane) => {
  let api: Api;
  let owner: Caller;

  beforeAll(async () => {
    api = await startApi({
      KURZ_FAST_LANE: fastLane,
      KURZ_TRUST_PROXY: "1",
      KURZ_GEO_COUNTRY_HEADER: "X-Country",
    });
    owner = await api.newCaller();
  });
  afterAll(() => api.stop());

  const headersFrom = (address: string, headers: Readonly<Record<string, string>> = {}) => ({
    "user-agent": LINUX,
    "x-forwarded-for": address,
    ...headers,
  });

  test.each(cases)("a rule decides by %s, from its first visit on", async (name, when, holds, fails) => {
    const { slug } = await newLink(owner.kurz, { rules: [{ name: "it", when, destination_url: to("rule") }] });
    const pathOf = async ({ query = "", headers = {} }: Sent): Promise<string> => {
      const { status, location } = await visit(api.server, `/${slug}${query}`, {
        headers: headersFrom("192.0.2.1", headers),
      });
      expect(status).toBe(302);
      return new URL(location ?? "").pathname;
    };
    const isOver = name === "time (over)";
    for (let time = 0; time < 3; time += 1) {
      expect((await pathOf(holds)) === "/rule").toBe(!isOver);
      if (name !== "time") expect(await pathOf(fails)).not.toBe("/rule");
    }
  });

  test("a visitor keeps the way of a split, also after a change of the title", async () => {
    const split = ["a", "b"].map((name) => ({ name, weight: 1, destination_url: to(name) }));
    const { id, slug } = await newLink(owner.kurz, { rules: [{ name: "test", split }] });
    const wayOf = async (no: number): Promise<string> => {
      const headers = headersFrom(`198.51.100.${no}`);
      return (await visit(api.server, `/${slug}`, { headers })).location ?? "";
    };
    const visitors = Array.from({ length: 60 }, (_, no) => no);
    const visitAll = async (title: string): Promise<readonly string[]> => {
      await owner.kurz.links.update(id, { title });
      return Promise.all(visitors.map(wayOf));
    };
    const [first = [], ...later] = await withinOneDay(async () => [
      await visitAll("one"),
      await visitAll("two"),
      await visitAll("three"),
      await visitAll("four"),
    ]);
    expect(new Set(first)).toEqual(new Set([to("a"), to("b")]));
    expect(later).toEqual([first, first, first]);
  });

  test("the preview shows where the rules lead the visitor who asks, and that others may be led elsewhere", async () => {
    const rules = [{ when: { country: ["DE"] }, destination_url: to("rule") }];
    const ruled = await newLink(owner.kurz, { destination_url: to("plain"), rules });
    const plain = await newLink(owner.kurz, { destination_url: to("plain") });
    const preview = async (slug: string, country: string) =>
      (await visit(api.server, `/${slug}+`, { headers: headersFrom("192.0.2.1", { "x-country": country }) })).text;
    expect(await preview(ruled.slug, "DE")).toContain(`href="${to("rule")}"`);
    expect(await preview(ruled.slug, "FR")).toContain(`href="${to("plain")}"`);
    for (const country of ["DE", "FR"]) expect(await preview(ruled.slug, country)).toContain("This link has rules");
    expect(await preview(plain.slug, "DE")).not.toContain("This link has rules");
    expect((await owner.kurz.links.get(ruled.id)).click_count).toBe(0);
  });

  test("a dry run equals what the redirect then does", async () => {
    const visits = fc.array(visitor, { minLength: VISITS_EACH, maxLength: VISITS_EACH });
    const isSplit = (all: Rules): boolean => all.some(({ split }) => split !== undefined);
    let splits = 0;
    await fc.assert(
      fc.asyncProperty(rules, visits, async (chosen, seen) => {
        const given = chosen as Rules;
        if (isSplit(given)) splits += 1;
        const { id, slug } = await newLink(owner.kurz, {
          utm: { utm_source: "mail" },
          rules: timeless(given).map(withoutEmpty),
        });
        const check = async (who: Visitor): Promise<void> => {
          const [said, got] = await Promise.all([
            owner.kurz.links.resolve(id, describedOf(who)),
            visit(api.server, `/${slug}?${who.query}`, { headers: headersFrom("192.0.2.9", headersOf(who)) }),
          ]);
          expect(got.status).toBe(said.status);
          const possible = said.ways.length === 0 ? [said.location] : said.ways.map((way) => way.destination_url);
          expect(possible).toContain(got.location);
        };
        for (const who of seen) await check(who);
      }),
      { numRuns: LINKS, endOnFailure: true },
    );
    if (LINKS >= 15) expect(splits).toBeGreaterThan(0);
  });
});

/** Two requests are never made at the same time, and the next quarter of an hour may begin between them. */
const timeless = (all: Rules): Rules =>
  all.filter(({ when = {} }) => when.time === undefined && when.not?.time === undefined);

type Rule = Rules[number];
const isEmpty = (value: unknown): boolean =>
  typeof value === "object" && value !== null && Object.keys(value).length === 0;
const filled = <T extends object>(value: T): T =>
  Object.fromEntries(Object.entries(value).filter(([, inner]) => !isEmpty(inner))) as T;

/** The same rule as it can be sent: what asks for nothing is left out. */
function withoutEmpty({ when = {}, ...rest }: Rule): Rule {
  const conditions = filled({ ...filled(when), ...(when.not && { not: filled(when.not) }) });
  return isEmpty(conditions) ? rest : { ...rest, when: conditions };
}
