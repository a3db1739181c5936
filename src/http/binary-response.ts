import type { BinaryResult } from "#contract/endpoint.ts";
import { isNamedIn } from "#kernel/precondition.ts";

/** The bytes, or 304 if the client's cached copy is current. */
export async function binaryResponse(
  { parts: { mediaType, tag, headers: own, read } }: BinaryResult,
  request: Request,
  headers: Readonly<Record<string, string>>,
): Promise<Response> {
  const merged = { ...headers, ...own, etag: `"${tag}"` };
  const cached = request.headers.get("if-none-match");
  // RFC 9110 §13.2.1: an error takes precedence over a 304. A matching tag proves the bytes can be read; `*` doesn't.
  if (cached?.trim() === "*") await read();
  if (isNamedIn(cached, tag)) return new Response(null, { status: 304, headers: merged });
  const type = mediaType.endsWith("+xml") ? `${mediaType}; charset=utf-8` : mediaType;
  return new Response(await read(), { headers: { ...merged, "content-type": type } });
}
