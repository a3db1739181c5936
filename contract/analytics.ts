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

export const granularities = ["hour", "day", "week", "month"] as const;
const Granularity = z.enum(granularities);

const filter = z.array(z.string().max(255)).max(100).optional();
const filters = Object.fromEntries(
  clickDimensions.map((name) => [
    name,
    filter.describe(`Only clicks with this ${name}; repeated, any of them; empty, clicks without one.`),
  ]),
) as Record<ClickDimension, typeof filter>;

const AnalyticsQuery = z.strictObject({
  interval: z
    .enum(["24h", "7d", "30d", "90d", "1y", "mtd", "ytd", "all"])
    .optional()
    .describe("A range that ends now; `30d` when neither this nor `from` is given."),
  from: z.string().max(64).optional().describe("RFC 3339 instant, or `YYYY-MM-DD` in `timezone`. Not with `interval`."),
  to: z.string().max(64).optional().describe("As `from`, exclusive; now when left out."),
  timezone: z.string().max(64).default("UTC").describe("IANA name; buckets start at its local midnight."),
  granularity: Granularity.optional().describe("By the length of the range when left out."),
  limit: z.int().min(1).max(100).default(10).describe("Items in each breakdown."),
  include_bots: z.boolean().default(false).describe("Count bots in `clicks`, series and breakdowns too."),
  compare: z.enum(["previous"]).optional().describe("Adds the totals of the range before."),
  format: z.enum(["json", "csv"]).default("json").describe("CSV gives the series, or the one `group_by` asked for."),
  ...filters,
});

const groupBy = <const D extends readonly string[]>(dimensions: D) =>
  z.array(z.enum(dimensions)).max(dimensions.length).default([]).describe("May be repeated: one breakdown each.");

const LinkAnalyticsQuery = AnalyticsQuery.extend({ group_by: groupBy(clickDimensions) });
const AccountAnalyticsQuery = AnalyticsQuery.extend({
  group_by: groupBy([...clickDimensions, "link", "tag"]),
  link: filter.describe("Only clicks on the link with this id."),
  tag: filter.describe("Only clicks on links that carry this tag now."),
});

const Totals = z.object({
  clicks: z.int(),
  unique_visitors: z.int().nullable().describe("Distinct visitors of each day, added up."),
  qr_scans: z.int(),
  bot_hits: z.int(),
});

const Period = z.object({ from: Timestamp, to: Timestamp, timezone: z.string(), granularity: Granularity });

export const AnalyticsReport = z
  .object({
    scope: z.discriminatedUnion("type", [
      z.object({ type: z.literal("link"), link_id: z.string() }),
      z.object({ type: z.literal("account") }),
    ]),
    period: Period,
    totals: Totals,
    series: z.array(z.object({ start: Timestamp, clicks: z.int(), unique_visitors: z.int().nullable() })),
    breakdowns: z.record(
      z.string(),
      z.object({
        items: z.array(z.object({ key: z.string().nullable(), clicks: z.int(), unique_visitors: z.int().nullable() })),
        other_clicks: z.int(),
      }),
    ),
    previous: z.object({ period: Period, totals: Totals }).optional(),
  })
  .meta({ id: "AnalyticsReport", description: "Clicks of one link or of the account over a range of time." });
export type AnalyticsReport = z.output<typeof AnalyticsReport>;

const report = {
  tag: "Analytics",
  scope: "analytics:read",
  status: 200,
  response: AnalyticsReport,
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
});

export const getAccountAnalytics = endpoint({
  ...report,
  id: "analytics.get",
  method: "GET",
  path: "/api/v1/analytics",
  summary: "Read the account's analytics",
  description: "The same report over all links of the account.",
  query: AccountAnalyticsQuery,
});
