import { z } from "zod";
import { endpoint } from "./endpoint.ts";
import { fieldProblem } from "./errors.ts";
import { Instant } from "./fields.ts";
import { TRASH_DAYS } from "./limits.ts";
import {
  CreatedVia,
  exampleLink,
  Link,
  LinkCreate,
  LinkPage,
  LinkPatch,
  linkStates,
  TAGS_MAX,
  TagChange,
} from "./link-record.ts";

const CHANGED_AT = "2026-01-03T10:00:00.000Z";

export const linkSorts = [
  "-created_at",
  "created_at",
  "-updated_at",
  "updated_at",
  "-click_count",
  "-last_clicked_at",
] as const;
export type LinkSort = (typeof linkSorts)[number];

const LinkId = z.strictObject({ id: z.string().max(255).describe("The link's `id`.") });

const LinkQuery = z.strictObject({
  limit: z.int().min(1).max(100).default(25).describe("Links per page."),
  cursor: z
    .string()
    .max(2000)
    .optional()
    .describe("The previous page's `next_cursor`. Only valid with the same sort and filters."),
  sort: z
    .enum(linkSorts)
    .default("-created_at")
    .describe("When sorting by `updated_at` or clicks, a link that changes while you page may be repeated or skipped."),
  state: z
    .array(z.enum([...linkStates, "all"]))
    .max(8)
    .refine(
      (states) => new Set(states).size < 2 || !states.includes("deleted"),
      fieldProblem("not_in_enum", "`deleted` can't be combined with other states."),
    )
    .default(["active", "paused"])
    .describe(
      "Repeat the parameter to include several states. `all` means all but `deleted`; `deleted` can't be combined with " +
        "others.",
    ),
  tag: z
    .array(z.string().min(1).max(50))
    .max(TAGS_MAX)
    .default([])
    .describe("Only links with this tag. Repeat the parameter to require several tags."),
  q: z
    .string()
    .min(3)
    .max(500)
    .optional()
    .describe(
      "Searches the slug, title, destination, notes and `external_id` for this text. A link's short URL also finds the " +
        "link. Case-insensitive.",
    ),
  slug: z
    .string()
    .max(64)
    .optional()
    .describe("Only links with this slug: at most one on each domain. Case-insensitive."),
  external_id: z
    .string()
    .max(255)
    .trim()
    .normalize("NFC")
    .optional()
    .describe("Only the link with this `external_id`."),
  domain: z.string().max(255).optional().describe("Only links on this short domain."),
  created_via: CreatedVia.optional(),
  expired: z
    .boolean()
    .optional()
    .describe("`true`: only links whose `expires_at` has passed. `false`: only the others."),
  blocked: z.boolean().optional().describe("`true`: only links that the operator blocked. `false`: only the others."),
  created_after: Instant.optional().describe("Only links created at or after this time."),
  created_before: Instant.optional().describe("Only links created before this time."),
});
export type LinkQuery = z.output<typeof LinkQuery>;

const LinkFilters = LinkQuery.omit({ limit: true, cursor: true, sort: true });
export type LinkFilters = z.output<typeof LinkFilters>;

export const listLinks = endpoint({
  id: "links.list",
  method: "GET",
  path: "/api/v1/links",
  summary: "List links",
  description:
    "Returns links newest first, without archived and deleted ones, unless you set `sort` or `state`. The `Link` header " +
    "points to the next page.",
  tag: "Links",
  scope: "links:read",
  query: LinkQuery,
  status: 200,
  response: LinkPage,
  paged: true,
  errors: [],
  examples: { response: { data: [exampleLink], has_more: false, next_cursor: null } },
});

/** Counting more would take long, and nobody reads the difference. */
export const LINKS_COUNTED_MAX = 10_000;

const LinkCount = z
  .object({
    count: z.int(),
    at_least: z.boolean().describe("Whether there may be more links than `count`."),
  })
  .meta({ id: "LinkCount", description: "How many links there are." });
export type LinkCount = z.output<typeof LinkCount>;

export const countLinks = endpoint({
  id: "links.count",
  method: "GET",
  path: "/api/v1/links/count",
  summary: "Count links",
  description:
    "Counts the links that the list returns with the same filters. Exact up to 10,000; if there are more, `count` is 10000 " +
    "and `at_least` is `true`.",
  tag: "Links",
  scope: "links:read",
  query: LinkFilters,
  status: 200,
  response: LinkCount,
  errors: [],
  examples: { response: { count: 1204, at_least: false } },
});

export const createLink = endpoint({
  id: "links.create",
  method: "POST",
  path: "/api/v1/links",
  summary: "Create a short link",
  description:
    "Send an `Idempotency-Key` to retry safely: within 24 hours, a retry returns the link created by the first request.",
  tag: "Links",
  scope: "links:write",
  idempotencyKey: true,
  body: LinkCreate,
  status: 201,
  response: Link,
  etag: true,
  location: "/api/v1/links/{id}",
  errors: ["slug_taken", "domain_not_verified", "external_id_taken", "destination_blocked"],
  examples: {
    body: {
      destination_url: "https://example.com/sale",
      title: "Spring sale",
      tags: ["spring", "email"],
      utm: { utm_source: "newsletter", utm_medium: "email" },
    },
    response: exampleLink,
  },
});

export const getLink = endpoint({
  id: "links.get",
  method: "GET",
  path: "/api/v1/links/{id}",
  summary: "Retrieve a link",
  description: "Returns the link with its current click count, also while it is in the trash.",
  tag: "Links",
  scope: "links:read",
  params: LinkId,
  status: 200,
  response: Link,
  etag: true,
  errors: [],
  examples: { response: exampleLink },
});

export const updateLink = endpoint({
  id: "links.update",
  method: "PATCH",
  path: "/api/v1/links/{id}",
  summary: "Update a link",
  description: "Takes a JSON merge patch (RFC 7396). A patch that changes nothing doesn't increment `version`.",
  tag: "Links",
  scope: "links:write",
  params: LinkId,
  body: LinkPatch,
  readOnlyFields: Object.keys(Link.shape).filter((field) => !(field in LinkPatch.shape)),
  mediaTypes: ["application/merge-patch+json", "application/json"],
  ifMatch: true,
  status: 200,
  response: Link,
  etag: true,
  errors: ["external_id_taken", "destination_blocked", "invalid_state"],
  examples: {
    body: { title: "Summer sale", utm: { utm_medium: null } },
    response: {
      ...exampleLink,
      title: "Summer sale",
      utm: { utm_source: "newsletter" },
      version: 2,
      updated_at: CHANGED_AT,
    },
  },
});

export const changeLinkTags = endpoint({
  id: "links.tags",
  method: "POST",
  path: "/api/v1/links/{id}/tags",
  summary: "Add and remove a link's tags",
  description:
    "Unlike an update, which replaces all tags, this keeps what others change at the same time. Safe to repeat: if nothing " +
    "changes, `version` isn't incremented.",
  tag: "Links",
  scope: "links:write",
  params: LinkId,
  body: TagChange,
  ifMatch: true,
  status: 200,
  response: Link,
  etag: true,
  errors: ["invalid_state"],
  examples: {
    body: { add: ["summer"], remove: ["spring"] },
    response: { ...exampleLink, tags: ["email", "summer"], version: 2, updated_at: CHANGED_AT },
  },
});

export const deleteLink = endpoint({
  id: "links.delete",
  method: "DELETE",
  path: "/api/v1/links/{id}",
  summary: "Delete a link",
  description:
    "Moves the link to the trash: the short URL returns 410 from then on. You can restore the link for " +
    `${TRASH_DAYS} days; then it is erased with its clicks. Its slug can't be reused. If the link is already in the ` +
    "trash, nothing changes.",
  tag: "Links",
  scope: "links:write",
  params: LinkId,
  query: z.strictObject({
    permanent: z
      .boolean()
      .default(false)
      .describe("`true`: erase the link and its clicks at once, whether or not it is in the trash."),
  }),
  ifMatch: true,
  status: 204,
  errors: [],
});

export const linkActions = ["pause", "resume", "archive", "unarchive"] as const;
export type LinkAction = (typeof linkActions)[number];

interface ActionText {
  readonly summary: string;
  readonly description: string;
  /** The fields that differ in the example response. */
  readonly after: Partial<Link>;
}

const action = <const A extends LinkAction>(name: A, { summary, description, after }: ActionText) =>
  endpoint({
    id: `links.${name}`,
    method: "POST",
    path: `/api/v1/links/{id}/${name}`,
    summary,
    description: `${description} If the link is already in that state, nothing changes and the response is the same.`,
    tag: "Links",
    scope: "links:write",
    params: LinkId,
    body: z.strictObject({}),
    bodyOptional: true,
    ifMatch: true,
    status: 200,
    response: Link,
    etag: true,
    errors: ["invalid_state"],
    examples: { response: { ...exampleLink, version: 2, updated_at: CHANGED_AT, ...after } },
  });

export const pauseLink = action("pause", {
  summary: "Pause a link",
  description: "The short URL returns 404 until you resume the link.",
  after: { state: "paused", paused_at: CHANGED_AT },
});

export const resumeLink = action("resume", {
  summary: "Resume a link",
  description: "The paused link redirects again.",
  after: { version: 3 },
});

export const archiveLink = action("archive", {
  summary: "Archive a link",
  description: "The short URL returns 410, and the link no longer appears in the default list.",
  after: { state: "archived", archived_at: CHANGED_AT },
});

export const unarchiveLink = action("unarchive", {
  summary: "Unarchive a link",
  description: "The link returns to the state it was in before it was archived.",
  after: { version: 3 },
});

export const restoreLink = endpoint({
  id: "links.restore",
  method: "POST",
  path: "/api/v1/links/{id}/restore",
  summary: "Restore a deleted link",
  description:
    "The link returns from the trash to the state it was in before it was deleted, with its clicks. If it isn't deleted, " +
    "nothing changes and the response is the same.",
  tag: "Links",
  scope: "links:write",
  params: LinkId,
  body: z.strictObject({}),
  bodyOptional: true,
  ifMatch: true,
  status: 200,
  response: Link,
  etag: true,
  errors: ["external_id_taken", "domain_not_verified"],
  examples: { response: { ...exampleLink, version: 3, updated_at: CHANGED_AT } },
});
