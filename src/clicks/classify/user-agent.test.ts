import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { browserFamilies, osFamilies } from "./families.ts";
import { classifyUserAgent } from "./user-agent.ts";
import { userAgentCorpus } from "./user-agents.corpus.ts";

interface Sample {
  readonly expected: string;
  readonly userAgent: string;
}

function readCorpus(): readonly Sample[] {
  let expected = "";
  return userAgentCorpus.split("\n").flatMap((line) => {
    if (line.startsWith("# ")) expected = line.slice(2);
    return line === "" || line.startsWith("# ") ? [] : [{ expected, userAgent: line }];
  });
}

function describeAgent(userAgent: string): string {
  const { isBot, device, browser, os } = classifyUserAgent(userAgent);
  return isBot ? "bot" : `${device} | ${browser} | ${os}`;
}

const samples = readCorpus();
const families = new Set(["", ...browserFamilies.values(), ...osFamilies.values()]);

describe("the classes of user agents", () => {
  test("the corpus has been read, each user agent once", () => {
    expect(samples.length).toBeGreaterThanOrEqual(200);
    expect(new Set(samples.map(({ userAgent }) => userAgent)).size).toBe(samples.length);
  });

  test("every user agent of the corpus gets its class", () => {
    const wrong = samples
      .map(({ expected, userAgent }) => ({ expected, userAgent, got: describeAgent(userAgent) }))
      .filter(({ expected, got }) => got !== expected);
    expect(wrong).toEqual([]);
  });

  test("who sends no user agent is no human", () => {
    for (const nothing of ["", " ", "\t "]) {
      expect(classifyUserAgent(nothing)).toEqual({ isBot: true, device: "", browser: "", os: "" });
    }
  });

  test("a bot has neither browser nor operating system, whatever it pretends", () => {
    const bots = samples.filter(({ expected }) => expected === "bot");
    expect(bots.length).toBeGreaterThan(80);
    for (const { userAgent } of bots) {
      expect(classifyUserAgent(userAgent)).toEqual({ isBot: true, device: "other", browser: "", os: "" });
    }
  });

  test("whatever is sent, families come out of the fixed lists", () => {
    const word = fc.oneof(
      fc.constantFrom("Mozilla/5.0", "(", ")", ";", "Android 9", "Macintosh", "Version/1", "constructor/1", "like "),
      fc.string({ maxLength: 12 }),
    );
    const userAgent = fc.array(word, { maxLength: 30 }).map((words) => words.join(" ").slice(0, 512));
    fc.assert(
      fc.property(userAgent, (text) => {
        const { device, browser, os } = classifyUserAgent(text);
        expect(["", "desktop", "mobile", "tablet", "other"]).toContain(device);
        expect(families.has(browser) && families.has(os)).toBe(true);
      }),
      { numRuns: 500 },
    );
  });
});
