import { type Endpoint, scopesOf } from "#contract/endpoint.ts";
import type { Scope } from "#contract/scopes.ts";
import type { Kurz } from "#sdk/client.ts";
import { type Call, newLink } from "./api-client.ts";
import { newName } from "./domain-stage.ts";

/** A body that the endpoint accepts; each has a domain of its own, and a token can pass on what it needs to be accepted. */
export function goodBody(endpoint: Endpoint): unknown {
  const { id, examples } = endpoint;
  const body = examples?.body as object | undefined;
  if (id === "domains.create") return { ...body, name: newName() };
  return id === "tokens.create" ? { ...body, scopes: scopesOf(endpoint) } : body;
}

/** The scopes that such a request needs: some bodies need more than the operation. */
export const scopesForGoodRequest = (endpoint: Endpoint): readonly Scope[] =>
  endpoint.id === "webhooks.create" ? [...scopesOf(endpoint), "links:read"] : scopesOf(endpoint);

/** A request that the endpoint accepts, for the link, tag or domain with this id if it takes one. */
export function goodRequest(endpoint: Endpoint, id: string): Call {
  const { method, path } = endpoint;
  const body = goodBody(endpoint);
  return { method, path: path.replace(/\{\w+\}/, id), ...(body !== undefined && { json: body }) };
}

interface Subject {
  readonly id: string;
  readonly path: string;
  /** Increases with each change. */
  version(): Promise<number>;
  /** For good. */
  delete(): Promise<void>;
}

/** A tag of one link, whose version changes with it. */
async function newTag(kurz: Kurz): Promise<Subject> {
  const tag = `tag-${crypto.randomUUID()}`;
  const { id } = await newLink(kurz, { tags: [tag] });
  return {
    id: tag,
    path: `/api/v1/tags/${tag}`,
    version: async () => (await kurz.links.get(id)).version,
    delete: () => kurz.tags.delete(tag),
  };
}

/** A shared report of a link; it never changes. */
async function newShare(kurz: Kurz): Promise<Subject> {
  const link = await newLink(kurz);
  const { id } = await kurz.links.share(link.id);
  return {
    id,
    path: `/api/v1/links/${link.id}`,
    version: async () => (await kurz.links.shares(link.id)).length,
    delete: () => kurz.shares.revoke(id),
  };
}

/** A webhook endpoint; it never gets a delivery, since no operator blocks a link here. */
async function newEndpoint(kurz: Kurz): Promise<Subject> {
  const url = "https://hooks.example/kurz";
  const { id, updated_at } = await kurz.webhooks.create({ url, events: ["link.blocked"] });
  return {
    id,
    path: `/api/v1/webhooks/${id}`,
    version: async () => 1 + Date.parse((await kurz.webhooks.get(id)).updated_at) - Date.parse(updated_at),
    delete: () => kurz.webhooks.delete(id),
  };
}

/** A token that nobody uses; it changes when it is revoked. */
async function newToken(kurz: Kurz): Promise<Subject> {
  const { id } = await kurz.tokens.create({ name: "Another", scopes: ["links:read"] });
  const isRevoked = async () => (await kurz.tokens.list()).find((token) => token.id === id)?.revoked_at !== null;
  return {
    id,
    path: "/api/v1/tokens",
    version: async () => 1 + Number(await isRevoked()),
    delete: () => kurz.tokens.revoke(id),
  };
}

/** A new object of the kind that the endpoint is about. */
export async function newSubject(kurz: Kurz, { path }: Pick<Endpoint, "path">): Promise<Subject> {
  if (path.startsWith("/api/v1/tags")) return newTag(kurz);
  if (path.startsWith("/api/v1/shares")) return newShare(kurz);
  if (path.startsWith("/api/v1/webhooks")) return newEndpoint(kurz);
  if (path.startsWith("/api/v1/tokens")) return newToken(kurz);
  const isDomain = path.startsWith("/api/v1/domains");
  const { id } = await (isDomain ? kurz.domains.create({ name: newName() }) : newLink(kurz));
  const all = isDomain ? kurz.domains : kurz.links;
  return {
    id,
    path: `/api/v1/${isDomain ? "domains" : "links"}/${id}`,
    version: async () => (await all.get(id)).version,
    delete: () => (isDomain ? kurz.domains.delete(id) : kurz.links.delete(id, { permanent: true })),
  };
}
