import { z } from "zod";
import type { LinkCreate } from "#contract/link-record.ts";
import { RULES_MAX } from "#contract/rules.ts";
import type { BrowserName, OsName } from "#contract/visitor-words.ts";
import { countedWords } from "./counted-values.ts";
import type { FittedTexts } from "./fit-texts.ts";

type NewRules = NonNullable<LinkCreate["rules"]>;
type When = NonNullable<NewRules[number]["when"]>;

const ShlinkRule = z.object({
  longUrl: z.string(),
  priority: z.number().default(0),
  conditions: z.array(z.object({ type: z.string(), matchKey: z.string().nullish(), matchValue: z.string().nullish() })),
});
type Condition = z.output<typeof ShlinkRule>["conditions"][number];

/** Shlink calls kinds of operating systems devices. */
const systems: Readonly<Record<string, readonly OsName[]>> = {
  android: ["Android"],
  ios: ["iOS"],
  mobile: ["Android", "iOS"],
  windows: ["Windows"],
  macos: ["macOS"],
  linux: ["Linux"],
  chromeos: ["Chrome OS"],
  desktop: ["Windows", "macOS", "Linux", "Chrome OS"],
};
const browsers: Readonly<Record<string, BrowserName>> = {
  chrome: "Chrome",
  firefox: "Firefox",
  edge: "Edge",
  safari: "Safari",
  opera: "Opera",
  android_browser: "Android Browser",
};

/** What Shlink had before it had rules: other destinations for some devices. */
export const rulesOfDevices = (urls: Readonly<Record<string, string | null>>): z.input<typeof ShlinkRule>[] =>
  Object.entries(urls).flatMap(([device, longUrl]) =>
    longUrl === null ? [] : [{ longUrl, conditions: [{ type: "device", matchValue: device }] }],
  );

/** Only rules that decide as they did there; one that can't be expressed in full is left out. */
export function rulesOf(rules: readonly unknown[], texts: FittedTexts): NewRules {
  const known = rules.flatMap((rule) => ShlinkRule.safeParse(rule).data ?? []);
  const ordered = known.toSorted((a, b) => a.priority - b.priority);
  const converted = ordered.flatMap(({ longUrl, conditions }): NewRules => {
    const when = whenOf(conditions);
    return when ? [{ when, destination_url: longUrl }] : [];
  });
  if (converted.length < rules.length)
    texts.lose("A redirect rule asks for something that rules here can't: it is left out");
  if (converted.length > RULES_MAX) texts.lose(`Only ${RULES_MAX} rules are kept`);
  return converted.slice(0, RULES_MAX);
}

/** All conditions at once; `null` if that can't be said. */
function whenOf(conditions: readonly Condition[]): When | null {
  let when: When = {};
  for (const condition of conditions) {
    const added = conditionOf(condition);
    const joined = added && join(when, added);
    if (!joined) return null;
    when = joined;
  }
  return Object.keys(when).length > 0 ? when : null;
}

function conditionOf({ type, matchKey, matchValue }: Condition): When | null {
  const value = matchValue ?? "";
  const key = matchKey ?? "";
  switch (type) {
    case "device":
      return systems[value] ? { os: [...systems[value]] } : null;
    case "browser":
      return browsers[value] ? { browser: [browsers[value]] } : null;
    case "language":
      // A language of one country, such as en-US, is narrower than what rules here can ask for.
      return /^[a-z]{2,3}$/i.test(value) ? { language: [value.toLowerCase()] } : null;
    case "geolocation-country-code":
      return countedWords.country(value) === "" ? null : { country: [countedWords.country(value)] };
    case "query-param":
      return key === "" ? null : { query: { [key]: value } };
    case "any-value-query-param":
      return key === "" ? null : { query: { [key]: true } };
    case "valueless-query-param":
      return key === "" ? null : { query: { [key]: "" } };
    case "before-date":
      return { time: { before: value } };
    case "after-date":
      return { time: { after: value } };
    default:
      return null;
  }
}

const lists = ["os", "browser", "language", "country"] as const;

/** Both at once; `null` if no visitor can have both, or they can't be said together. */
function join(first: When, second: When): When | null {
  const joined: When = { ...first, ...second };
  for (const name of lists) {
    const [one, other] = [first[name], second[name]];
    if (!one || !other) continue;
    const both = one.filter((word) => other.includes(word));
    if (both.length === 0) return null;
    joined[name] = both;
  }
  if (first.query && second.query) {
    if (Object.keys(second.query).some((name) => name in (first.query ?? {}))) return null;
    joined.query = { ...first.query, ...second.query };
  }
  if (first.time && second.time) {
    const [one, other] = [first.time, second.time];
    if (Object.keys(other).some((name) => name in one)) return null;
    joined.time = { ...one, ...other };
  }
  return joined;
}
