import { type FamilyName, families } from "./families.ts";

/** Values by series, such as `kurz_clicks_dropped_total{reason="disk_full"}`. Plain data, sent between processes. */
export type Figures = Readonly<Record<string, number>>;
export type Labels = Readonly<Record<string, string>>;

export const series = (name: FamilyName, labels?: Labels): string => seriesOf(name, labels);

/** One series per entry, with the key as a label. */
export const seriesBy = (name: FamilyName, label: string, counts: Readonly<Record<string, number>>): Figures =>
  Object.fromEntries(Object.entries(counts).map(([value, count]) => [series(name, { [label]: value }), count]));

/** Also handles the parts of a histogram, which have names of their own. */
export function seriesOf(name: string, labels: Labels = {}): string {
  const pairs = Object.entries(labels).map(([label, value]) => `${label}="${escapeValue(value)}"`);
  return pairs.length === 0 ? name : `${name}{${pairs.join(",")}}`;
}

export function familyOf(key: string): FamilyName {
  const [name = ""] = key.split("{", 1);
  const found = [name, name.replace(/_(?:bucket|sum|count)$/, "")].find((candidate) => candidate in families);
  if (found === undefined) throw new Error(`unknown metric ${name}`);
  return found as FamilyName;
}

const escapeValue = (value: string): string =>
  value.replaceAll("\\", "\\\\").replaceAll('"', '\\"').replaceAll("\n", "\\n");
