import type { AccountDimension } from "#contract/analytics.ts";

interface DimensionWords {
  /** On its tab, and over a list of its values. */
  readonly label: string;
  /** Before one value. */
  readonly one: string;
  /** In place of a value for clicks that have none. */
  readonly none: string;
  /** Below a list in which some have none, where that can mean more than it says. */
  readonly noneHint?: string;
}

export const dimensionWords: { readonly [D in AccountDimension]: DimensionWords } = {
  link: { label: "Links", one: "Link", none: "Unknown" },
  domain: { label: "Domains", one: "Domain", none: "Unknown" },
  tag: { label: "Tags", one: "Tag", none: "No tag" },
  referrer: { label: "Referrers", one: "Referrer", none: "Direct / none" },
  source: { label: "Via", one: "Via", none: "Unknown" },
  country: { label: "Countries", one: "Country", none: "Unknown" },
  region: { label: "Regions", one: "Region", none: "Unknown" },
  city: { label: "Cities", one: "City", none: "Unknown" },
  language: { label: "Languages", one: "Language", none: "Unknown" },
  device: { label: "Devices", one: "Device", none: "Unknown" },
  browser: { label: "Browsers", one: "Browser", none: "Unknown" },
  os: { label: "Systems", one: "System", none: "Unknown" },
  utm_source: { label: "Source", one: "UTM source", none: "None" },
  utm_medium: { label: "Medium", one: "UTM medium", none: "None" },
  utm_campaign: { label: "Campaign", one: "UTM campaign", none: "None" },
  utm_term: { label: "Term", one: "UTM term", none: "None" },
  utm_content: { label: "Content", one: "UTM content", none: "None" },
  rule: {
    label: "Rules",
    one: "Rule",
    none: "No rule",
    noneHint: "“No rule” includes visitors who ask not to be tracked. Kurz doesn’t record which rule decided for them.",
  },
};

export interface CardGroup {
  readonly title: string;
  readonly dimensions: readonly [AccountDimension, ...AccountDimension[]];
  /** Of use to few: left out while no click has a value. */
  readonly isRare?: true;
  /** Tabs that are left out while no click has a value: without a database of places, no click has a city. */
  readonly rare?: readonly AccountDimension[];
  /** Takes the whole width. */
  readonly isWide?: true;
  /** Has a map of the world beside its lists. */
  readonly hasMap?: true;
}

const cards: readonly CardGroup[] = [
  { title: "Sources", dimensions: ["referrer", "source"] },
  { title: "Campaigns", dimensions: ["utm_source", "utm_medium", "utm_campaign", "utm_term", "utm_content"] },
  { title: "Locations", dimensions: ["country", "region", "city", "language"], rare: ["region", "city"], hasMap: true },
  { title: "Devices", dimensions: ["device", "browser", "os"] },
  { title: "Rules", dimensions: ["rule"], isRare: true, isWide: true },
];

export const linkCards: readonly CardGroup[] = cards;
export const accountCards: readonly CardGroup[] = [
  { title: "Links", dimensions: ["link", "tag", "domain"], isWide: true },
  ...cards,
];

const regionNames = new Intl.DisplayNames("en", { type: "region", fallback: "none" });
const languageNames = new Intl.DisplayNames("en", { type: "language", fallback: "none" });

/** Browsers send both codes, for what `Intl` calls Filipino either way. */
const otherNames = new Map([["tl", "Tagalog"]]);

const deviceNames = new Map([
  ["desktop", "Desktop"],
  ["mobile", "Mobile"],
  ["tablet", "Tablet"],
  ["other", "Other"],
]);
const sourceNames = new Map([
  ["link", "Link"],
  ["qr", "QR code"],
]);

/** A value in words; `null` or the empty text stands for none. Links have names of their own. */
export function nameValue(dimension: AccountDimension, value: string | null): string {
  if (value === null || value === "") return dimensionWords[dimension].none;
  switch (dimension) {
    case "country":
      return findName(regionNames, value) ?? value;
    case "language":
      return otherNames.get(value) ?? findName(languageNames, value) ?? value;
    case "device":
      return deviceNames.get(value) ?? value;
    case "source":
      return sourceNames.get(value) ?? value;
    default:
      return value;
  }
}

/** A value that is no code at all makes `Intl` throw. */
function findName(names: Intl.DisplayNames, code: string): string | undefined {
  try {
    return names.of(code);
  } catch {
    return undefined;
  }
}
