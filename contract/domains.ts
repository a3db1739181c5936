import { z } from "zod";
import { Domain, DomainCreate, DomainPage, DomainPatch, domainStatuses, exampleDomain } from "./domain-record.ts";
import { endpoint } from "./endpoint.ts";

const CHANGED_AT = "2026-01-03T10:00:00.000Z";

const DomainId = z.strictObject({ id: z.string().max(255).describe("The domain's `id`.") });

const DomainQuery = z.strictObject({
  limit: z.int().min(1).max(100).default(25).describe("Domains per page."),
  cursor: z.string().max(255).optional().describe("The previous page's `next_cursor`."),
  name: z.string().max(255).optional().describe("Only the domain with this name."),
  status: z.enum(domainStatuses).optional().describe("Only domains with this status."),
});
export type DomainQuery = z.output<typeof DomainQuery>;

export const listDomains = endpoint({
  id: "domains.list",
  method: "GET",
  path: "/api/v1/domains",
  summary: "List domains",
  description: "Returns the account's domains, oldest first. The `Link` header points to the next page.",
  tag: "Domains",
  scope: "domains:read",
  query: DomainQuery,
  status: 200,
  response: DomainPage,
  paged: true,
  errors: [],
  examples: { response: { data: [exampleDomain], has_more: false, next_cursor: null } },
});

export const createDomain = endpoint({
  id: "domains.create",
  method: "POST",
  path: "/api/v1/domains",
  summary: "Add a domain",
  description:
    "Add the TXT record in `verification` to your DNS, then verify the domain. Until then it can't have links. " +
    "Adding a name that the account already has returns `domain_exists`.",
  tag: "Domains",
  scope: "domains:write",
  idempotencyKey: true,
  body: DomainCreate,
  status: 201,
  response: Domain,
  etag: true,
  location: "/api/v1/domains/{id}",
  errors: ["domain_exists", "destination_blocked"],
  examples: {
    body: { name: "go.acme.example", root_redirect_url: "https://acme.example/" },
    response: exampleDomain,
  },
});

export const getDomain = endpoint({
  id: "domains.get",
  method: "GET",
  path: "/api/v1/domains/{id}",
  summary: "Retrieve a domain",
  description: "Returns the domain with the number of its links.",
  tag: "Domains",
  scope: "domains:read",
  params: DomainId,
  status: 200,
  response: Domain,
  etag: true,
  errors: [],
  examples: { response: exampleDomain },
});

export const updateDomain = endpoint({
  id: "domains.update",
  method: "PATCH",
  path: "/api/v1/domains/{id}",
  summary: "Update a domain",
  description:
    "Takes a JSON merge patch (RFC 7396). The two documents of `app_links` are replaced as a whole. Making a domain " +
    "the default ends that of the one before.",
  tag: "Domains",
  scope: "domains:write",
  params: DomainId,
  body: DomainPatch,
  readOnlyFields: Object.keys(Domain.shape).filter((field) => !(field in DomainPatch.shape)),
  mediaTypes: ["application/merge-patch+json", "application/json"],
  ifMatch: true,
  status: 200,
  response: Domain,
  etag: true,
  errors: ["domain_not_verified", "destination_blocked"],
  examples: {
    body: { not_found_redirect_url: "https://acme.example/not-found" },
    response: {
      ...exampleDomain,
      not_found_redirect_url: "https://acme.example/not-found",
      version: 2,
      updated_at: CHANGED_AT,
    },
  },
});

export const deleteDomain = endpoint({
  id: "domains.delete",
  method: "DELETE",
  path: "/api/v1/domains/{id}",
  summary: "Remove a domain",
  description: "Only a domain without links can be removed; archived and paused links count too.",
  tag: "Domains",
  scope: "domains:write",
  params: DomainId,
  ifMatch: true,
  status: 204,
  errors: ["domain_in_use"],
});

export const verifyDomain = endpoint({
  id: "domains.verify",
  method: "POST",
  path: "/api/v1/domains/{id}/verify",
  summary: "Verify a domain",
  description:
    "Looks up the TXT record. If it is there, the domain becomes `verified`; otherwise its `status` stays as it " +
    "is, and `last_problem` explains why.",
  tag: "Domains",
  scope: "domains:write",
  params: DomainId,
  body: z.strictObject({}),
  bodyOptional: true,
  ifMatch: true,
  additive: true,
  status: 200,
  response: Domain,
  etag: true,
  errors: [],
  examples: {
    response: {
      ...exampleDomain,
      status: "verified",
      last_checked_at: CHANGED_AT,
      verified_at: CHANGED_AT,
      verified_by: "dns",
      version: 2,
      updated_at: CHANGED_AT,
    },
  },
});
