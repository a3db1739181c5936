import type { AccountDimension } from "#contract/analytics.ts";

export interface DimensionTexts {
  /** On its tab, and over a list of its values. */
  readonly label: string;
  /** Before one value. */
  readonly one: string;
  /** Names the list of its values. */
  readonly list: string;
  /** In place of a value for clicks that have none. */
  readonly none: string;
  /** Below a list in which some have none, where that can mean more than it says. */
  readonly noneHint?: string;
}

export const dimensionTexts: { readonly [D in AccountDimension]: DimensionTexts } = {
  link: { label: "Links", one: "Link", list: "Clicks by link", none: "Unknown" },
  domain: { label: "Domains", one: "Domain", list: "Clicks by domain", none: "Unknown" },
  tag: { label: "Tags", one: "Tag", list: "Clicks by tag", none: "No tag" },
  referrer: { label: "Referrers", one: "Referrer", list: "Clicks by referrer", none: "Direct / none" },
  source: { label: "Via", one: "Via", list: "Clicks by source", none: "Unknown" },
  country: { label: "Countries", one: "Country", list: "Clicks by country", none: "Unknown" },
  region: { label: "Regions", one: "Region", list: "Clicks by region", none: "Unknown" },
  city: { label: "Cities", one: "City", list: "Clicks by city", none: "Unknown" },
  language: { label: "Languages", one: "Language", list: "Clicks by language", none: "Unknown" },
  device: { label: "Devices", one: "Device", list: "Clicks by device", none: "Unknown" },
  browser: { label: "Browsers", one: "Browser", list: "Clicks by browser", none: "Unknown" },
  os: { label: "Systems", one: "System", list: "Clicks by system", none: "Unknown" },
  utm_source: { label: "Source", one: "UTM source", list: "Clicks by UTM source", none: "None" },
  utm_medium: { label: "Medium", one: "UTM medium", list: "Clicks by UTM medium", none: "None" },
  utm_campaign: { label: "Campaign", one: "UTM campaign", list: "Clicks by UTM campaign", none: "None" },
  utm_term: { label: "Term", one: "UTM term", list: "Clicks by UTM term", none: "None" },
  utm_content: { label: "Content", one: "UTM content", list: "Clicks by UTM content", none: "None" },
  rule: {
    label: "Rules",
    one: "Rule",
    list: "Clicks by rule",
    none: "No rule",
    noneHint: "“No rule” includes visitors who ask not to be tracked. Kurz doesn’t record which rule decided for them.",
  },
};

/** By the values of the API. */
export const valueTexts: {
  readonly device: Readonly<Record<string, string>>;
  readonly source: Readonly<Record<string, string>>;
  readonly language: Readonly<Record<string, string>>;
} = {
  device: { desktop: "Desktop", mobile: "Mobile", tablet: "Tablet", other: "Other" },
  source: { link: "Link", qr: "QR code" },
  // Browsers send both codes, for what `Intl` calls Filipino either way.
  language: { tl: "Tagalog" },
};
