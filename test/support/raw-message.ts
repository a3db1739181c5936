export interface RawRequest {
  readonly method?: string;
  /** Sent unchanged: nothing is normalised or encoded. */
  readonly target: string;
  /** In this order, as Latin-1; `Host` and the length of the body are added unless given. */
  readonly headers?: readonly (readonly [name: string, value: string])[];
  readonly body?: string | Uint8Array;
}

export interface RawAnswer {
  readonly status: number;
  readonly headers: Headers;
  /** As sent, with repetitions. */
  readonly headerNames: readonly string[];
  readonly text: string;
}

const HEAD_END = "\r\n\r\n";

/** The request as a string with one character per byte (Latin-1). */
export function toBytes({ method = "GET", target, headers = [], body = "" }: RawRequest): string {
  const content = Buffer.from(body);
  const given = new Set(headers.map(([name]) => name.toLowerCase()));
  const added: [name: string, value: string][] = [];
  if (!given.has("host")) added.push(["Host", "localhost"]);
  if (content.length > 0 && !given.has("content-length") && !given.has("transfer-encoding")) {
    added.push(["Content-Length", String(content.length)]);
  }
  const fields = [...added, ...headers].map(([name, value]) => `${name}: ${value}\r\n`).join("");
  return `${method} ${target} HTTP/1.1\r\n${fields}\r\n${content.toString("latin1")}`;
}

/** The body in chunks of transfer coding (RFC 9112 §7.1). */
export function chunked(body: string, chunkBytes = 16_384): Buffer {
  const bytes = Buffer.from(body);
  const chunks: Buffer[] = [];
  for (let start = 0; start < bytes.length; start += chunkBytes) {
    const chunk = bytes.subarray(start, start + chunkBytes);
    chunks.push(Buffer.from(`${chunk.length.toString(16)}\r\n`), chunk, Buffer.from("\r\n"));
  }
  return Buffer.concat([...chunks, Buffer.from("0\r\n\r\n")]);
}

export interface Parsed<T> {
  readonly value: T;
  /** How many bytes it takes up. */
  readonly length: number;
}

/** The answer at the start of the bytes, once complete; one without a length ends with its connection. */
export function parseAnswer(bytes: string, method: string, isEnded: boolean): Parsed<RawAnswer> | undefined {
  const headEnd = bytes.indexOf(HEAD_END);
  if (headEnd === -1) return undefined;
  const { status, headers, headerNames } = parseHead(bytes.slice(0, headEnd));
  const rest = bytes.slice(headEnd + HEAD_END.length);
  const hasBody = method !== "HEAD" && status !== 204 && status !== 304;
  const body = hasBody ? parseBody(rest, headers, isEnded) : { value: "", length: 0 };
  if (!body) return undefined;
  const text = Buffer.from(body.value, "latin1").toString();
  return { value: { status, headers, headerNames, text }, length: headEnd + HEAD_END.length + body.length };
}

function parseHead(head: string): Omit<RawAnswer, "text"> {
  const [statusLine = "", ...fields] = head.split("\r\n");
  const [, status] = /^HTTP\/1\.1 (\d{3})\b/.exec(statusLine) ?? [];
  if (status === undefined) throw new Error(`not an answer: ${JSON.stringify(statusLine)}`);
  const headers = new Headers();
  const headerNames = fields.map((field) => {
    const colon = field.indexOf(":");
    headers.append(field.slice(0, colon), field.slice(colon + 1).trim());
    return field.slice(0, colon).toLowerCase();
  });
  return { status: Number(status), headers, headerNames };
}

function parseBody(bytes: string, headers: Headers, isEnded: boolean): Parsed<string> | undefined {
  if (headers.get("transfer-encoding") === "chunked") return parseChunks(bytes);
  const declared = headers.get("content-length");
  if (declared === null) return isEnded ? { value: bytes, length: bytes.length } : undefined;
  const length = Number(declared);
  return bytes.length < length ? undefined : { value: bytes.slice(0, length), length };
}

function parseChunks(bytes: string): Parsed<string> | undefined {
  const chunks: string[] = [];
  for (let at = 0; ; ) {
    const lineEnd = bytes.indexOf("\r\n", at);
    if (lineEnd === -1) return undefined;
    const length = Number.parseInt(bytes.slice(at, lineEnd), 16);
    if (Number.isNaN(length)) throw new Error(`not a chunk: ${JSON.stringify(bytes.slice(at, lineEnd))}`);
    const start = lineEnd + 2;
    at = start + length + 2;
    if (bytes.length < at) return undefined;
    if (length === 0) return { value: chunks.join(""), length: at };
    chunks.push(bytes.slice(start, start + length));
  }
}
