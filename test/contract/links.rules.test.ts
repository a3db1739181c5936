import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { LinkCreate } from "#sdk/generated.ts";
import {
  type Api,
  type Caller,
  errorFrom,
  fieldErrorsOf,
  newLink,
  smallPlans,
  startApi,
} from "#test/support/api-client.ts";
import { until } from "#test/support/until.ts";
import { visit } from "#test/support/visit.ts";

type Rules = NonNullable<LinkCreate["rules"]>;
type Conditions = NonNullable<Rules[number]["when"]>;

let api: Api;
let owner: Caller;
const directory = mkdtempSync(join(tmpdir(), "kurz-rules-"));
const blocklist = join(directory, "blocklist.txt");

beforeAll(async () => {
  writeFileSync(blocklist, "phishing bad.example\n");
  api = await startApi({ ...smallPlans, KURZ_BLOCKLIST_FILE: blocklist });
  owner = await api.newCaller();
});
afterAll(async () => {
  await api.stop();
  rmSync(directory, { recursive: true });
});

const to = (path: string): string => `https://example.com/${path}`;
const ruleWith = (when: object, name?: string) => ({
  ...(name !== undefined && { name }),
  ...(Object.keys(when).length > 0 && { when: when as Conditions }),
  destination_url: to("a"),
});
const problemsOf = async (rules: unknown): Promise<string[]> =>
  fieldErrorsOf(await errorFrom(newLink(owner.kurz, { rules: rules as Rules }), "validation_failed"));
const messageOf = async (when: object): Promise<string> =>
  (await errorFrom(newLink(owner.kurz, { rules: [ruleWith(when)] }), "validation_failed")).message;

describe("conditions", () => {
  test.each<[string, Conditions]>([
    ["country", { country: ["DE", "AT"] }],
    ["language", { language: ["de", "yue"] }],
    ["device", { device: ["desktop", "mobile", "tablet", "other"] }],
    ["os", { os: ["iOS", "Chrome OS"] }],
    ["browser", { browser: ["Firefox", "Samsung Internet"] }],
    ["referrer", { referrer: ["news.example", "xn--bcher-kva.example"] }],
    ["source", { source: ["qr", "link"] }],
    ["query", { query: { ref: "x", "a b": true, empty: "" } }],
    ["time as a range", { time: { after: "2026-01-01T00:00:00.000Z", before: "2026-02-01T00:00:00.000Z" } }],
    ["time as hours", { time: { days: ["mon", "sun"], from: "22:00", to: "06:00", timezone: "Europe/Berlin" } }],
    ["not", { not: { country: ["DE"], query: { a: true }, time: { timezone: "UTC" } } }],
  ])("%s is accepted and returned as sent", async (_, when) => {
    const { rules } = await newLink(owner.kurz, { rules: [ruleWith(when, "one")] });
    expect(rules).toEqual([{ name: "one", when, destination_url: to("a") }]);
  });

  test("have timestamps as in every answer", async () => {
    const range = { after: "2026-01-01T00:00:00+01:00", before: "2026-02-01T00:00:00Z" };
    const { rules } = await newLink(owner.kurz, { rules: [ruleWith({ time: range, not: { time: range } })] });
    const stored = { after: "2025-12-31T23:00:00.000Z", before: "2026-02-01T00:00:00.000Z" };
    expect(rules[0]?.when).toEqual({ time: stored, not: { time: stored } });
  });

  test("with a word that no visitor can have are refused, and the nearest is named", async () => {
    expect(await messageOf({ os: ["Andriod"] })).toContain('Did you mean "Android"?');
    expect(await messageOf({ browser: ["firefox"] })).toContain('Did you mean "Firefox"?');
    expect(await messageOf({ device: ["moblie"] })).toContain('Did you mean "mobile"?');
    expect(await messageOf({ source: ["q"] })).toContain('Did you mean "qr"?');
    expect(await messageOf({ not: { country: ["de"] } })).toContain('Did you mean "DE"?');
    expect(await messageOf({ country: ["Germany"] })).toContain('Did you mean "DE"?');
    expect(await messageOf({ language: ["de-AT"] })).toBe(
      'rules.0.when.language.0: No visitor has "de-AT". Did you mean "de"?',
    );
    expect(await messageOf({ referrer: ["https://news.example/"] })).toContain('Did you mean "news.example"?');
    expect(await problemsOf([ruleWith({ weather: ["sunny"] })])).toEqual(["body rules.0.when.weather unknown_field"]);
    expect(await problemsOf([ruleWith({ not: { not: {} } })])).toEqual(["body rules.0.when.not.not unknown_field"]);
  });
});

describe("conditions without anything in them", () => {
  test.each<[string, object, string]>([
    ["no parameter", { query: {} }, "query: Give at least one parameter, or leave out query."],
    ["nothing in not", { not: {} }, "not: Give at least one condition, or leave out not."],
    ["no parameter in not", { not: { query: {} } }, "not.query: Give at least one parameter, or leave out query."],
    ["an empty list", { country: [] }, "country: Must have at least 1 item."],
  ])("%s are refused: someone who sends them would mean nobody, and get everybody", async (_, when, told) => {
    expect(await messageOf(when)).toBe(`rules.0.when.${told}`);
    const [problem] = await problemsOf([ruleWith(when)]);
    expect(problem).toBe(`body rules.0.when.${told.split(":", 1)[0]} too_short`);
  });

  test("and so is an empty when, which can be left out", async () => {
    const error = await errorFrom(
      newLink(owner.kurz, { rules: [{ when: {}, destination_url: to("a") }] }),
      "validation_failed",
    );
    expect(error.message).toBe(
      "rules.0.when: Give at least one condition, or leave out when: the rule then always decides.",
    );
    expect((await newLink(owner.kurz, { rules: [ruleWith({})] })).rules[0]).not.toHaveProperty("when");
  });
});

describe("times that make no sense", () => {
  test.each<[object, string]>([
    [{ days: ["monday"], timezone: "UTC" }, "days.0: Must be one of: mon, tue, wed, thu, fri, sat, sun."],
    [{ days: ["mon"] }, "timezone: Days and hours need a time zone, such as Europe/Berlin."],
    [{ from: "9:00", timezone: "UTC" }, "from: Must be a time such as 09:30."],
    [{ timezone: "Mars/Olympus" }, "timezone: Must be an IANA time zone name, such as Europe/Berlin."],
  ])("%j are refused in words, by field", async (time, told) => {
    expect(await messageOf({ time })).toBe(`rules.0.when.time.${told}`);
    expect(await messageOf({ not: { time } })).toBe(`rules.0.when.not.time.${told}`);
  });

  test("because there is none are refused, too", async () => {
    const told = "rules.0.when.time: Give after, before or both, or days and hours with their timezone.";
    expect(await messageOf({ time: {} })).toBe(told);
  });
});

describe("a list of rules", () => {
  test("names those without a name, and refuses a name that is used twice", async () => {
    const url = to("a");
    const { rules } = await newLink(owner.kurz, {
      rules: [
        { destination_url: url },
        { name: "rule-1", destination_url: url },
        {
          split: [
            { weight: 1, destination_url: url },
            { name: "b", weight: 1000, destination_url: url },
          ],
        },
      ],
    });
    expect(rules.map(({ name }) => name)).toEqual(["rule-2", "rule-1", "rule-3"]);
    expect(rules[2]?.split?.map(({ name }) => name)).toEqual(["way-1", "b"]);
    expect(await problemsOf([ruleWith({}, "a"), ruleWith({}, "a")])).toEqual(["body rules.1.name duplicate_parameter"]);
    expect(await problemsOf([ruleWith({}, "A b")])).toEqual(["body rules.0.name invalid_format"]);
    expect(await problemsOf([ruleWith({}, "x".repeat(33))])).toEqual(["body rules.0.name invalid_format"]);
  });

  test("has at most 20 rules, 10 ways and weights up to 1000", async () => {
    const twenty = Array.from({ length: 20 }, () => ruleWith({ country: ["DE"] }));
    expect((await newLink(owner.kurz, { rules: twenty })).rules).toHaveLength(20);
    expect(await problemsOf([...twenty, ruleWith({})])).toEqual(["body rules too_long"]);
    const ways = (count: number, weight = 1) => [
      { split: Array.from({ length: count }, () => ({ weight, destination_url: to("a") })) },
    ];
    expect((await newLink(owner.kurz, { rules: ways(10, 1000) })).rules[0]?.split).toHaveLength(10);
    expect(await problemsOf(ways(11))).toEqual(["body rules.0.split too_long"]);
    expect(await problemsOf(ways(1))).toEqual(["body rules.0.split too_short"]);
    for (const weight of [0, 1001])
      expect(await problemsOf(ways(2, weight))).toContain("body rules.0.split.0.weight out_of_range");
    expect(await problemsOf([{ name: "nowhere" }])).toEqual(["body rules.0 required"]);
  });

  test("is replaced as a whole by a patch, cleared by null, and left alone otherwise", async () => {
    const { id } = await newLink(owner.kurz, { rules: [ruleWith({}, "a"), ruleWith({}, "b")] });
    const patch = async (body: object) => (await owner.kurz.links.update(id, body)).rules.map(({ name }) => name);
    expect(await patch({ title: "x" })).toEqual(["a", "b"]);
    expect(await patch({ rules: [ruleWith({}, "c")] })).toEqual(["c"]);
    expect(await patch({ rules: null })).toEqual([]);
    expect((await owner.kurz.links.update(id, { rules: [] })).version).toBe(4);
  });
});

describe("destinations of rules", () => {
  test("pass the checks of destination_url, with their place in the error", async () => {
    const link = await newLink(owner.kurz);
    const split = [to("a"), "https://10.0.0.1/"].map((destination_url) => ({ weight: 1, destination_url }));
    expect(await problemsOf([{ destination_url: link.short_url }, { split }])).toEqual([
      "body rules.0.destination_url self_reference",
      "body rules.1.split.1.destination_url host_not_allowed",
    ]);
    const long = { destination_url: to("x".repeat(7970)) };
    expect((await newLink(owner.kurz, { rules: [long] })).rules).toHaveLength(1);
    const utm = { utm_source: "newsletter" };
    const error = await errorFrom(newLink(owner.kurz, { utm, rules: [long] }), "validation_failed");
    expect(fieldErrorsOf(error)).toEqual(["body rules.0.destination_url too_long"]);
  });

  test("on the block list are refused, and block a link that has them when the list changes", async () => {
    const rules = (host: string) => [{ destination_url: to("a") }, { destination_url: `https://${host}/` }];
    const refused = await errorFrom(newLink(owner.kurz, { rules: rules("www.bad.example") }), "destination_blocked");
    expect(refused.details).toEqual({ reason: "phishing", field: "rules.1.destination_url" });
    const link = await newLink(owner.kurz, { rules: rules("later.example") });
    const expiring = await newLink(owner.kurz, { expired_url: "https://later.example/" });
    const patch = owner.kurz.links.update(link.id, { rules: rules("bad.example") });
    expect((await errorFrom(patch, "destination_blocked")).details.field).toBe("rules.1.destination_url");

    writeFileSync(blocklist, "phishing bad.example\nmalware later.example\n");
    for (const { id } of [link, expiring])
      await until("the link is blocked", async () => (await owner.kurz.links.get(id)).blocked?.reason === "malware");
    expect((await visit(api.server, `/${link.slug}`)).status).toBe(410);
    // What is not new stays, so that the rest of the link can be changed.
    expect((await owner.kurz.links.update(link.id, { title: "x" })).title).toBe("x");

    writeFileSync(blocklist, "phishing bad.example\n");
    await until("the link is open again", async () => (await owner.kurz.links.get(link.id)).blocked === null);
  });
});

describe("the plan", () => {
  test("limits the rules that are set; those that a link has stay", async () => {
    const { kurz, account } = await api.newCaller({ plan: "unlimited" });
    const three = ["a", "b", "c"].map((name) => ruleWith({}, name));
    const { id } = await newLink(kurz, { rules: three });
    await api.operator.setPlan(account, "trio");
    const limit = { feature: "rules_per_link", limit: 2 };
    expect((await errorFrom(newLink(kurz, { rules: three }), "plan_limit")).details).toEqual(limit);
    expect((await kurz.links.update(id, { title: "x", rules: three })).rules).toHaveLength(3);
    expect(await kurz.links.resolve(id, { rules: three })).toMatchObject({ rule: "a" });
    const others = three.map((rule) => ({ ...rule, destination_url: to("b") }));
    expect((await errorFrom(kurz.links.update(id, { rules: others }), "plan_limit")).details).toEqual(limit);
    expect((await errorFrom(kurz.links.resolve(id, { rules: others }), "plan_limit")).details).toEqual(limit);
    expect((await kurz.links.update(id, { rules: others.slice(1) })).rules).toHaveLength(2);
  });
});
