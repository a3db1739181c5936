import { z } from "zod";
import { endpoint } from "./endpoint.ts";
import { ExternalId, exampleLink, Link, LinkCreate } from "./link-record.ts";

const LinkReplace = LinkCreate.omit({ external_id: true, find_existing: true }).meta({
  id: "LinkReplace",
  description:
    "All fields of a link. `null` is the same as leaving a field out, and sets its default; only a `password` that is " +
    "left out stays, since it can't be read.",
});
export type LinkReplace = z.output<typeof LinkReplace>;

export const upsertLink = endpoint({
  id: "links.upsert",
  method: "PUT",
  path: "/api/v1/links/external/{external_id}",
  summary: "Create or replace a link by its external id",
  description:
    "Creates the link with this `external_id` (201), or replaces its fields (200). Safe to repeat: if nothing differs, " +
    "`version` isn't incremented. `slug` and `domain` are for a new link; those of an existing one can't be changed. A " +
    "link in the trash doesn't count.",
  tag: "Links",
  scope: "links:write",
  params: z.strictObject({ external_id: ExternalId }),
  body: LinkReplace,
  ifMatch: true,
  status: 201,
  otherStatus: 200,
  response: Link,
  etag: true,
  location: "/api/v1/links/{id}",
  errors: ["slug_taken", "domain_not_verified", "destination_blocked"],
  examples: {
    body: { destination_url: "https://example.com/sale", title: "Spring sale", tags: ["spring", "email"] },
    response: { ...exampleLink, utm: {}, external_id: "order-4711" },
  },
});
