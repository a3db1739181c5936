import { locale } from "#console/ui/locale.ts";
import type { AccountDimension } from "#contract/analytics.ts";
import { dimensionTexts, valueTexts } from "#texts/dimensions.ts";
import type { reportTexts } from "#texts/reports.ts";

export interface CardGroup {
  readonly name: keyof typeof reportTexts.cards.titles;
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
  { name: "sources", dimensions: ["referrer", "source"] },
  { name: "campaigns", dimensions: ["utm_source", "utm_medium", "utm_campaign", "utm_term", "utm_content"] },
  { name: "locations", dimensions: ["country", "region", "city", "language"], rare: ["region", "city"], hasMap: true },
  { name: "devices", dimensions: ["device", "browser", "os"] },
  { name: "rules", dimensions: ["rule"], isRare: true, isWide: true },
];

export const linkCards: readonly CardGroup[] = cards;
export const accountCards: readonly CardGroup[] = [
  { name: "links", dimensions: ["link", "tag", "domain"], isWide: true },
  ...cards,
];

const regionNames = new Intl.DisplayNames(locale, { type: "region", fallback: "none" });
const languageNames = new Intl.DisplayNames(locale, { type: "language", fallback: "none" });

/** A value in words; `null` or the empty text stands for none. Links have names of their own. */
export function nameValue(dimension: AccountDimension, value: string | null): string {
  if (value === null || value === "") return dimensionTexts[dimension].none;
  switch (dimension) {
    case "country":
      return findName(regionNames, value) ?? value;
    case "language":
      return valueTexts.language[value] ?? findName(languageNames, value) ?? value;
    case "device":
      return valueTexts.device[value] ?? value;
    case "source":
      return valueTexts.source[value] ?? value;
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
