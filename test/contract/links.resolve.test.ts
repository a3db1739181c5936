import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import type { Link, LinkVisit, Resolution } from "#sdk/generated.ts";
import { type Api, type Caller, errorFrom, fieldErrorsOf, joinApi, newLink } from "#test/support/api-client.ts";
import { visit } from "#test/support/visit.ts";

let api: Api;
let owner: Caller;
let link: Link;

const IPHONE =
  "Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.5 Mobile/15E148 Safari/604.1";
const to = (path: string): string => `https://example.com/${path}`;

beforeAll(async () => {
  api = await joinApi();
  owner = await api.newCaller();
  link = await newLink(owner.kurz, {
    destination_url: to("plain?a=1"),
    utm: { utm_source: "mail" },
    rules: [
      { name: "ios-de", when: { os: ["iOS"], country: ["DE", "AT"] }, destination_url: to("ios") },
      { name: "news", when: { referrer: ["news.example"], not: { source: ["qr"] } }, destination_url: to("news") },
      {
        name: "test",
        when: { query: { ref: "x" } },
        split: [
          { name: "a", weight: 1, destination_url: to("a") },
          { name: "b", weight: 3, destination_url: to("b") },
        ],
      },
    ],
  });
});
afterAll(() => api.stop());

const resolve = (visit: LinkVisit = {}, { id } = link): Promise<Resolution> => owner.kurz.links.resolve(id, visit);

describe("200", () => {
  test("without a rule that holds is the link's own destination, with what speaks against each rule", async () => {
    const location = to("plain?a=1&utm_source=mail&b=2");
    expect(await resolve({ query: "b=2&a=3" })).toEqual({
      status: 302,
      location,
      obstacles: [],
      destination_url: location,
      rule: null,
      way: null,
      ways: [],
      rules: [
        { name: "ios-de", decides: false, failed: ["country", "os"] },
        { name: "news", decides: false, failed: ["referrer"] },
        { name: "test", decides: false, failed: ["query.ref"] },
      ],
    });
  });

  test("reads user agent, languages and referring page as a click does", async () => {
    expect(await resolve({ user_agent: IPHONE, country: "AT" })).toMatchObject({ rule: "ios-de" });
    expect(await resolve({ user_agent: IPHONE, os: "Android", country: "AT" })).toMatchObject({ rule: null });
    for (const referrer of ["news.example", "https://www.news.example/a?b", "http://news.example:8080/"])
      expect(await resolve({ referrer })).toMatchObject({ rule: "news" });
    expect((await resolve({ referrer: "news.example", query: "qr=1" })).rules[1]?.failed).toEqual(["not.source"]);
    const rules = [{ name: "german", when: { language: ["de"] }, destination_url: to("de") }];
    expect(await resolve({ language: "de-AT,en;q=0.5", rules })).toMatchObject({ rule: "german" });
    expect(await resolve({ language: "en,de;q=0.5", rules })).toMatchObject({ rule: null });
  });

  test("takes a query that begins with a second question mark as visits do", async () => {
    expect(await resolve({ query: "?ref=x" })).toMatchObject({
      rule: null,
      location: to("plain?a=1&utm_source=mail&?ref=x"),
    });
  });

  test("names the ways of a split with their chances, the likeliest first of all", async () => {
    expect(await resolve({ query: "ref=x" })).toMatchObject({
      location: to("b?utm_source=mail&ref=x"),
      rule: "test",
      way: { name: "b", chance: 0.75 },
      ways: [
        { name: "a", chance: 0.25, destination_url: to("a?utm_source=mail&ref=x") },
        { name: "b", chance: 0.75, destination_url: to("b?utm_source=mail&ref=x") },
      ],
    });
  });

  test("tries rules and a destination that aren't saved", async () => {
    const rules = [
      {
        when: { time: { days: ["mon" as const], from: "09:00", to: "17:00", timezone: "Europe/Berlin" } },
        destination_url: to("office"),
      },
    ];
    expect(await resolve({ rules, at: "2026-06-15T07:00:00Z" })).toMatchObject({ rule: "rule-1" });
    expect(await resolve({ rules, at: "2026-06-15T06:59:59Z", destination_url: to("other") })).toMatchObject({
      location: to("other?utm_source=mail"),
      rules: [{ name: "rule-1", failed: ["time"] }],
    });
    expect((await resolve({ rules: null, query: "ref=x" })).rules).toEqual([]);
    expect(await owner.kurz.links.get(link.id)).toEqual(link);
  });

  test("says why visitors don't get there, and where the rules lead all the same", async () => {
    const paused = await newLink(owner.kurz, { expires_at: "2099-01-01T00:00:00Z" });
    await owner.kurz.links.pause(paused.id);
    expect(await resolve({ at: "2099-01-02T00:00:00Z" }, paused)).toMatchObject({
      status: 410,
      location: null,
      obstacles: [
        { code: "expired", message: "The link has been expired since 2099-01-01T00:00:00.000Z." },
        { code: "paused", message: "The link is paused." },
      ],
      destination_url: paused.destination_url,
    });
    expect(await resolve({}, paused)).toMatchObject({ status: 404, location: null, obstacles: [{ code: "paused" }] });
  });

  test("says what guards a link, and what programs get", async () => {
    const bot = "Mozilla/5.0 (compatible; Discordbot/2.0; +https://discordapp.com)";
    const once = await newLink(owner.kurz, { max_clicks: 1, redirect_status: 301 });
    expect(await resolve({ user_agent: IPHONE }, once)).toMatchObject({ status: 302, obstacles: [] });
    expect(await resolve({ user_agent: bot }, once)).toMatchObject({ status: 200, obstacles: [{ code: "bot" }] });
    const { status } = await visit(api.server, `/${once.slug}`, { headers: { "user-agent": IPHONE } });
    expect(status).toBe(302);
    const over = [{ code: "exhausted", message: "The only click that the link allows is used up." }];
    expect(await resolve({ user_agent: bot }, once)).toMatchObject({ status: 410, obstacles: over });
    const secret = await newLink(owner.kurz, { password: "open sesame", starts_at: "2099-01-01T00:00:00Z" });
    expect(await resolve({}, secret)).toMatchObject({
      status: 404,
      obstacles: [{ code: "scheduled" }, { code: "password" }],
    });
    const shown = await newLink(owner.kurz, { preview: { title: "Sale" } });
    expect(await resolve({ user_agent: bot }, shown)).toMatchObject({ status: 200, obstacles: [{ code: "card" }] });
    expect(await resolve({ user_agent: IPHONE }, shown)).toMatchObject({ status: 302 });
  });

  test("includes where else visitors are led, and what follows the slug", async () => {
    const ended = await newLink(owner.kurz, { expires_at: "2099-01-01T00:00:00Z", expired_url: to("over") });
    expect(await resolve({ at: "2100-01-01T00:00:00Z" }, ended)).toMatchObject({ status: 302, location: to("over") });
    const deep = await newLink(owner.kurz, { destination_url: to("base"), forward_path: true, forward_query: false });
    expect(await resolve({ path: "/a/b", query: "x=1" }, deep)).toMatchObject({ location: to("base/a/b") });
    for (const [link, path] of [
      [ended, "/a"],
      [deep, "/../a"],
    ] as const)
      expect(await resolve({ path }, link)).toMatchObject({ status: 404, obstacles: [{ code: "path" }] });
  });

  test("counts nothing", async () => {
    await resolve({ user_agent: IPHONE });
    expect((await owner.kurz.links.get(link.id)).click_count).toBe(0);
  });
});

describe("422", () => {
  const refusalOf = async (visit: object) =>
    (await errorFrom(resolve(visit as LinkVisit), "validation_failed")) as { code: string; message: string };

  test("names the nearest word that visitors can have", async () => {
    expect((await refusalOf({ os: "IOS" })).message).toBe('os: No visitor has "IOS". Did you mean "iOS"?');
    expect(fieldErrorsOf(await refusalOf({ country: "de", browser: "Netscape" }))).toEqual([
      "body browser not_in_enum",
      "body country not_in_enum",
    ]);
  });

  test("says what a language, a referrer and a query look like", async () => {
    const messageOf = async (visit: object) => (await refusalOf(visit)).message;
    const language = "language: Must be a language tag, such as de or de-AT, or an Accept-Language header.";
    for (const text of ["German", "d", "de_AT", "de;q=2", "de;q=1.5", ""])
      expect(await messageOf({ language: text })).toBe(language);
    const referrer = "referrer: Must be a URL or host name, such as example.com.";
    for (const text of ["not a url", "https://", "a..b/ c", "ftp://x", "file:///x", "https://192.0.2.1/", ""])
      expect(await messageOf({ referrer: text })).toBe(referrer);
    expect(await messageOf({ query: "? a" })).toBe("query: Must be percent-encoded.");
    expect(fieldErrorsOf(await refusalOf({ language: "German", referrer: "not a url" }))).toEqual([
      "body language invalid_format",
      "body referrer invalid_format",
    ]);
  });

  test("refuses rules and destinations that couldn't be saved", async () => {
    const rules = [{ when: { device: ["fridge"] }, destination_url: to("a") }];
    expect(fieldErrorsOf(await refusalOf({ rules }))).toEqual(["body rules.0.when.device.0 not_in_enum"]);
    expect(fieldErrorsOf(await refusalOf({ destination_url: "https://10.0.0.1/" }))).toEqual([
      "body destination_url host_not_allowed",
    ]);
    const home = [{ destination_url: link.short_url }];
    expect(fieldErrorsOf(await refusalOf({ rules: home }))).toEqual(["body rules.0.destination_url self_reference"]);
  });
});

test("another account's link is not found", async () => {
  const stranger = await api.newCaller();
  await errorFrom(stranger.kurz.links.resolve(link.id), "not_found");
});
