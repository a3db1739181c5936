import type { BinaryAnswer } from "#contract/endpoint.ts";
import { isNamedIn } from "#kernel/precondition.ts";

/** The bytes, or 304 when the client holds them already. */
export async function answerBinary(
  { parts: { mediaType, tag, headers: own, read } }: BinaryAnswer,
  request: Request,
  headers: Readonly<Record<string, string>>,
): Promise<Response> {
  const answered = { ...headers, ...own, etag: `"${tag}"` };
  const held = request.headers.get("if-none-match");
  // RFC 9110 §13.2.1: what would be refused is refused under any condition. A tag was given with the bytes, `*` was not.
  if (held?.trim() === "*") await read();
  if (isNamedIn(held, tag)) return new Response(null, { status: 304, headers: answered });
  // What is text among these is UTF-8.
  const type = mediaType.endsWith("+xml") ? `${mediaType}; charset=utf-8` : mediaType;
  return new Response(await read(), { headers: { ...answered, "content-type": type } });
}
