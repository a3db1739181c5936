import { z } from "zod";
import { endpoint } from "./endpoint.ts";
import { fieldProblem } from "./errors.ts";
import { Instant } from "./fields.ts";
import { DESTINATION_BYTES_MAX, TRASH_DAYS } from "./limits.ts";
import {
  CreatedVia,
  exampleLink,
  Link,
  LinkCreate,
  LinkPage,
  LinkPatch,
  type LinkState,
  linkFieldNames,
  linkStates,
  SelectedLinkPage,
  TAGS_MAX,
  TagChange,
} from "./link-record.ts";
import { TagMode } from "./tag-mode.ts";

const CHANGED_AT = "2026-01-03T10:00:00.000Z";

export const linkSorts = [
  "-created_at",
  "created_at",
  "-updated_at",
  "updated_at",
  "-click_count",
  "click_count",
  "-last_clicked_at",
  "title",
  "-title",
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
  before: z
    .string()
    .max(2000)
    .optional()
    .describe(
      "The following page's `previous_cursor`, to go back a page. Only valid with the same sort and filters; can't be " +
        "combined with `cursor`.",
    ),
  sort: z
    .enum(linkSorts)
    .default("-created_at")
    .describe(
      "A leading `-` sorts in descending order. Titles are compared regardless of the case of ASCII letters, and links " +
        "without one sort as if it were empty. When sorting by anything but `created_at`, a link that changes while you " +
        "page may be repeated or skipped.",
    ),
  fields: z
    .array(z.enum(linkFieldNames))
    .max(linkFieldNames.length)
    .optional()
    .describe("Return only this field of each link. Repeat the parameter for several fields."),
  state: z
    .array(z.enum([...linkStates, "all"]))
    .max(8)
    .refine(
      (states) => new Set(states).size < 2 || !states.includes("deleted"),
      fieldProblem("not_in_enum", "`deleted` can't be combined with other states."),
    )
    .optional()
    .describe(
      "Repeat the parameter to include several states. `all` means all but `deleted`; `deleted` can't be combined with " +
        "others. Defaults to `active` and `paused`, or to `all` if you set `slug` or `external_id`.",
    ),
  tag: z
    .array(z.string().max(50))
    .max(TAGS_MAX)
    .default([])
    .describe(
      "Only links with this tag. Repeat the parameter for several; leave the value empty for links without tags.",
    ),
  tag_mode: TagMode.default("all").describe("With several tags: whether a link must have `all` or `any` of them."),
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
  destination_url: z
    .string()
    .min(1)
    .max(DESTINATION_BYTES_MAX)
    .optional()
    .describe("Only links with exactly this destination, however you spell it: it is normalized as in a link."),
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

export const LinkFilters = LinkQuery.omit({ limit: true, cursor: true, before: true, sort: true, fields: true });
export type LinkFilters = z.output<typeof LinkFilters>;

/** Whoever looks for one link wants to know whether it exists, before creating it. */
export const statesOf = ({ state, slug, external_id }: LinkFilters): readonly ("all" | LinkState)[] =>
  state ?? (slug !== undefined || external_id !== undefined ? ["all"] : ["active", "paused"]);

export const listLinks = endpoint({
  id: "links.list",
  method: "GET",
  path: "/api/v1/links",
  summary: "List links",
  description:
    "Returns links newest first, without archived and deleted ones, unless you set `sort` or `state`. The `Link` header " +
    "points to the next page and the one before.",
  tag: "Links",
  scope: "links:read",
  query: LinkQuery,
  status: 200,
  response: LinkPage,
  selected: SelectedLinkPage,
  paged: true,
  errors: [],
  examples: { response: { data: [exampleLink], has_more: false, next_cursor: null, previous_cursor: null } },
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
    "Send an `Idempotency-Key` to retry safely: within 24 hours, a retry returns the link created by the first request. " +
    "The status is 200 if `find_existing` found a link.",
  tag: "Links",
  scope: "links:write",
  idempotencyKey: true,
  body: LinkCreate,
  status: 201,
  otherStatus: 200,
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
  readonly additive?: true;
}

const action = <const A extends LinkAction>(name: A, { summary, description, after, additive }: ActionText) =>
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
    ...(additive && { additive }),
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
  additive: true,
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
  additive: true,
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
  additive: true,
  status: 200,
  response: Link,
  etag: true,
  errors: ["external_id_taken", "domain_not_verified"],
  examples: { response: { ...exampleLink, version: 3, updated_at: CHANGED_AT } },
});
