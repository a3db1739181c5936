import { describe, expect, test } from "bun:test";
import { browserFamilies, osFamilies } from "#clicks/classify/families.ts";
import { encodeClick, openClickShapes } from "#clicks/click-shapes.ts";
import { type Click, parseClick } from "#engines/clicks/click-format.ts";
import { textsOfAll } from "#test/support/click-slices.ts";
import { type ClickPlan, clickLines } from "./click-lines.ts";
import { countries } from "./countries.ts";
import { byPopularity, sampleLinks } from "./sample-links.ts";

const DAY_MS = 86_400_000;
const HOUR_MS = 3_600_000;
const RANGE = { fromMs: Date.UTC(2026, 0, 10, 7, 31), toMs: Date.UTC(2026, 2, 11, 18, 2) };
const CLICKS = 50_000;

function planOf(fields: Partial<ClickPlan> = {}): ClickPlan {
  const samples = sampleLinks(60, RANGE, 3).map((link, index) => ({ ...link, no: index + 1 }));
  const targets = byPopularity(samples, RANGE.fromMs, 3).map(({ no, createdMs, channel, body }) => ({
    accountNo: 7,
    linkNo: no,
    createdMs,
    channel,
    utm: body.utm,
  }));
  return { targets, clicks: CLICKS, ...RANGE, seed: 3, ...fields };
}

const textOf = (plan: ClickPlan): string => [...clickLines(plan)].map(({ lines }) => lines).join("");
const clicksIn = (plan: ClickPlan): Click[] => {
  const chunks = [...clickLines(plan)].map(({ lines, uses }) => ({ line: lines, uses }));
  const textsOf = textsOfAll(chunks);
  return chunks.flatMap(({ line }) =>
    line
      .split("\n")
      .slice(0, -1)
      .map((one) => parseClick(`${one}\n`, textsOf)),
  );
};

describe("sample clicks", () => {
  const plan = planOf();
  const text = textOf(plan);
  const hits = clicksIn(plan);
  const clicks = hits.filter(({ bot }) => !bot);

  test("are the same for the same seed, and different for another", () => {
    expect(textOf(planOf())).toBe(text);
    expect(textOf(planOf({ seed: 4 }))).not.toBe(text);
  });

  test("are written like those of redirects", () => {
    const shapes = openClickShapes();
    const written = hits.map((click) => encodeClick(click, shapes));
    const textsOf = textsOfAll(written);
    expect(written.map(({ line }) => parseClick(line, textsOf))).toEqual(hits);
    expect(written[0]?.line.split("\t")).toHaveLength(text.slice(0, text.indexOf("\n")).split("\t").length);
    for (const { browser, os, source, visitor } of hits) {
      expect(browser === "" || [...browserFamilies.values()].some((name) => name === browser)).toBe(true);
      expect(os === "" || [...osFamilies.values()].some((name) => name === os)).toBe(true);
      expect(["link", "qr"]).toContain(source);
      expect(visitor).toMatch(/^([0-9a-f]{16})?$/);
    }
  });

  test("have the domain of their link, and its rules as often as they decide", () => {
    const rules = [
      ["ios", 1],
      ["test/a", 3],
      ["", 4],
    ] as const;
    const targets = plan.targets.map((target, rank) =>
      rank === 0 ? { ...target, domain: "go.acme.example", rules } : target,
    );
    const decided = clicksIn(planOf({ targets }));
    const first = decided.filter(({ link_no }) => link_no === targets[0]?.linkNo);
    const shareOf = (name: string) => first.filter(({ rule }) => rule === name).length / first.length;
    for (const [rule, weight] of rules) expect(shareOf(rule)).toBeCloseTo(weight / 8, 1);
    expect(new Set(first.map(({ domain }) => domain))).toEqual(new Set(["go.acme.example"]));
    const others = decided.filter((click) => !first.includes(click));
    expect(new Set(others.flatMap(({ domain, rule }) => [domain, rule]))).toEqual(new Set([""]));
  });

  test("are exactly as many as asked for, counted chunk by chunk, not including bots", () => {
    expect(clicks).toHaveLength(CLICKS);
    const chunks = [...clickLines(plan)];
    expect(chunks.reduce((sum, chunk) => sum + chunk.clicks, 0)).toBe(CLICKS);
    expect(chunks.reduce((sum, chunk) => sum + chunk.botHits, 0)).toBe(hits.length - CLICKS);
    expect(hits.length).toBeGreaterThan(1.1 * CLICKS);
    for (const few of [0, 1, 2, 17])
      expect(clicksIn(planOf({ clicks: few })).filter(({ bot }) => !bot)).toHaveLength(few);
  });

  test("are in chronological order, within the range, and never before their link was created", () => {
    const createdMs = new Map(plan.targets.map((target) => [target.linkNo, target.createdMs]));
    for (const [index, { at_ms, link_no }] of hits.entries()) {
      expect(at_ms).toBeGreaterThanOrEqual(hits[index - 1]?.at_ms ?? RANGE.fromMs);
      expect(at_ms).toBeGreaterThanOrEqual(createdMs.get(link_no) ?? Number.POSITIVE_INFINITY);
    }
    expect(hits.at(-1)?.at_ms).toBeLessThan(RANGE.toMs);
  });

  test("never happen after their link has ended", () => {
    const endedMs = (RANGE.fromMs + RANGE.toMs) / 2;
    const targets = plan.targets.map((target, rank) => (rank % 3 === 1 ? { ...target, endedMs } : target));
    const ended = new Set(targets.filter((target) => "endedMs" in target).map(({ linkNo }) => linkNo));
    const times = clicksIn(planOf({ targets }))
      .filter(({ link_no }) => ended.has(link_no))
      .map(({ at_ms }) => at_ms);
    expect(times.length).toBeGreaterThan(0);
    expect(Math.max(...times)).toBeLessThan(endedMs);
  });

  test("concentrate on few links, grow, and follow day and night", () => {
    const [first = 0, second = 0, tenth = 0] = [0, 1, 9].map(
      (rank) => clicks.filter(({ link_no }) => link_no === plan.targets[rank]?.linkNo).length,
    );
    expect(first).toBeGreaterThan(1.5 * second);
    expect(first).toBeGreaterThan(4 * tenth);
    const middle = (RANGE.fromMs + RANGE.toMs) / 2;
    const early = clicks.filter(({ at_ms }) => at_ms < middle).length;
    expect(CLICKS - early).toBeGreaterThan(1.3 * early);
    const german = clicks
      .filter(({ country }) => country === "DE")
      .map(({ at_ms }) => Math.floor(at_ms / HOUR_MS) % 24);
    expect(german.filter((hour) => hour === 18).length).toBeGreaterThan(5 * german.filter((hour) => hour === 2).length);
  });

  test("only have devices, systems and languages that exist together", () => {
    const languages = new Map(countries.map(({ code, languages }) => [code, languages.map(([name]) => name)]));
    for (const { country, language, device, browser, os } of clicks) {
      expect(languages.get(country)).toContain(language);
      if (browser === "Safari") expect(["iOS", "macOS"]).toContain(os);
      if (["Windows", "macOS", "Linux", "Chrome OS"].includes(os)) expect(device).toBe("desktop");
      if (["Android", "iOS"].includes(os)) expect(["mobile", "tablet"]).toContain(device);
    }
    for (const { source, referrer, device } of clicks.filter(({ source }) => source === "qr")) {
      expect({ source, referrer, isHandheld: device !== "desktop" }).toEqual({
        source,
        referrer: "",
        isHandheld: true,
      });
    }
  });

  test("come from visitors who return within a UTC day, but are new on the next", () => {
    const days = new Map<string, Set<number>>();
    for (const { visitor, at_ms } of clicks) {
      if (visitor === "") continue;
      days.set(visitor, (days.get(visitor) ?? new Set()).add(Math.floor(at_ms / DAY_MS)));
    }
    expect([...days.values()].every(({ size }) => size === 1)).toBe(true);
    expect(days.size).toBeLessThan(0.8 * CLICKS);
    expect(days.size).toBeGreaterThan(0.5 * CLICKS);
  });

  test("by people who ask for privacy reveal nothing about them", () => {
    const secret = clicks.filter(({ visitor }) => visitor === "");
    expect(secret.length).toBeGreaterThan(0.01 * CLICKS);
    for (const { referrer, browser, os } of secret)
      expect({ referrer, browser, os }).toEqual({ referrer: "", browser: "", os: "" });
  });

  test("are on new links as often as asked for, while they are new", () => {
    const createdOf = new Map(plan.targets.map(({ linkNo, createdMs }) => [linkNo, createdMs]));
    const shareOf = (found: readonly Click[]): number => {
      const isFresh = ({ link_no, at_ms }: Click) => at_ms - (createdOf.get(link_no) ?? 0) < 14 * DAY_MS;
      return found.filter(isFresh).length / found.length;
    };
    expect(shareOf(hits)).toBeLessThan(0.25);
    expect(shareOf(clicksIn(planOf({ freshShare: 0.5 })))).toBeGreaterThan(0.45);
    const early = clicksIn(planOf({ freshShare: 1 })).filter(
      ({ link_no, at_ms }) => at_ms < (createdOf.get(link_no) ?? 0),
    );
    expect(early).toEqual([]);
  });

  test("need a link that exists for the whole range", () => {
    for (const change of [{ createdMs: RANGE.fromMs + 1 }, { endedMs: RANGE.toMs - 1 }]) {
      const targets = plan.targets.map((target) => ({ ...target, ...change }));
      expect(() => textOf(planOf({ targets }))).toThrow("no link exists for the whole range");
    }
  });
});
