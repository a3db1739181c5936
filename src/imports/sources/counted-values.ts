import { originTextOf, referrerHostOf } from "#clicks/classify/referrer.ts";
import { Remembered } from "#clicks/classify/remembered.ts";
import { classifyUserAgent } from "#clicks/classify/user-agent.ts";
import { utmFieldsOf } from "#clicks/classify/utm.ts";
import { cleanText } from "#clicks/clean-text.ts";
import type { CountedCut } from "#clicks/imported/counted-moment.ts";
import { utmKeys } from "#contract/limits.ts";
import { browserNames, countryCodes, osNames } from "#contract/visitor-words.ts";
import type { CountedDimension } from "#engines/clicks/click-counts.ts";
import { isHostName } from "#shared/host-name.ts";

export type CountedValues = Readonly<Partial<Record<CountedDimension, string>>>;

const named = (names: readonly string[], others: Readonly<Record<string, string>>): ReadonlyMap<string, string> =>
  new Map([...names.map((name) => [name.toLowerCase(), name] as const), ...Object.entries(others)]);

/** Other services' names of what reports call differently. */
const browsers = named(browserNames, {
  ie: "Internet Explorer",
  "mobile safari": "Safari",
  "mobile chrome": "Chrome",
  "chrome webview": "Chrome",
  "chrome headless": "Chrome",
  "mobile firefox": "Firefox",
  "samsung browser": "Samsung Internet",
  gsa: "Google App",
  ucbrowser: "UC Browser",
  "miui browser": "MIUI",
  "opera mobi": "Opera",
  "opera touch": "Opera",
  "huawei browser": "",
});
const systems = named(osNames, {
  "mac os": "macOS",
  macintosh: "macOS",
  "chromium os": "Chrome OS",
  chromeos: "Chrome OS",
  ubuntu: "Linux",
  fedora: "Linux",
  debian: "Linux",
});
const devices = new Map([
  ...["desktop", "mobile", "tablet", "other"].map((name) => [name, name] as const),
  ...["smarttv", "console", "wearable", "embedded", "xr"].map((name) => [name, "other"] as const),
]);
const countries = new Set(countryCodes);

/** Each gives the word that reports have for it; empty if there is none. */
export const countedWords = {
  country: (text: string) => (countries.has(text.toUpperCase()) ? text.toUpperCase() : ""),
  browser: (text: string) => browsers.get(text.toLowerCase()) ?? "",
  os: (text: string) => systems.get(text.toLowerCase()) ?? "",
  device: (text: string) => devices.get(text.toLowerCase()) ?? "",
  referrer: (text: string) => {
    const name = text.toLowerCase();
    return name.includes(".") && isHostName(name) ? name : "";
  },
  source: (text: string) => (text.toLowerCase() === "qr" ? "qr" : ""),
  plain: cleanText,
} as const;

/** From the address of the page that a visitor came from. */
export const referrerOf = (referer: string, ownHost: string): string =>
  referrerHostOf(originTextOf(referer), new Set([ownHost]));

const USER_AGENTS_MAX = 1000;

// Few of them make up most clicks, and classifying one takes longer than everything else about a click.
const agents = new Remembered(USER_AGENTS_MAX, (userAgent) => {
  const { isBot, device, browser, os } = classifyUserAgent(userAgent);
  return { isBot, values: { device, browser, os } as CountedValues };
});

export const valuesOfUserAgent = (userAgent: string): { readonly isBot: boolean; readonly values: CountedValues } =>
  agents.get(userAgent);

/** The UTM parameters of the address that a visitor was sent to. */
export function valuesOfLocation(location: string): CountedValues {
  const texts = utmFieldsOf(location).split("\t");
  return Object.fromEntries(utmKeys.map((name, index) => [name, texts[index] ?? ""]));
}

export const withoutUnknown = (values: CountedValues): CountedValues =>
  Object.fromEntries(Object.entries(values).filter(([, value]) => value !== ""));

type OneWord = Exclude<keyof typeof countedWords, "plain">;

/**
 * Counts by one dimension. A source whose parts are more than the whole has counted something else, which would raise the
 * total: that cut is left out.
 */
export function cutBy(dimension: OneWord, parts: Iterable<readonly [string, number]>, total: number): CountedCut[] {
  const clicks = new Map<string, number>();
  let sum = 0;
  for (const [text, count] of parts) {
    if (!Number.isSafeInteger(count) || count <= 0) continue;
    sum += count;
    const word = countedWords[dimension](text);
    if (word !== "") clicks.set(word, (clicks.get(word) ?? 0) + count);
  }
  if (sum > total || clicks.size === 0) return [];
  const counts = Array.from(clicks, ([word, count]) => ({ values: { [dimension]: word }, clicks: count }));
  return [{ dimensions: [dimension], counts }];
}
