import { z } from "zod";
import { endpoint } from "./endpoint.ts";
import { Timestamp } from "./fields.ts";
import { exampleLink, Link, LinkPatch } from "./link-record.ts";

const isWritable = (field: string): boolean => field in LinkPatch.shape;

/** The fields that histories are about; everything else follows from these, from time or from clicks. */
const recorded = ["state", "blocked", "password_protected"] as const;
export const recordedFields = (Object.keys(Link.shape) as (keyof Link)[]).filter(
  (field) => isWritable(field) || (recorded as readonly string[]).includes(field),
);
const RecordedFields = Link.partial()
  .pick(Object.fromEntries(recordedFields.map((field) => [field, true])) as Record<keyof Link, true>)
  .meta({ id: "LinkChangedFields", description: "Some fields of a link, with their values." });
export type RecordedFields = z.output<typeof RecordedFields>;

export const versionActions = [
  "created",
  "updated",
  "reverted",
  "paused",
  "resumed",
  "archived",
  "unarchived",
  "deleted",
  "restored",
  "blocked",
  "unblocked",
  "unknown",
] as const;
export type VersionAction = (typeof versionActions)[number];

const Changer = z
  .object({
    type: z.enum(["token", "user", "operator", "blocklist", "system"]),
    id: z.string().nullable().describe("Of a token or user."),
    name: z.string().nullable().describe("Of a token or user, unless it was deleted."),
  })
  .meta({ id: "LinkChanger", description: "Who changed a link." });

export const LinkVersion = z
  .object({
    version: z.int(),
    at: Timestamp.nullable().describe("`null` if `action` is `unknown`."),
    action: z
      .enum(versionActions)
      .describe("`unknown` for the version that a link had when Kurz began to keep its history."),
    reverted_to: z.int().nullable().describe("The version whose fields a `reverted` link got."),
    by: Changer.nullable().describe("`null` if that is unknown."),
    via: z
      .enum(["api", "console", "command", "import", "demo", "server"])
      .nullable()
      .describe("What it was done with. `null` if that is unknown."),
    before: RecordedFields.describe("The previous values of the fields that changed; empty for `created`."),
    after: RecordedFields.describe(
      "Their values in this version. A password that replaced another is shown as `password_protected`, `true` in both.",
    ),
  })
  .meta({ id: "LinkVersion", description: "One version of a link, and how it came about." });
export type LinkVersion = z.output<typeof LinkVersion>;

const LinkVersionPage = z
  .object({
    data: z.array(LinkVersion),
    has_more: z.boolean(),
    next_cursor: z.string().nullable().describe("Pass it as `cursor` to get the next page. `null` on the last page."),
  })
  .meta({ id: "LinkVersionPage", description: "One page of a link's versions." });
export type LinkVersionPage = z.output<typeof LinkVersionPage>;

const LinkHistoryQuery = z.strictObject({
  limit: z.int().min(1).max(100).default(25).describe("Versions per page."),
  cursor: z.string().max(2000).optional().describe("The previous page's `next_cursor`. Only valid for the same link."),
});
export type LinkHistoryQuery = z.output<typeof LinkHistoryQuery>;

const LinkId = z.strictObject({ id: z.string().max(255).describe("The link's `id`.") });

export const getLinkHistory = endpoint({
  id: "links.history",
  method: "GET",
  path: "/api/v1/links/{id}/history",
  summary: "List a link's versions",
  description:
    "Returns what changed in each version, newest first: who did it, when and how. The history is kept as long as the " +
    "link, also in the trash. It never contains passwords.",
  tag: "Links",
  scope: "links:read",
  params: LinkId,
  query: LinkHistoryQuery,
  status: 200,
  response: LinkVersionPage,
  paged: true,
  errors: [],
  examples: {
    response: {
      data: [
        {
          version: 2,
          at: "2026-01-03T10:00:00.000Z",
          action: "updated",
          reverted_to: null,
          by: { type: "token", id: "zASOhkqT7KqN", name: "CI server" },
          via: "api",
          before: { title: "Spring sale" },
          after: { title: "Summer sale" },
        },
      ],
      has_more: false,
      next_cursor: null,
    },
  },
});

export const revertLink = endpoint({
  id: "links.revert",
  method: "POST",
  path: "/api/v1/links/{id}/revert",
  summary: "Revert a link to an earlier version",
  description:
    "Creates a new version with the fields of an earlier one. The checks are those of an update, so a destination that " +
    "is blocked by now is refused. The state, the password and an `external_id` that is set stay as they are. If nothing " +
    "differs, nothing changes and the response is the same.",
  tag: "Links",
  scope: "links:write",
  params: LinkId,
  body: z
    .strictObject({ version: z.int().min(1).describe("The version whose fields the link gets.") })
    .meta({ id: "LinkRevert", description: "Which version to revert to." }),
  ifMatch: true,
  status: 200,
  response: Link,
  etag: true,
  errors: ["external_id_taken", "destination_blocked", "invalid_state"],
  examples: {
    body: { version: 1 },
    response: { ...exampleLink, version: 3, updated_at: "2026-01-04T10:00:00.000Z" },
  },
});
