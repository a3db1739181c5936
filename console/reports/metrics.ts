import { plural } from "#console/ui/format.ts";

/** The headline figures, in their order. */
export const metrics = ["clicks", "unique_visitors", "qr_scans", "bot_hits"] as const;
export type Metric = (typeof metrics)[number];

interface MetricWords {
  readonly label: string;
  readonly hint: string;
  readonly one: string;
  readonly many: string;
}

export const metricWords: { readonly [M in Metric]: MetricWords } = {
  clicks: { label: "Clicks", hint: "Visits by people.", one: "click", many: "clicks" },
  unique_visitors: {
    label: "Unique visitors",
    hint: "Distinct visitors per UTC day, added up.",
    one: "visitor",
    many: "visitors",
  },
  qr_scans: { label: "QR scans", hint: "Clicks that came from a QR code.", one: "scan", many: "scans" },
  bot_hits: {
    label: "Bots",
    hint: "Bots, previews and prefetches. They aren’t counted as clicks.",
    one: "bot",
    many: "bots",
  },
};

/** `null` where it is too old to tell. */
export function describeFigure(metric: Metric, value: number | null): string {
  const { one, many } = metricWords[metric];
  return value === null ? "too long ago to tell" : plural(value, one, many);
}
