import { z } from "zod";
import {
  AnalyticsReport,
  type ClickDimension,
  clickDimensions,
  clickFilters,
  granularities,
  periodFields,
} from "./analytics.ts";
import { consoleEndpoint } from "./console/endpoint.ts";
import { noSudo } from "./console/sudo.ts";
import { Timestamp } from "./fields.ts";

/** What the page of a shared report asks for. Anyone who has the address may, so an answer has what the page shows only. */
const open = { open: true, sudo: noSudo("Public: anyone with the address may see the report.") } as const;

/** Proves that the password was entered. Not a cookie: nothing stays in a visitor's browser when the tab is closed. */
export const SHARE_ACCESS_HEADER = "kurz-share-access";

// The names of rules are for the team, and what a rule decides would tell of its other destinations.
export const sharedDimensions = clickDimensions.filter((name) => name !== "rule");
export type SharedDimension = Exclude<ClickDimension, "rule">;

export const SHARED_ITEMS_MAX = 100;

const ShareToken = z.strictObject({ token: z.string() });

const SharedLink = z.object({
  title: z.string().nullable(),
  short_url: z.url(),
  destination_url: z
    .string()
    .nullable()
    .describe("Only where everyone who opens the link is redirected there; otherwise `null`."),
  timezone: z.string(),
  min_visitors: z.int(),
  expires_at: Timestamp.nullable(),
});
export type SharedLink = z.output<typeof SharedLink>;

const { timezone: _, ...period } = periodFields;
const { rule: __, ...filters } = clickFilters;

const SharedReportQuery = z.strictObject({
  ...period,
  granularity: z.enum(granularities).optional(),
  limit: z.int().min(1).max(SHARED_ITEMS_MAX).default(10),
  include_bots: z.boolean().default(false),
  breakdown_visitors: z.boolean().default(true),
  week_hours: z.boolean().default(false),
  group_by: z
    .array(z.enum(sharedDimensions as readonly SharedDimension[]))
    .max(sharedDimensions.length)
    .default([]),
  ...filters,
});
export type SharedReportQuery = z.output<typeof SharedReportQuery>;

const SharedReport = AnalyticsReport.omit({ scope: true, previous: true });
export type SharedReport = z.output<typeof SharedReport>;

const ShareAccess = z.object({
  access: z.string().describe(`Goes into the \`${SHARE_ACCESS_HEADER}\` header.`),
});
export type ShareAccess = z.output<typeof ShareAccess>;

export const getSharedLink = consoleEndpoint({
  ...open,
  id: "share_page.link",
  method: "GET",
  path: "/share/{token}/link",
  summary: "What a shared report is about",
  params: ShareToken,
  status: 200,
  response: SharedLink,
});

export const getSharedReport = consoleEndpoint({
  ...open,
  id: "share_page.report",
  method: "GET",
  path: "/share/{token}/report",
  summary: "A shared report",
  params: ShareToken,
  query: SharedReportQuery,
  status: 200,
  response: SharedReport,
});

export const openShare = consoleEndpoint({
  ...open,
  id: "share_page.open",
  method: "POST",
  path: "/share/{token}/open",
  summary: "Open a shared report with its password",
  params: ShareToken,
  body: z.strictObject({ password: z.string().min(1).max(128) }),
  status: 200,
  response: ShareAccess,
});

/** All of them. */
export const sharePageOperations = [getSharedLink, getSharedReport, openShare] as const;
