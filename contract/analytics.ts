import { z } from "zod";
import { endpoint } from "./endpoint.ts";
import { Timestamp } from "./fields.ts";

export const clickDimensions = [
  "country",
  "region",
  "city",
  "referrer",
  "device",
  "browser",
  "os",
  "language",
  "source",
  "utm_source",
  "utm_medium",
  "utm_campaign",
  "utm_term",
  "utm_content",
] as const;
export type ClickDimension = (typeof clickDimensions)[number];

/** Dimensions of which no other value is ever stored, so that another one asked for is a mistake. */
export const fixedValues = {
  device: ["desktop", "mobile", "tablet", "other"],
  source: ["link", "qr"],
} as const satisfies Partial<Record<ClickDimension, readonly string[]>>;
export type Device = (typeof fixedValues.device)[number];
export type ClickSource = (typeof fixedValues.source)[number];

export const accountDimensions = [...clickDimensions, "link", "tag"] as const;
export type AccountDimension = (typeof accountDimensions)[number];

export const intervals = ["24h", "7d", "30d", "90d", "1y", "mtd", "ytd", "all"] as const;

export const granularities = ["hour", "day", "week", "month"] as const;
const Granularity = z.enum(granularities);
export type Granularity = z.output<typeof Granularity>;

const FILTER_VALUES_MAX = 100;
const filterOf = <V extends z.ZodType<string>>(value: V) => z.array(value).max(FILTER_VALUES_MAX).optional();
const filter = filterOf(z.string().max(255));
const describeFilter = (name: ClickDimension): string =>
  `Only clicks with this ${name}; repeated, any of them; empty, clicks without one.`;
const filters = Object.fromEntries(
  clickDimensions.map((name) => [name, filter.describe(describeFilter(name))]),
) as Record<ClickDimension, typeof filter>;

const fixedFilter = <N extends keyof typeof fixedValues>(name: N) =>
  filterOf(z.enum([...fixedValues[name], ""])).describe(describeFilter(name));

/** As with fixed values: a name of a country never meets a click. */
const Country = z.string().regex(/^(?:[A-Za-z]{2})?$/, "Must be a country code of two letters, such as DE.");

const AnalyticsQuery = z.strictObject({
  interval: z
    .enum(intervals)
    .optional()
    .describe(
      "A range that ends now; `30d` when neither this nor `from` is given. `all` starts at the creation, and is wider " +
        "where clicks lie before it or in the future because a clock was wrong.",
    ),
  from: z.string().max(64).optional().describe("RFC 3339 instant, or `YYYY-MM-DD` in `timezone`. Not with `interval`."),
  to: z.string().max(64).optional().describe("As `from`, exclusive; now when left out."),
  timezone: z.string().max(64).default("UTC").describe("IANA name; buckets start at its local midnight."),
  granularity: Granularity.optional().describe(
    "When left out, by the length of the range: `hour` up to 48 hours, `day` up to 92 days, `week` up to 2 years. " +
      "A range has at most 1000 buckets.",
  ),
  limit: z.int().min(1).max(100).default(10).describe("Items in each breakdown."),
  include_bots: z.boolean().default(false).describe("Count bots everywhere, not only in `bot_hits`."),
  breakdown_visitors: z
    .boolean()
    .default(true)
    .describe(
      "Count the visitors of each item in breakdowns. Without them a report of millions of clicks is there much sooner.",
    ),
  compare: z.enum(["previous"]).optional().describe("Adds the totals of the range of the same length before."),
  format: z.enum(["json", "csv"]).default("json").describe("CSV gives the series, or the one `group_by` asked for."),
  ...filters,
  country: filterOf(Country).describe(describeFilter("country")),
  device: fixedFilter("device"),
  source: fixedFilter("source"),
});
/** What both reports have in common. */
export type AnalyticsQuery = z.output<typeof AnalyticsQuery>;

const groupBy = <const D extends readonly string[]>(dimensions: D) =>
  z.array(z.enum(dimensions)).max(dimensions.length).default([]).describe("May be repeated: one breakdown each.");

const LinkAnalyticsQuery = AnalyticsQuery.extend({ group_by: groupBy(clickDimensions) });
export type LinkAnalyticsQuery = z.output<typeof LinkAnalyticsQuery>;

const AccountAnalyticsQuery = AnalyticsQuery.extend({
  group_by: groupBy(accountDimensions),
  link: filter.describe("Only clicks on the link with this id; repeated, any of them."),
  tag: filter.describe("Only clicks on links that carry this tag now; empty, on links without a tag."),
});
export type AccountAnalyticsQuery = z.output<typeof AccountAnalyticsQuery>;

const UniqueVisitors = z
  .int()
  .nullable()
  .describe("Distinct visitors of each UTC day, added up. `null` where the days are too old to tell, or nobody asked.");

const Totals = z
  .object({
    clicks: z.int(),
    unique_visitors: UniqueVisitors,
    qr_scans: z.int().describe("Those of the clicks that came from a QR code."),
    bot_hits: z.int().describe("Visits by bots, previews and prefetches."),
  })
  .meta({ id: "AnalyticsTotals", description: "What a range adds up to." });

const Period = z
  .object({ from: Timestamp, to: Timestamp, timezone: z.string(), granularity: Granularity })
  .meta({ id: "AnalyticsPeriod", description: "The range of a report; `to` is exclusive." });

export const AnalyticsReport = z
  .object({
    scope: z.discriminatedUnion("type", [
      z.object({ type: z.literal("link"), link_id: z.string() }),
      z.object({ type: z.literal("account") }),
    ]),
    period: Period,
    totals: Totals,
    series: z
      .array(
        z.object({
          start: Timestamp.describe("A local full hour or midnight; the first may lie before the range."),
          clicks: z.int(),
          unique_visitors: UniqueVisitors,
        }),
      )
      .describe("Every bucket of the range in order, also those without a click."),
    breakdowns: z
      .record(
        z.string(),
        z.object({
          items: z.array(
            z.object({
              key: z.string().nullable().describe("`null` for clicks without a value."),
              clicks: z.int(),
              unique_visitors: UniqueVisitors,
            }),
          ),
          other_clicks: z.int().describe("Clicks of the keys beyond `limit`."),
        }),
      )
      .describe("One for each `group_by`, the keys with most clicks first."),
    previous: z.object({ period: Period, totals: Totals }).optional(),
  })
  .meta({ id: "AnalyticsReport", description: "Clicks of one link or of the account over a range of time." });
export type AnalyticsReport = z.output<typeof AnalyticsReport>;

const exampleReport = {
  period: {
    from: "2026-01-01T00:00:00.000Z",
    to: "2026-01-03T00:00:00.000Z",
    timezone: "UTC",
    granularity: "day",
  },
  totals: { clicks: 1532, unique_visitors: 1201, qr_scans: 88, bot_hits: 310 },
  series: [
    { start: "2026-01-01T00:00:00.000Z", clicks: 810, unique_visitors: 640 },
    { start: "2026-01-02T00:00:00.000Z", clicks: 722, unique_visitors: 561 },
  ],
  breakdowns: {
    country: {
      items: [
        { key: "DE", clicks: 700, unique_visitors: 560 },
        { key: null, clicks: 12, unique_visitors: 12 },
      ],
      other_clicks: 820,
    },
  },
} as const;

const report = {
  tag: "Analytics",
  scope: "analytics:read",
  status: 200,
  response: AnalyticsReport,
  textTypes: ["text/csv"],
  errors: [],
} as const;

export const getLinkAnalytics = endpoint({
  ...report,
  id: "links.analytics",
  method: "GET",
  path: "/api/v1/links/{id}/analytics",
  summary: "Read a link's analytics",
  description: "Totals, a zero-filled series and breakdowns, all computed from one snapshot.",
  params: z.strictObject({ id: z.string().max(255).describe("The link's `id`.") }),
  query: LinkAnalyticsQuery,
  examples: {
    response: { scope: { type: "link", link_id: "lnk_01k9zq3v7m8r5c2x4t6w0h1jba" }, ...exampleReport },
  },
});

export const getAccountAnalytics = endpoint({
  ...report,
  id: "analytics.get",
  method: "GET",
  path: "/api/v1/analytics",
  summary: "Read the account's analytics",
  description: "The same report over all links of the account.",
  query: AccountAnalyticsQuery,
  examples: { response: { scope: { type: "account" }, ...exampleReport } },
});
