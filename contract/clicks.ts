import { z } from "zod";
import { accountClickFilters, periodFields } from "./analytics.ts";
import { endpoint } from "./endpoint.ts";
import { PublicClick } from "./public-click.ts";

const ClickQuery = z.strictObject({
  ...periodFields,
  limit: z.int().min(1).max(1000).default(100).describe("Clicks per page."),
  cursor: z
    .string()
    .max(2000)
    .optional()
    .describe("The previous page's `next_cursor`. Only valid with the same range and filters."),
  include_bots: z.boolean().default(false).describe("Also list visits by bots, previews and prefetches."),
  format: z
    .enum(["json", "ndjson"])
    .default("json")
    .describe("`ndjson` returns all clicks, or those after `cursor`, one JSON object per line, without pages."),
  ...accountClickFilters,
});
export type ClickQuery = z.output<typeof ClickQuery>;

export const ListedClick = z
  .object({
    ...PublicClick.shape,
    bot: z.boolean().describe("Whether a program opened the link. Always `false` without `include_bots`."),
    link: z.object({ id: z.string(), short_url: z.string(), domain: z.string(), slug: z.string() }),
  })
  .meta({ id: "Click", description: "One click, without anything that could track a visitor." });
export type ListedClick = z.output<typeof ListedClick>;

const ClickPage = z
  .object({
    data: z.array(ListedClick),
    has_more: z.boolean(),
    next_cursor: z.string().nullable().describe("Pass it as `cursor` to get the next page. `null` on the last page."),
  })
  .meta({ id: "ClickPage", description: "One page of clicks." });
export type ClickPage = z.output<typeof ClickPage>;

export const listClicks = endpoint({
  id: "clicks.list",
  method: "GET",
  path: "/api/v1/clicks",
  summary: "List clicks",
  description:
    "Returns single clicks, newest first, with the filters of the account's report. Clicks that were compacted into counts " +
    "after `KURZ_CLICK_RETENTION_DAYS`, and counts imported from elsewhere, aren't single clicks: only reports have them.",
  tag: "Analytics",
  scope: "analytics:read",
  query: ClickQuery,
  status: 200,
  response: ClickPage,
  textTypes: ["application/x-ndjson"],
  paged: true,
  errors: [],
  examples: {
    response: {
      data: [
        {
          at: "2026-01-02T09:30:00.000Z",
          country: "DE",
          referrer: "news.example",
          device: "mobile",
          browser: "Safari",
          os: "iOS",
          source: "link",
          rule: null,
          bot: false,
          link: {
            id: "lnk_01k9zq3v7m8r5c2x4t6w0h1jba",
            short_url: "https://s.example/bq7tk3wm",
            domain: "s.example",
            slug: "bq7tk3wm",
          },
        },
      ],
      has_more: false,
      next_cursor: null,
    },
  },
});
