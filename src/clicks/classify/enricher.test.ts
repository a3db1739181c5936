import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { encodeClick, type JournalClick, openClickShapes } from "#clicks/click-shapes.ts";
import { SaltReader } from "#clicks/visitor/salt-reader.ts";
import { keepSalts } from "#clicks/visitor/salts.ts";
import { type Click, parseClick } from "#engines/clicks/click-format.ts";
import { scanLines } from "#engines/clicks/click-lines.ts";
import { networkOf } from "#kernel/network-address.ts";
import type { VisitedLink } from "#redirect/click-sink.ts";
import { textsOfAll } from "#test/support/click-slices.ts";
import { createEnricher, type Enricher, type EnricherOptions } from "./enricher.ts";
import { mmdbFile } from "./fixtures/mmdb-file.ts";
import { type Geo, openBundledGeo, openGeo } from "./geo.ts";
import { userAgentCorpus } from "./user-agents.corpus.ts";

const NOON = Date.UTC(2026, 5, 17, 12);
const HOUR = 3_600_000;
const CHROME =
  "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/138.0.0.0 Safari/537.36";
const DUTCH = "193.0.6.139";
const LINK = { no: 42, accountNo: 7 };

let directory: string;
let geo: Geo;
let salts: SaltReader;
let enrich: Enricher;

beforeAll(async () => {
  directory = mkdtempSync(join(tmpdir(), "kurz-enricher-"));
  keepSalts(join(directory, "salts.json"), NOON);
  salts = new SaltReader(join(directory, "salts.json"));
  await salts.check(NOON);
  geo = openBundledGeo();
  enrich = create({});
});

afterAll(() => rmSync(directory, { recursive: true }));

function create(options: Partial<EnricherOptions>): Enricher {
  return createEnricher({ salts, geo, countryHeader: null, ownHosts: ["s.example"], ...options });
}

interface Visit {
  readonly headers?: Readonly<Record<string, string>>;
  readonly address?: string;
  readonly link?: Pick<VisitedLink, "no" | "accountNo">;
  readonly query?: string;
  readonly location?: string;
  readonly domain?: string;
  readonly rule?: string;
  readonly nowMs?: number;
  readonly by?: Enricher;
}

function journalClickOf({ headers = {}, address = DUTCH, query = "", ...rest }: Visit): JournalClick {
  const { link = LINK, location = "https://example.com/", domain = "", rule = "", nowMs = NOON, by = enrich } = rest;
  const request = new Request(`http://s.example/abc${query}`, { headers: { "user-agent": CHROME, ...headers } });
  const visited = { ...link, location: "https://example.com/", kept: undefined };
  return by.clickOf(by.classify(request, address, link.accountNo, nowMs), visited, { location, domain, rule });
}

const parse = (click: JournalClick): Click => parseClick(click.line, textsOfAll([click]));
const clickOf = (visit: Visit): Click => parse(journalClickOf(visit));

/** Everything that the journal gets. */
function lineOf(visit: Visit): string {
  const { line, uses } = journalClickOf(visit);
  return line + uses.map((one) => one.line).join("");
}

describe("a click", () => {
  test("carries everything that is known of the visit", () => {
    const click = clickOf({
      headers: { referer: "https://news.example/a?b", "accept-language": "nl-NL,nl;q=0.9,en;q=0.8" },
      query: "?qr=1",
      location: "https://example.com/?utm_source=poster&utm_campaign=spring%20sale",
      domain: "go.acme.example",
      rule: "test/a",
    });
    expect(click.visitor).toMatch(/^[0-9a-f]{16}$/);
    expect(click).toEqual({
      at_ms: NOON,
      account_no: 7,
      link_no: 42,
      bot: false,
      visitor: click.visitor,
      country: "NL",
      region: "",
      city: "",
      referrer: "news.example",
      language: "nl",
      device: "desktop",
      browser: "Chrome",
      os: "Windows",
      source: "qr",
      utm_source: "poster",
      utm_medium: "",
      utm_campaign: "spring sale",
      utm_term: "",
      utm_content: "",
      domain: "go.acme.example",
      rule: "test/a",
    });
  });

  test("has the domain and the rule that led it there, whichever others led to the same location", () => {
    const long = `https://example.com/?x=${"y".repeat(5000)}`;
    const leads = ["https://example.com/", long].flatMap((location) =>
      [...Array(40).keys()].map((no) => ({
        location,
        domain: `${no % 3}.example`,
        rule: no % 4 === 0 ? "" : `rule-${no}`,
      })),
    );
    for (const lead of [...leads, ...leads])
      expect(clickOf(lead)).toMatchObject({ domain: lead.domain, rule: lead.rule });
    expect(clickOf({})).toMatchObject({ domain: "", rule: "" });
  });

  test("has its own texts, whatever the link's clicks before had", () => {
    const link = { ...LINK, location: "https://example.com/?utm_source=mail", kept: undefined };
    const request = new Request("http://s.example/abc", { headers: { "user-agent": CHROME } });
    const visit = enrich.classify(request, DUTCH, link.accountNo, NOON);
    const targets = [
      { location: link.location, rule: "" },
      { location: `${link.location}&utm_campaign=may`, rule: "" },
      { location: link.location, rule: "rule-1" },
      { location: "https://example.com/other", rule: "rule-2" },
    ];
    for (const target of [...targets, ...targets]) {
      const { utm_source, utm_campaign, rule } = parse(
        enrich.clickOf(visit, link, { ...target, domain: "go.example" }),
      );
      const { searchParams } = new URL(target.location);
      expect([utm_source, utm_campaign, rule]).toEqual([
        searchParams.get("utm_source") ?? "",
        searchParams.get("utm_campaign") ?? "",
        target.rule,
      ]);
    }
  });

  test("of a bot, of nobody and of a page loaded ahead is marked", () => {
    const bots: readonly Readonly<Record<string, string>>[] = [
      { "user-agent": "Twitterbot/1.0" },
      { "user-agent": "" },
      { "sec-purpose": "prefetch;prerender" },
      { "x-purpose": "preview" },
    ];
    for (const headers of bots) expect(clickOf({ headers }).bot).toBe(true);
    const bare = new Request("http://s.example/abc");
    expect(enrich.classify(bare, DUTCH, LINK.accountNo, NOON).isBot).toBe(true);
    expect(clickOf({ headers: { "sec-purpose": "prefetch" } }).browser).toBe("Chrome");
  });

  test("of who asks not to be tracked counts, without visitor, rule, referrer, browser and operating system", () => {
    for (const wish of [{ "sec-gpc": "1" }, { dnt: "1" }]) {
      const headers = { referer: "https://news.example/", "accept-language": "de" };
      const visit = { domain: "go.acme.example", rule: "on-ios" };
      const told = clickOf({ ...visit, headers });
      expect(told.rule).toBe("on-ios");
      expect(clickOf({ ...visit, headers: { ...headers, ...wish } })).toEqual({
        ...told,
        visitor: "",
        rule: "",
        referrer: "",
        browser: "",
        os: "",
      });
    }
  });

  test("has the UTM values of a location of any length", () => {
    const location = `https://example.com/?x=${"y".repeat(5000)}&utm_source=far`;
    expect(clickOf({ location }).utm_source).toBe("far");
  });
});

describe("the country", () => {
  test("is found for IPv4 addresses in IPv6 form", () => {
    expect(clickOf({ address: `::ffff:${DUTCH}` }).country).toBe("NL");
  });

  test("comes from the header of a trusted proxy where the operator names one", () => {
    const by = create({ countryHeader: "cf-ipcountry" });
    const countryOf = (code: string): string => clickOf({ by, headers: { "cf-ipcountry": code } }).country;
    expect(["FR", "fr", "XX", "T1", "France", "F\t", ""].map(countryOf)).toEqual(["FR", "FR", "", "", "", "", ""]);
    expect(clickOf({ by }).country).toBe("NL");
    expect(clickOf({ headers: { "cf-ipcountry": "FR" } }).country).toBe("NL");
  });

  test("of the header keeps region and city of the database only where both mean the same country", () => {
    const database = mmdbFile({ country: "DE", region: "Bayern", city: "München" });
    const by = create({ countryHeader: "cf-ipcountry", geo: openGeo(database) });
    const placeOf = (code: string): readonly string[] => {
      const { country, region, city } = clickOf({ by, headers: { "cf-ipcountry": code } });
      return [country, region, city];
    };
    expect(placeOf("DE")).toEqual(["DE", "Bayern", "München"]);
    expect(placeOf("AT")).toEqual(["AT", "", ""]);
    expect(placeOf("XX")).toEqual(["", "", ""]);
  });
});

describe("the visitor", () => {
  test("is the same for the same network, browser, account and day", () => {
    const { visitor } = clickOf({});
    expect(clickOf({ nowMs: NOON + 5 * HOUR, link: { no: 43, accountNo: 7 } }).visitor).toBe(visitor);
    expect(clickOf({ address: `::ffff:${DUTCH}`, by: create({}) }).visitor).toBe(visitor);
    const home = clickOf({ address: "2001:db8:1:2::1" }).visitor;
    expect(clickOf({ address: "2001:db8:1:2:ffff::9" }).visitor).toBe(home);
    expect(clickOf({ address: "2001:db8:1:3::1" }).visitor).not.toBe(home);
  });

  test("is another one for another account, day, network or browser", () => {
    const visitors = [
      clickOf({}),
      clickOf({ link: { no: 42, accountNo: 8 } }),
      clickOf({ nowMs: NOON + 13 * HOUR }),
      clickOf({ address: "193.0.6.140" }),
      clickOf({ headers: { "user-agent": `${CHROME} x` } }),
    ].map(({ visitor }) => visitor);
    expect(new Set(visitors).size).toBe(5);
    expect(visitors).not.toContain("");
  });

  test("is nobody without a salt or without an address, and the click is whole all the same", () => {
    const by = create({ salts: new SaltReader(join(directory, "none.json")) });
    expect(clickOf({ by })).toEqual({ ...clickOf({}), visitor: "" });
    expect(clickOf({ address: "" }).visitor).toBe("");
  });
});

describe("whatever a visitor sends", () => {
  const headerText = fc
    .string({
      unit: fc
        .oneof(fc.integer({ min: 0x20, max: 0x7e }), fc.integer({ min: 0xa0, max: 0xff }), fc.constant(9))
        .map((code) => String.fromCharCode(code)),
      maxLength: 700,
    })
    .map((text) => text.trim());
  const address = fc.oneof(fc.ipV4(), fc.ipV6(), fc.string(), fc.constantFrom("", "::ffff:1.2.3.4", "fe80::1%eth0"));
  const location = fc.oneof(
    fc.webUrl({ withQueryParameters: true, withFragments: true }),
    fc.string(),
    fc.string({ unit: "binary" }).map((text) => `https://example.com/?utm_source=${text}&utm_term=%0a${text}`),
  );
  const visit = fc.record({
    headers: fc.record({
      "user-agent": headerText,
      referer: fc.oneof(
        headerText,
        headerText.map((text) => `https://${text}`),
      ),
      "accept-language": headerText,
      "sec-purpose": headerText,
      "x-country": headerText,
    }),
    address,
    location,
    domain: fc.oneof(fc.constant(""), fc.string({ unit: "binary" })),
    rule: fc.oneof(fc.constant(""), fc.string({ unit: "binary" })),
    query: fc.constantFrom("", "?qr", "?a=%0a%09&qr=1"),
  });

  test("the line is the one that `encodeClick` writes, so it and its definitions are clean", () => {
    const by = create({ countryHeader: "x-country" });
    const shapes = openClickShapes();
    fc.assert(
      fc.property(visit, (hostile) => {
        const click = clickOf({ ...hostile, by });
        const encoded = encodeClick(click, shapes);
        expect(parse(encoded)).toEqual(click);
        expect(scanLines(Buffer.from(journalClickOf({ ...hostile, by }).line), 1).count).toBe(1);
      }),
      { numRuns: 300 },
    );
  });

  test("neither address nor user agent is in the line, not even in part", () => {
    const agents = userAgentCorpus.split("\n").filter((line) => line !== "" && !line.startsWith("#"));
    const addresses = [DUTCH, "::ffff:193.0.6.139", "2001:67c:2e8:22::c100:68b", "203.0.113.77"];
    for (const [index, userAgent] of agents.entries()) {
      const client = addresses[index % addresses.length] ?? "";
      const line = lineOf({ headers: { "user-agent": userAgent, referer: `http://${DUTCH}/` }, address: client });
      const network = networkOf(client).replace("::/64", "");
      const tokens = userAgent.match(/[\w.+-]+\/[\w.]+|\d+[._]\d+[\w.]*/g) ?? [];
      const secrets = [userAgent, client, network, DUTCH, ...tokens.filter((token) => token.length > 3)];
      expect(secrets.filter((secret) => line.includes(secret))).toEqual([]);
    }
    const marked = fc.array(fc.constantFrom("Zqx", "Zqx/1.0", "(Zqx; Zqx)", "Android", "Mozilla/5.0", "Chrome/1"));
    fc.assert(
      fc.property(marked, fc.ipV6(), (words, client) => {
        const line = lineOf({ headers: { "user-agent": words.join(" ") }, address: client });
        expect(line.includes("Zqx") || line.includes(client)).toBe(false);
      }),
    );
  });
});
