// Anything shorter fits into one packet either way.
const COMPRESSED_CHARACTERS_MIN = 1024;
// Compression blocks the event loop, and higher levels take twice the time to save another 5 %.
const LEVEL = 3;

interface TextInit {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  /** The client's `Accept-Encoding`. */
  readonly accepted: string | null;
}

/**
 * A text response, compressed if it is long enough. Responses with an entity tag aren't compressed: a strong tag stands
 * for one sequence of bytes, and a weak one would never match `If-Match` (RFC 9110 §8.8.3.3, §13.1.1).
 */
export function textResponse(text: string, { status, headers, accepted }: TextInit): Response {
  if (text.length < COMPRESSED_CHARACTERS_MIN || headers.etag) return new Response(text, { status, headers });
  const varying = varyingHeaders(headers);
  if (!acceptsCoding(accepted, "gzip")) return new Response(text, { status, headers: varying });
  const body = Bun.gzipSync(text, { level: LEVEL });
  return new Response(body, { status, headers: { ...varying, "content-encoding": "gzip" } });
}

/** The same for a text of unknown length. */
export function streamedResponse(
  body: ReadableStream<Uint8Array<ArrayBuffer>>,
  { status, headers, accepted }: TextInit,
): Response {
  const varying = varyingHeaders(headers);
  if (!acceptsCoding(accepted, "gzip")) return new Response(body, { status, headers: varying });
  const compressed = body.pipeThrough(new CompressionStream("gzip"));
  return new Response(compressed, { status, headers: { ...varying, "content-encoding": "gzip" } });
}

const varyingHeaders = (headers: TextInit["headers"]): Record<string, string> => ({
  ...headers,
  vary: headers.vary ? `${headers.vary}, Accept-Encoding` : "Accept-Encoding",
});

const CODING = /(?:^|,)\s*(br|gzip|\*)\s*(?:;\s*q\s*=\s*([\d.]+)\s*)?(?=,|$)/gi;

/** Whether a content coding is accepted, by name or by `*`, with a weight above zero (RFC 9110 §12.5.3). */
export function acceptsCoding(header: string | null, coding: "br" | "gzip"): boolean {
  const weights = new Map<string, number>();
  for (const [, name = "", weight = "1"] of (header ?? "").matchAll(CODING)) {
    weights.set(name.toLowerCase(), Number(weight));
  }
  return (weights.get(coding) ?? weights.get("*") ?? 0) > 0;
}
