import type { Endpoint } from "#contract/endpoint.ts";
import type { Call } from "./api-client.ts";

/** A request that the endpoint accepts, for the link with this id if it takes one. */
export function goodRequest({ method, path, examples }: Endpoint, linkId: string): Call {
  const body = examples?.body;
  return { method, path: path.replace("{id}", linkId), ...(body !== undefined && { json: body }) };
}
