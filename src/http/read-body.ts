import { type Endpoint, mediaTypesOf } from "#contract/endpoint.ts";
import type { FieldError } from "#contract/errors.ts";
import { BODY_BYTES_MAX } from "#contract/limits.ts";
import { ApiError } from "#kernel/api-error.ts";
import { drainStream } from "#kernel/drain-stream.ts";
import { UNREAD_BODY_HEADER } from "#kernel/internal-headers.ts";

/** Levels of nesting. */
export const DEPTH_MAX = 8;
const RECEIVE_TIMEOUT_MS = 15_000;

/** The bytes of the body, or `null` if there is none and none is required. */
export async function readBody(endpoint: Endpoint, request: Request): Promise<Uint8Array | null> {
  const { headers } = request;
  const declared = Number(headers.get(UNREAD_BODY_HEADER) ?? headers.get("content-length") ?? Number.NaN);
  // Accessing `body` creates a stream, which costs more than reading the bytes.
  const empty = declared === 0 || (!(declared > 0) && request.body === null);
  if (empty && endpoint.bodyOptional) return null;
  // A chunked body may turn out to be empty, and an empty one needs no media type.
  const isTyped = request.headers.has("content-type");
  if (isTyped || !endpoint.bodyOptional) checkMediaType(endpoint, request.headers);
  const bytesMax = endpoint.bodyBytesMax ?? BODY_BYTES_MAX;
  if (declared > bytesMax) throw tooLarge(bytesMax);
  const bytes = empty ? new Uint8Array() : await receive(request, declared, bytesMax);
  if (bytes.length === 0 && endpoint.bodyOptional) return null;
  if (!isTyped) checkMediaType(endpoint, request.headers);
  return bytes;
}

function checkMediaType(endpoint: Endpoint, headers: Headers): void {
  const accepted = [...mediaTypesOf(endpoint)];
  const reject = (message: string) => new ApiError("unsupported_media_type", message, { accepted });
  const header = headers.get("content-type");
  if (header === null) throw reject(`Send the body with a Content-Type of ${accepted.join(" or ")}.`);
  const [type = "", ...parameters] = header.split(";").map((part) => part.trim().toLowerCase());
  if (!accepted.includes(type)) throw reject(`"${type}" is not supported; send ${accepted.join(" or ")}.`);
  const charset = parameters.find((parameter) => parameter.startsWith("charset="))?.slice("charset=".length);
  if (charset !== undefined && charset.replaceAll('"', "") !== "utf-8") throw reject("The charset must be utf-8.");
  const encoding = headers.get("content-encoding");
  if (encoding !== null && encoding.toLowerCase() !== "identity")
    throw reject("Send the body without Content-Encoding.");
}

async function receive(request: Request, declared: number, bytesMax: number): Promise<Uint8Array> {
  const { promise: late, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(
    () => reject(new ApiError("bad_request", "The body took too long to arrive.")),
    RECEIVE_TIMEOUT_MS,
  );
  try {
    if (declared <= bytesMax) return await Promise.race([request.bytes().catch(cutOff), late]);
    return await receiveStream(request.body as ReadableStream<Uint8Array>, late, bytesMax);
  } finally {
    clearTimeout(timer);
  }
}

/** For a body without a Content-Length. */
async function receiveStream(
  body: ReadableStream<Uint8Array>,
  late: Promise<never>,
  bytesMax: number,
): Promise<Uint8Array> {
  const reader = body.getReader();
  const chunks: Uint8Array[] = [];
  let length = 0;
  for (;;) {
    const { done, value } = await Promise.race([reader.read().catch(cutOff), late]);
    if (done) break;
    length += value.length;
    // Keeps reading past the limit: clients miss a response sent in the middle of an upload.
    if (length <= bytesMax) chunks.push(value);
  }
  if (length > bytesMax) throw tooLarge(bytesMax);
  return chunks.length === 1 && chunks[0] ? chunks[0] : Buffer.concat(chunks, length);
}

/** The client disconnected, which isn't a bug. */
const cutOff = (): never => {
  throw new ApiError("bad_request", "The body was cut off.");
};

const tooLarge = (bytesMax: number) =>
  new ApiError("payload_too_large", `The body is larger than ${bytesMax} bytes.`, { limit_bytes: bytesMax });

// Keeps a byte order mark, so JSON.parse rejects it.
const utf8 = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

export function parseJson(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(utf8.decode(bytes));
  } catch {
    throw new ApiError(
      "invalid_json",
      bytes.length === 0 ? "The body is empty." : "The body is not valid JSON in UTF-8.",
    );
  }
}

/** Discards a body that was rejected unread. */
export async function drainBody(request: Request): Promise<void> {
  if (request.body === null || request.bodyUsed) return;
  await drainStream(request.body.getReader());
}

/** What schemas can't check: deep nesting, and keys that would reach an object's prototype. */
export function checkShape(value: unknown, depthMax = DEPTH_MAX): FieldError[] {
  const problems: FieldError[] = [];
  const path: string[] = [];
  const report = (code: "too_deep" | "unknown_field", message: string) =>
    problems.push({ location: "body", field: path.join("."), code, message });
  const visit = (part: unknown): void => {
    if (typeof part !== "object" || part === null) return;
    if (path.length >= depthMax) {
      report("too_deep", `At most ${depthMax} levels of nesting.`);
      return;
    }
    for (const key of Object.keys(part)) {
      path.push(key);
      if (key === "__proto__") report("unknown_field", "There is no such field.");
      else visit((part as Readonly<Record<string, unknown>>)[key]);
      path.pop();
    }
  };
  visit(value);
  return problems;
}
