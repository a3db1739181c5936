import { z } from "zod";
import { endpoint } from "./endpoint.ts";
import { Instant, label, Timestamp } from "./fields.ts";
import { Scope, scopes } from "./scopes.ts";

const Name = label(100).describe("What the token is for.");

export const ApiToken = z
  .object({
    id: z.string().describe("The part of the token that isn't secret. It is in the audit log."),
    name: Name,
    scopes: z.array(Scope),
    rate_limit: z.int().nullable().describe("Requests per minute, if the token has a limit of its own."),
    created_at: Timestamp,
    expires_at: Timestamp.nullable(),
    revoked_at: Timestamp.nullable(),
    last_used_at: Timestamp.nullable().describe("Exact to the minute."),
  })
  .meta({ id: "ApiToken", description: "An API token of the account, without its value." });
export type ApiToken = z.output<typeof ApiToken>;

const NewApiToken = z
  .object({
    id: z.string(),
    token: z.string().describe("The token. It is only in this response: keep it."),
    expires_at: Timestamp.nullable(),
  })
  .meta({ id: "NewApiToken", description: "A new API token with its value." });

const TokenList = z
  .object({ data: z.array(ApiToken) })
  .meta({ id: "TokenList", description: "The account's tokens, newest first." });

const TokenCreate = z
  .strictObject({
    name: Name,
    scopes: z.array(Scope).min(1).max(scopes.length).describe("Only scopes that your own token has."),
    expires_at: Instant.nullish().describe(
      "When it stops working: not after your own token. By default, when that does.",
    ),
  })
  .meta({ id: "TokenCreate", description: "A token with no more rights than your own." });
export type TokenCreate = z.output<typeof TokenCreate>;

const Id = z.strictObject({ id: z.string().max(255).describe("The token's `id`.") });

const exampleToken = {
  id: "4fJq81ZkWx0B",
  name: "CI",
  scopes: ["links:read", "links:write"],
  rate_limit: null,
  created_at: "2026-01-02T03:04:05.678Z",
  expires_at: "2099-12-31T23:00:00.000Z",
  revoked_at: null,
  last_used_at: null,
} as const;

export const listApiTokens = endpoint({
  id: "tokens.list",
  method: "GET",
  path: "/api/v1/tokens",
  summary: "List API tokens",
  description:
    "Returns the account's tokens, without their values, including revoked and expired ones for 400 days, or 30 if nothing " +
    "ever used them.",
  tag: "Tokens",
  scope: "tokens:write",
  status: 200,
  response: TokenList,
  errors: [],
  examples: { response: { data: [exampleToken] } },
});

export const createApiToken = endpoint({
  id: "tokens.create",
  method: "POST",
  path: "/api/v1/tokens",
  summary: "Create an API token",
  description:
    "The new token never has more rights than yours: only scopes that yours has, and no later end. Both count against one " +
    "limit of requests. It stays when yours is revoked. There is no `Idempotency-Key`: a response that can be repeated would have to be " +
    "stored with the token. If a response was lost, list the tokens and revoke the one nobody has.",
  tag: "Tokens",
  scope: "tokens:write",
  body: TokenCreate,
  readOnlyFields: Object.keys(ApiToken.shape).filter((field) => !(field in TokenCreate.shape)),
  unrepeatable: true,
  status: 201,
  response: NewApiToken,
  errors: [],
  examples: {
    body: { name: "CI", scopes: ["links:read"], expires_at: "2099-12-31T23:00:00Z" },
    response: {
      id: exampleToken.id,
      token: "kurz_4fJq81ZkWx0B_AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA",
      expires_at: exampleToken.expires_at,
    },
  },
});

export const revokeApiToken = endpoint({
  id: "tokens.revoke",
  method: "DELETE",
  path: "/api/v1/tokens/{id}",
  summary: "Revoke an API token",
  description: "From then on requests with the token fail with `token_revoked`. You can revoke your own.",
  tag: "Tokens",
  scope: "tokens:write",
  params: Id,
  status: 204,
  errors: [],
});
