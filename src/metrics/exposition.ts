import { type FamilyName, families } from "./families.ts";
import { type Figures, familyOf } from "./figures.ts";

export const EXPOSITION_TYPE = "text/plain; version=0.0.4; charset=utf-8";

/** The Prometheus text format, which groups all series of a family. */
export function formatFigures(figures: Figures): string {
  const byFamily = Map.groupBy(Object.entries(figures), ([key]) => familyOf(key));
  const names = (Object.keys(families) as FamilyName[]).filter((name) => byFamily.has(name));
  const lines = names.flatMap((name) => [
    `# HELP ${name} ${families[name].help}`,
    `# TYPE ${name} ${families[name].type}`,
    ...(byFamily.get(name) ?? []).map(([key, value]) => `${key} ${value}`),
  ]);
  return `${lines.join("\n")}\n`;
}
