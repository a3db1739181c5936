import { z } from "zod";
import { endpoint } from "./endpoint.ts";
import { fieldProblem } from "./errors.ts";
import { TagName } from "./tag-name.ts";

export const tagColors = ["gray", "red", "orange", "yellow", "green", "teal", "blue", "purple", "pink"] as const;
export const TagColor = z.enum(tagColors).meta({ id: "TagColor", description: "A color of the console's palette." });
export type TagColor = z.output<typeof TagColor>;

export const Tag = z
  .object({
    name: z.string().describe("In lower case: tags that differ only in case are the same. Links show them as written."),
    color: TagColor.nullable(),
    link_count: z.int().describe("How many links have it, except those in the trash."),
    click_count: z.int().describe("Clicks by people on these links."),
    pending: z
      .boolean()
      .describe(
        "Whether links are still being moved to or from this tag. That goes on by itself, even after a restart.",
      ),
  })
  .meta({ id: "Tag", description: "A tag, with how much it is used." });
export type Tag = z.output<typeof Tag>;

const TagPage = z
  .object({
    data: z.array(Tag),
    has_more: z.boolean(),
    next_cursor: z.string().nullable().describe("Pass it as `cursor` to get the next page. `null` on the last page."),
  })
  .meta({ id: "TagPage", description: "One page of tags." });
export type TagPage = z.output<typeof TagPage>;

const TagPatch = z
  .strictObject({
    name: TagName.optional().describe("The new name. Its links get it in place of the old one, spelled as here."),
    merge: z
      .boolean()
      .optional()
      .describe("`true`: if there is a tag with the new name already, merge this one into it, instead of failing."),
    color: TagColor.nullable().optional(),
  })
  .refine(({ name, merge }) => merge === undefined || name !== undefined, {
    ...fieldProblem("required", "`merge` needs a `name`."),
    path: ["name"],
  })
  .meta({ id: "TagPatch", description: "A JSON merge patch (RFC 7396): omitted fields stay unchanged." });
export type TagPatch = z.output<typeof TagPatch>;

const TagPath = z.strictObject({ tag: z.string().min(1).max(255).describe("The tag's `name`. Case-insensitive.") });

const TagQuery = z.strictObject({
  limit: z.int().min(1).max(100).default(100).describe("Tags per page."),
  cursor: z.string().max(255).optional().describe("The previous page's `next_cursor`."),
  q: z.string().min(1).max(50).optional().describe("Only tags that contain this text. Case-insensitive."),
});
export type TagQuery = z.output<typeof TagQuery>;

const exampleTag = { name: "spring", color: "green", link_count: 12, click_count: 3456, pending: false } as const;

export const listTags = endpoint({
  id: "tags.list",
  method: "GET",
  path: "/api/v1/tags",
  summary: "List tags",
  description:
    "Returns the account's tags by name. The `Link` header points to the next page. With many thousands of tagged links, " +
    "the counts may be half a minute old.",
  tag: "Tags",
  scope: "links:read",
  query: TagQuery,
  status: 200,
  response: TagPage,
  paged: true,
  errors: [],
  examples: { response: { data: [exampleTag], has_more: false, next_cursor: null } },
});

export const getTag = endpoint({
  id: "tags.get",
  method: "GET",
  path: "/api/v1/tags/{tag}",
  summary: "Retrieve a tag",
  description: "Returns the tag with its current counts.",
  tag: "Tags",
  scope: "links:read",
  params: TagPath,
  status: 200,
  response: Tag,
  errors: [],
  examples: { response: exampleTag },
});

export const updateTag = endpoint({
  id: "tags.update",
  method: "PATCH",
  path: "/api/v1/tags/{tag}",
  summary: "Rename, merge or color a tag",
  description:
    "Renaming changes every link with the tag, as an update of each link would: with a new `version`, a `link.updated` " +
    "event and an entry in the audit log. With thousands of links that takes a while: the response comes after a second " +
    "at most, and `pending` is `true` until all links have changed. Meanwhile each link has either the old tag or the new " +
    "one. Links in the trash keep the old one.",
  tag: "Tags",
  scope: "links:write",
  params: TagPath,
  body: TagPatch,
  readOnlyFields: ["link_count", "click_count", "pending"],
  mediaTypes: ["application/merge-patch+json", "application/json"],
  status: 200,
  response: Tag,
  errors: ["tag_exists", "tag_busy"],
  examples: { body: { color: "blue" }, response: { ...exampleTag, color: "blue" } },
});

export const deleteTag = endpoint({
  id: "tags.delete",
  method: "DELETE",
  path: "/api/v1/tags/{tag}",
  summary: "Delete a tag",
  description:
    "Removes the tag from every link, as an update of each link would. With thousands of links that goes on after the " +
    "response; until then the tag is `pending`. Links in the trash keep it.",
  tag: "Tags",
  scope: "links:write",
  params: TagPath,
  status: 204,
  errors: ["tag_busy"],
});
