import { type Endpoint, TextResult } from "#contract/endpoint.ts";
import { entityTag } from "#kernel/precondition.ts";
import { JSON_TYPE } from "./error-envelope.ts";
import { Replayed, Streamed } from "./route.ts";
import { textResponse } from "./text-response.ts";

interface RequestParts {
  readonly request: Request;
  readonly rawQuery: string;
  /** Of the path. */
  readonly params: Readonly<Record<string, string>>;
  /** Headers of every response. */
  readonly headers: Readonly<Record<string, string>>;
}

/** Turns a handler's result into a response with only the fields the contract declares. */
export function toResponse(
  endpoint: Endpoint,
  result: unknown,
  { request, rawQuery, params, headers }: RequestParts,
): Response {
  const accepted = request.headers.get("accept-encoding");
  if (result instanceof Streamed) {
    const own = { "content-type": `${result.mediaType}; charset=utf-8`, ...result.headers };
    return new Response(result.body, { status: endpoint.status, headers: { ...headers, ...own } });
  }
  if (!endpoint.response) return new Response(null, { status: endpoint.status, headers });
  if (result instanceof TextResult) {
    const own = {
      "content-type": `${result.mediaType}; charset=utf-8`,
      "content-disposition": `attachment; filename="${result.fileName}"`,
    };
    return textResponse(result.text, { status: endpoint.status, headers: { ...own, ...headers }, accepted });
  }
  const isReplay = result instanceof Replayed;
  const value: unknown = isReplay ? JSON.parse(result.json) : endpoint.response.parse(result);
  const own: Record<string, string> = { "content-type": JSON_TYPE };
  if (endpoint.etag) own.etag = entityTag((value as { version: number }).version);
  if (endpoint.location) own.location = fillIn(endpoint.location, value as Record<string, unknown>);
  if (endpoint.paged) {
    const path = fillIn(endpoint.path, params);
    Object.assign(own, nextPage(path, rawQuery, value as { next_cursor: string | null }));
  }
  if (isReplay) own["idempotent-replayed"] = "true";
  return textResponse(isReplay ? result.json : JSON.stringify(value), {
    status: endpoint.status,
    headers: { ...own, ...headers },
    accepted,
  });
}

function nextPage(path: string, rawQuery: string, { next_cursor }: { next_cursor: string | null }) {
  if (next_cursor === null) return {};
  const query = new URLSearchParams(rawQuery);
  query.set("cursor", next_cursor);
  return { link: `<${path}?${query}>; rel="next"` };
}

const fillIn = (template: string, record: Readonly<Record<string, unknown>>): string =>
  template.replace(/\{(\w+)\}/g, (_, field: string) => encodeURIComponent(String(record[field])));
