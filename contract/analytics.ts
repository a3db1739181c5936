import { z } from "zod";
import { endpoint } from "./endpoint.ts";
import { Timestamp } from "./fields.ts";
import { TagMode } from "./tag-mode.ts";

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
  "rule",
] as const;
export type ClickDimension = (typeof clickDimensions)[number];

/** Dimensions with a fixed set of stored values; filtering by any other value is a mistake. */
export const fixedValues = {
  device: ["desktop", "mobile", "tablet", "other"],
  source: ["link", "qr"],
} as const satisfies Partial<Record<ClickDimension, readonly string[]>>;
export type Device = (typeof fixedValues.device)[number];
export type ClickSource = (typeof fixedValues.source)[number];

export const accountDimensions = [...clickDimensions, "domain", "link", "tag"] as const;
export type AccountDimension = (typeof accountDimensions)[number];

export const intervals = ["24h", "7d", "30d", "90d", "1y", "mtd", "ytd", "all"] as const;

export const granularities = ["hour", "day", "week", "month"] as const;
const Granularity = z.enum(granularities);
export type Granularity = z.output<typeof Granularity>;

export const BREAKDOWN_ITEMS_MAX = 1000;

const FILTER_VALUES_MAX = 100;
const filterOf = <V extends z.ZodType<string>>(value: V) => z.array(value).max(FILTER_VALUES_MAX).optional();
const filter = filterOf(z.string().max(255));
const describeFilter = (name: ClickDimension): string =>
  `Only clicks with this ${name}. Repeat to match any of several values; leave the value empty to match clicks without one.`;
const textFilters = Object.fromEntries(
  clickDimensions.map((name) => [name, filter.describe(describeFilter(name))]),
) as Record<ClickDimension, typeof filter>;

const fixedFilter = <N extends keyof typeof fixedValues>(name: N) =>
  filterOf(z.enum([...fixedValues[name], ""])).describe(describeFilter(name));

/** Clicks store country codes, so filtering by a country name would never match. */
const Country = z.string().regex(/^(?:[A-Za-z]{2})?$/, "Must be a two-letter country code, such as DE.");

export const periodFields = {
  interval: z
    .enum(intervals)
    .optional()
    .describe(
      "A range that ends now. Defaults to `30d` unless `from` is set. `all` starts when the link or account was " +
        "created, and extends to cover clicks outside that range (imported, or recorded while a clock was wrong).",
    ),
  from: z
    .string()
    .max(64)
    .optional()
    .describe(
      "Start of the range: an RFC 3339 timestamp, or `YYYY-MM-DD` in `timezone`. Can't be combined with `interval`.",
    ),
  to: z
    .string()
    .max(64)
    .optional()
    .describe("End of the range (exclusive), in the same formats as `from`. Defaults to now."),
  timezone: z.string().max(64).default("UTC").describe("IANA time zone name. Buckets start at local midnight."),
};

/** What clicks can be filtered by, of a link. */
export const clickFilters = {
  ...textFilters,
  country: filterOf(Country).describe(describeFilter("country")),
  device: fixedFilter("device"),
  source: fixedFilter("source"),
  rule: filter.describe(
    "Only clicks that this rule of the link decided: its `name`, or `name/way` for a way of its split. Repeat to match any " +
      "of several values; leave the value empty to match clicks without a rule: those that led to the plain destination, and those of " +
      "visitors who ask not to be tracked.",
  ),
};

/** The same of an account. */
export const accountClickFilters = {
  ...clickFilters,
  domain: filterOf(z.string().min(1).max(255)).describe(
    "Only clicks on links of this short domain. Repeat to match any of several domains.",
  ),
  link: filter.describe("Only clicks on the link with this id. Repeat to match any of several links."),
  tag: filter.describe(
    "Only clicks on links that currently have this tag. Leave the value empty to match links without tags.",
  ),
  tag_mode: TagMode.default("any").describe("With several tags: whether a link must have `any` or `all` of them."),
};

const AnalyticsQuery = z.strictObject({
  ...periodFields,
  granularity: Granularity.optional().describe(
    "Bucket size. By default it depends on the range: `hour` up to 48 hours, `day` up to 92 days, `week` up to " +
      "2 years, then `month`. A range can have at most 1000 buckets.",
  ),
  limit: z
    .int()
    .min(1)
    .max(BREAKDOWN_ITEMS_MAX)
    .default(10)
    .describe("Maximum number of items per breakdown. A breakdown in CSV always has all of them."),
  include_bots: z.boolean().default(false).describe("Count bots in every figure, not only in `bot_hits`."),
  breakdown_visitors: z
    .boolean()
    .default(true)
    .describe(
      "Count unique visitors for each breakdown item. Set to `false` for much faster reports over millions of clicks.",
    ),
  week_hours: z
    .boolean()
    .default(false)
    .describe("Adds the clicks of each hour of the week, in `timezone`: when links are opened."),
  compare: z.enum(["previous"]).optional().describe("Adds the totals of the preceding range of the same length."),
  format: z
    .enum(["json", "csv"])
    .default("json")
    .describe("`csv` returns the series, or the breakdown if you set one `group_by`."),
  ...clickFilters,
});
/** What both reports share. */
export type AnalyticsQuery = z.output<typeof AnalyticsQuery>;

const groupBy = <const D extends readonly string[]>(dimensions: D) =>
  z
    .array(z.enum(dimensions))
    .max(dimensions.length)
    .default([])
    .describe("Adds a breakdown by this dimension. Repeat the parameter for several breakdowns.");

const LinkAnalyticsQuery = AnalyticsQuery.extend({ group_by: groupBy(clickDimensions) });
export type LinkAnalyticsQuery = z.output<typeof LinkAnalyticsQuery>;

const AccountAnalyticsQuery = AnalyticsQuery.extend({
  ...accountClickFilters,
  group_by: groupBy(accountDimensions),
});
export type AccountAnalyticsQuery = z.output<typeof AccountAnalyticsQuery>;

const UniqueVisitors = z
  .int()
  .nullable()
  .describe(
    "Sum of each UTC day's distinct visitors. `null` if some can't be told: on days that are too old, among imported counts " +
      "without visitors, or because they weren't requested.",
  );

const figures = {
  clicks: z.int(),
  unique_visitors: UniqueVisitors,
  qr_scans: z.int().describe("How many of the clicks came from a QR code."),
  bot_hits: z.int().describe("Visits by bots, previews and prefetches."),
};

const Totals = z.object(figures).meta({ id: "AnalyticsTotals", description: "Totals over a range." });

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
          start: Timestamp.describe(
            "A full hour or midnight in `timezone`. The first bucket may start before the range.",
          ),
          ...figures,
        }),
      )
      .describe("Every bucket of the range in order, including those without clicks."),
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
          other_clicks: z.int().describe("Clicks of all keys beyond `limit`."),
        }),
      )
      .describe("One breakdown per `group_by`, sorted by clicks in descending order."),
    week_hours: z
      .array(z.array(z.int()).length(24))
      .length(7)
      .optional()
      .describe(
        "If requested: clicks by weekday (from Monday) and hour (from midnight), in `timezone`. Without imported counts " +
          "of whole days, whose hours aren't known.",
      ),
    previous: z.object({ period: Period, totals: Totals }).optional(),
  })
  .meta({
    id: "AnalyticsReport",
    description: "Clicks on one link, or on all of the account's links, over a time range.",
  });
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
    { start: "2026-01-01T00:00:00.000Z", clicks: 810, unique_visitors: 640, qr_scans: 51, bot_hits: 170 },
    { start: "2026-01-02T00:00:00.000Z", clicks: 722, unique_visitors: 561, qr_scans: 37, bot_hits: 140 },
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
  summary: "Retrieve a link's analytics",
  description: "Returns totals, a zero-filled time series and breakdowns, all computed from one snapshot.",
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
  summary: "Retrieve the account's analytics",
  description: "Returns the same report over all of the account's links.",
  query: AccountAnalyticsQuery,
  examples: { response: { scope: { type: "account" }, ...exampleReport } },
});
