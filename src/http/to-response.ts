import { Download, type Endpoint, TextResult, TextStream } from "#contract/endpoint.ts";
import { entityTag } from "#kernel/precondition.ts";
import { JSON_TYPE } from "./error-envelope.ts";
import { OtherStatus, Replayed, Streamed } from "./route.ts";
import { streamBytes, streamText } from "./stream-text.ts";
import { streamedResponse, textResponse } from "./text-response.ts";

interface RequestParts {
  readonly request: Request;
  readonly rawQuery: string;
  /** Of the path. */
  readonly params: Readonly<Record<string, string>>;
  /** Whether the client wants the headers only. */
  readonly isHead: boolean;
  /** Headers of every response. */
  readonly headers: Readonly<Record<string, string>>;
}

/** Turns a handler's result into a response with only the fields the contract declares. */
export async function toResponse(
  endpoint: Endpoint,
  result: unknown,
  { request, rawQuery, params, headers, isHead }: RequestParts,
): Promise<Response> {
  const accepted = request.headers.get("accept-encoding");
  if (result instanceof Streamed) {
    const own = { "content-type": `${result.mediaType}; charset=utf-8`, ...result.headers };
    return new Response(result.body, { status: endpoint.status, headers: { ...headers, ...own } });
  }
  if (result instanceof Download) {
    const own = { "content-type": result.mediaType, "content-disposition": attachment(result) };
    const body = await streamBytes(result.parts, isHead);
    return new Response(body, { status: endpoint.status, headers: { ...own, ...headers } });
  }
  if (result instanceof TextResult || result instanceof TextStream) {
    const own = {
      "content-type": `${result.mediaType}; charset=utf-8`,
      "content-disposition": attachment(result),
    };
    if (result instanceof TextStream) {
      const init = { status: endpoint.status, headers: { ...own, ...headers }, accepted };
      return streamedResponse(await streamText(result.parts, isHead), init);
    }
    return textResponse(result.text, { status: endpoint.status, headers: { ...own, ...headers }, accepted });
  }
  if (!endpoint.response) return new Response(null, { status: endpoint.status, headers });
  const isReplay = result instanceof Replayed;
  const isOther = result instanceof OtherStatus;
  const status = (isReplay || isOther ? result.status : null) ?? endpoint.status;
  const value: unknown = isReplay ? JSON.parse(result.json) : endpoint.response.parse(isOther ? result.value : result);
  const own: Record<string, string> = { "content-type": JSON_TYPE };
  if (endpoint.etag) own.etag = entityTag((value as { version: number }).version);
  if (endpoint.location) own.location = fillIn(endpoint.location, value as Record<string, unknown>);
  if (endpoint.paged) Object.assign(own, otherPages(fillIn(endpoint.path, params), rawQuery, value as PageCursors));
  if (isReplay) own["idempotent-replayed"] = "true";
  const sent = endpoint.selected ? selectFields(value as PageOfRecords, rawQuery) : value;
  return textResponse(isReplay ? result.json : JSON.stringify(sent), {
    status,
    headers: { ...own, ...headers },
    accepted,
  });
}

const attachment = ({ fileName }: { readonly fileName: string }): string => `attachment; filename="${fileName}"`;

interface PageCursors {
  readonly next_cursor: string | null;
  readonly previous_cursor?: string | null;
}

function otherPages(path: string, rawQuery: string, { next_cursor, previous_cursor }: PageCursors) {
  const linkTo = (name: "cursor" | "before", cursor: string | null | undefined, rel: string): string[] => {
    if (cursor == null) return [];
    const query = new URLSearchParams(rawQuery);
    for (const other of ["cursor", "before"]) query.delete(other);
    query.set(name, cursor);
    return [`<${path}?${query}>; rel="${rel}"`];
  };
  const links = [...linkTo("cursor", next_cursor, "next"), ...linkTo("before", previous_cursor, "prev")];
  return links.length === 0 ? {} : { link: links.join(", ") };
}

interface PageOfRecords {
  readonly data: readonly Readonly<Record<string, unknown>>[];
}

/** Only what the query's `fields` name, if it has any. */
function selectFields(page: PageOfRecords, rawQuery: string): PageOfRecords {
  const fields = new Set(new URLSearchParams(rawQuery).getAll("fields"));
  if (fields.size === 0) return page;
  const select = (record: Readonly<Record<string, unknown>>) =>
    Object.fromEntries(Object.entries(record).filter(([name]) => fields.has(name)));
  return { ...page, data: page.data.map(select) };
}

const fillIn = (template: string, record: Readonly<Record<string, unknown>>): string =>
  template.replace(/\{(\w+)\}/g, (_, field: string) => encodeURIComponent(String(record[field])));
