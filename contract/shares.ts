import { z } from "zod";
import { endpoint } from "./endpoint.ts";
import { Instant, Timestamp } from "./fields.ts";
import { MIN_VISITORS_MAX, SHARES_PER_LINK_MAX } from "./limits.ts";
import { Password } from "./link-record.ts";

const MinVisitors = z
  .int()
  .min(1)
  .max(MIN_VISITORS_MAX)
  .describe(
    "Countries, referrers and other values with fewer visitors are left out of the report. Above 1, it can't be filtered " +
      "either.",
  );

const ExpiresAt = Instant.meta({ description: "When the report's address stops working. Must be in the future." });

export const Share = z
  .object({
    id: z.string(),
    link_id: z.string(),
    url: z.url().describe("The report's address. Anyone who has it can see the report."),
    badge_url: z
      .url()
      .nullable()
      .describe("An SVG image with the number of clicks. `null` if the report has a password."),
    password_protected: z.boolean(),
    min_visitors: MinVisitors,
    timezone: z.string().describe("IANA time zone name, in which the report counts days."),
    expires_at: Timestamp.nullable(),
    expired: z.boolean().describe("Whether `expires_at` has passed. The address then returns 404."),
    created_at: Timestamp,
  })
  .meta({ id: "Share", description: "A public, read-only report of one link." });
export type Share = z.output<typeof Share>;

const ShareCreate = z
  .strictObject({
    password: Password.meta({ description: "Visitors must enter it to see the report. Never returned." }).nullish(),
    expires_at: ExpiresAt.nullish(),
    min_visitors: MinVisitors.default(1),
    timezone: z.string().max(64).default("UTC").describe("IANA time zone name, in which the report counts days."),
  })
  .meta({ id: "ShareCreate", description: "How to share a link's report." });
export type ShareCreate = z.output<typeof ShareCreate>;

const ShareList = z
  .object({ data: z.array(Share) })
  .meta({ id: "ShareList", description: "A link's shared reports, newest first." });

const SharePage = z
  .object({
    data: z.array(Share),
    has_more: z.boolean(),
    next_cursor: z.string().nullable().describe("Pass it as `cursor` to get the next page. `null` on the last page."),
  })
  .meta({ id: "SharePage", description: "One page of shared reports." });
export type SharePage = z.output<typeof SharePage>;

const ShareQuery = z.strictObject({
  limit: z.int().min(1).max(100).default(25).describe("Shared reports per page."),
  cursor: z.string().max(255).optional().describe("The previous page's `next_cursor`."),
});
export type ShareQuery = z.output<typeof ShareQuery>;

const LinkId = z.strictObject({ id: z.string().max(255).describe("The link's `id`.") });
const ShareId = z.strictObject({ id: z.string().max(255).describe("The shared report's `id`.") });

const address = "https://s.example/share/Ab3dE6gH9jK2mN5pQ8sT1vW4";
const exampleShare = {
  id: "shr_01k9zq3v7m8r5c2x4t6w0h1jba",
  link_id: "lnk_01k9zq3v7m8r5c2x4t6w0h1jba",
  url: address,
  badge_url: `${address}/badge.svg`,
  password_protected: false,
  min_visitors: 5,
  timezone: "Europe/Berlin",
  expires_at: "2099-12-31T23:00:00.000Z",
  expired: false,
  created_at: "2026-01-02T03:04:05.678Z",
} as const;

export const shareLink = endpoint({
  id: "links.share",
  method: "POST",
  path: "/api/v1/links/{id}/share",
  summary: "Share a link's report",
  description:
    "Creates a public, read-only report of the link. Anyone who has its address can see it, until it expires or is " +
    "revoked, or the link is deleted. It never shows the destination of a link with a password. A link can have " +
    `${SHARES_PER_LINK_MAX} shared reports.`,
  tag: "Sharing",
  scope: "links:write",
  moreScopes: ["analytics:read"],
  params: LinkId,
  body: ShareCreate,
  bodyOptional: true,
  readOnlyFields: Object.keys(Share.shape).filter((field) => !(field in ShareCreate.shape)),
  idempotencyKey: true,
  status: 201,
  response: Share,
  errors: ["invalid_state"],
  examples: {
    body: { min_visitors: 5, timezone: "Europe/Berlin", expires_at: "2099-12-31T23:00:00Z" },
    response: exampleShare,
  },
});

export const listLinkShares = endpoint({
  id: "links.shares",
  method: "GET",
  path: "/api/v1/links/{id}/shares",
  summary: "List a link's shared reports",
  description: "Returns the link's shared reports, newest first, including expired ones.",
  tag: "Sharing",
  scope: "analytics:read",
  params: LinkId,
  status: 200,
  response: ShareList,
  errors: [],
  examples: { response: { data: [exampleShare] } },
});

export const listShares = endpoint({
  id: "shares.list",
  method: "GET",
  path: "/api/v1/shares",
  summary: "List shared reports",
  description: "Returns the shared reports of all links, newest first. The `Link` header points to the next page.",
  tag: "Sharing",
  scope: "analytics:read",
  query: ShareQuery,
  status: 200,
  response: SharePage,
  paged: true,
  errors: [],
  examples: { response: { data: [exampleShare], has_more: false, next_cursor: null } },
});

export const revokeShare = endpoint({
  id: "shares.revoke",
  method: "DELETE",
  path: "/api/v1/shares/{id}",
  summary: "Revoke a shared report",
  description: "From then on the report's address returns 404. Images of its badge may be cached for another minute.",
  tag: "Sharing",
  scope: "links:write",
  params: ShareId,
  status: 204,
  errors: [],
});
