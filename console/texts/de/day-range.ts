import type { dayRangeTexts as en } from "#texts/day-range.ts";

export const dayRangeTexts: typeof en = {
  title: "Eigener Zeitraum",
  first: "Erster Tag",
  last: "Letzter Tag",
  beforeFirst: "Darf nicht vor dem ersten Tag liegen.",
  show: "Anzeigen",
};
