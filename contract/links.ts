import { z } from "zod";
import { endpoint } from "./endpoint.ts";
import { Instant } from "./fields.ts";
import { CreatedVia, exampleLink, Link, LinkCreate, LinkPage, LinkPatch, linkStates, TAGS_MAX } from "./link-record.ts";

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
  cursor: z.string().max(2000).optional().describe("`next_cursor` of the page before. Bound to sort and filters."),
  sort: z
    .enum(linkSorts)
    .default("-created_at")
    .describe("By a key that moves (`updated_at`, clicks), a link that changes meanwhile may repeat or be missed."),
  state: z
    .array(z.enum([...linkStates, "all"]))
    .max(8)
    .default(["active", "paused"])
    .describe("May be repeated."),
  tag: z
    .array(z.string().min(1).max(50))
    .max(TAGS_MAX)
    .default([])
    .describe("May be repeated: links with all of them."),
  q: z.string().min(3).max(100).optional().describe("Part of the slug, title or destination, whatever its case."),
  slug: z.string().max(64).optional().describe("Exactly this slug, whatever its case."),
  domain: z.string().max(255).optional().describe("Only links on this short domain."),
  created_via: CreatedVia.optional(),
  expired: z.boolean().optional().describe("Only links whose `expires_at` has passed, or only the others."),
  blocked: z.boolean().optional().describe("Only links that the operator blocked, or only the others."),
  created_after: Instant.optional().describe("Created at or after this instant."),
  created_before: Instant.optional().describe("Created before this instant."),
});
export type LinkQuery = z.output<typeof LinkQuery>;

export const listLinks = endpoint({
  id: "links.list",
  method: "GET",
  path: "/api/v1/links",
  summary: "List links",
  description:
    "Newest first and without archived links, unless asked otherwise. The `Link` header names the next page.",
  tag: "Links",
  scope: "links:read",
  query: LinkQuery,
  status: 200,
  response: LinkPage,
  paged: true,
  errors: [],
  examples: { response: { data: [exampleLink], has_more: false, next_cursor: null } },
});

export const createLink = endpoint({
  id: "links.create",
  method: "POST",
  path: "/api/v1/links",
  summary: "Create a short link",
  description: "With an `Idempotency-Key`, a retry within 24 hours answers with the link of the first try.",
  tag: "Links",
  scope: "links:write",
  idempotencyKey: true,
  body: LinkCreate,
  status: 201,
  response: Link,
  etag: true,
  location: "/api/v1/links/{id}",
  errors: ["slug_taken", "destination_blocked"],
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
  summary: "Read a link",
  description: "The link as it is now.",
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
  summary: "Change a link",
  description: "A JSON merge patch (RFC 7396). A patch that changes nothing leaves `version` as it is.",
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
  errors: ["destination_blocked"],
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

export const deleteLink = endpoint({
  id: "links.delete",
  method: "DELETE",
  path: "/api/v1/links/{id}",
  summary: "Delete a link",
  description: "The link and its clicks are gone for good; its slug is never given out again and answers 410.",
  tag: "Links",
  scope: "links:write",
  params: LinkId,
  ifMatch: true,
  status: 204,
  errors: [],
});

export const linkActions = ["pause", "resume", "archive", "unarchive"] as const;
export type LinkAction = (typeof linkActions)[number];

interface ActionText {
  readonly summary: string;
  readonly description: string;
  /** What the example shows changed. */
  readonly after: Partial<Link>;
}

const action = <const A extends LinkAction>(name: A, { summary, description, after }: ActionText) =>
  endpoint({
    id: `links.${name}`,
    method: "POST",
    path: `/api/v1/links/{id}/${name}`,
    summary,
    description: `${description} When that is so already, nothing changes and the answer is the same.`,
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
  description: "The link answers 404 until it is resumed.",
  after: { state: "paused", paused_at: CHANGED_AT },
});

export const resumeLink = action("resume", {
  summary: "Resume a link",
  description: "The paused link redirects again.",
  after: { version: 3 },
});

export const archiveLink = action("archive", {
  summary: "Archive a link",
  description: "The link answers 410 and leaves the default list.",
  after: { state: "archived", archived_at: CHANGED_AT },
});

export const unarchiveLink = action("unarchive", {
  summary: "Unarchive a link",
  description: "The link returns to the state it had before.",
  after: { version: 3 },
});
