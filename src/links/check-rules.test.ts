import { expect, test } from "bun:test";
import { LinkCreate } from "#contract/link-record.ts";
import { checkRules } from "./check-rules.ts";

const url = "https://example.com/";
const destinations = { ownHosts: ["s.example"], shortenerHosts: new Set<string>(), allowPrivate: false };
const problemsOf = (...rules: unknown[]): string[] => {
  const { rules: parsed } = LinkCreate.parse({ destination_url: url, rules });
  return checkRules(parsed ?? [], destinations).map(({ field, code, message }) => `${field} ${code} ${message}`);
};
const when = (conditions: object): string[] => problemsOf({ when: conditions, destination_url: url });

test("rules with words that visitors have are accepted", () => {
  expect(
    problemsOf(
      { name: "ios-de", when: { os: ["iOS"], country: ["DE", "AT"] }, destination_url: url },
      {
        when: { time: { days: ["mon", "tue"], from: "22:00", to: "06:00", timezone: "Europe/Berlin" } },
        destination_url: url,
      },
      {
        when: { referrer: ["news.example.com"], query: { ref: "x", any: true }, not: { language: ["de"] } },
        destination_url: url,
      },
      {
        split: [
          { weight: 60, destination_url: url },
          { name: "b", weight: 40, destination_url: url },
        ],
      },
    ),
  ).toEqual([]);
});

test("a word that no visitor can have is refused, with the nearest one", () => {
  expect(when({ os: ["IOS"] })).toEqual(['rules.0.when.os.0 not_in_enum No visitor has "IOS". Did you mean "iOS"?']);
  expect(when({ browser: ["Firefix"] })[0]).toContain('Did you mean "Firefox"?');
  expect(when({ device: ["phone"] })[0]).toContain("There are: desktop, mobile, tablet, other.");
  expect(when({ not: { source: ["QR"] } })[0]).toStartWith("rules.0.when.not.source.0 not_in_enum");
  for (const country of ["de", "ZZ", "Q"]) expect(when({ country: [country] })).toHaveLength(1);
  for (const language of ["DE", "qqq"]) expect(when({ language: [language] })).toHaveLength(1);
  for (const host of ["https://a.example", "Example.com", ".a", "a..b"])
    expect(when({ referrer: [host] })).toHaveLength(1);
});

test("times must make sense", () => {
  expect(when({ time: { timezone: "Mars/Olympus" } })[0]).toStartWith("rules.0.when.time.timezone invalid_timezone");
  const backwards = { after: "2026-02-01T00:00:00Z", before: "2026-01-01T00:00:00Z" };
  expect(when({ time: backwards })[0]).toStartWith("rules.0.when.time.before out_of_range");
});

test("a rule leads somewhere, in one way or another, and names differ", () => {
  const split = [
    { name: "a", weight: 1, destination_url: url },
    { name: "a", weight: 1, destination_url: url },
  ];
  expect(problemsOf({ name: "x" })[0]).toStartWith("rules.0 required");
  expect(problemsOf({ destination_url: url, split })[0]).toStartWith("rules.0 required");
  expect(problemsOf({ split })).toEqual(['rules.0.split.1.name duplicate_parameter "a" is used twice.']);
  expect(problemsOf({ name: "x", destination_url: url }, { name: "x", destination_url: url })[0]).toStartWith(
    "rules.1.name",
  );
});

test("every destination follows the rules of destinations, and all that don't are named", () => {
  const split = [
    { weight: 1, destination_url: "https://s.example/a" },
    { weight: 1, destination_url: "ftp://example.com/" },
  ];
  const problems = problemsOf({ destination_url: "https://10.0.0.1/" }, { split });
  expect(problems.map((problem) => problem.split(" ", 2).join(" "))).toEqual([
    "rules.0.destination_url host_not_allowed",
    "rules.1.split.0.destination_url self_reference",
    "rules.1.split.1.destination_url scheme_not_allowed",
  ]);
});
