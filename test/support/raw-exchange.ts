import { connect } from "node:net";

export interface RawRequest {
  readonly method?: string;
  /** Sent as it stands: nothing is normalised or encoded. */
  readonly target: string;
  /** In this order, as Latin-1; `Host` and `Connection: close` are added unless given. */
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

const TIMEOUT_MS = 10_000;
const HEAD_END = "\r\n\r\n";

/** A request written by hand, for what no HTTP client would send. */
export async function exchangeRaw(port: number, request: RawRequest): Promise<RawAnswer> {
  const { method = "GET", target, headers = [], body = "" } = request;
  const bytes = Buffer.from(body);
  const given = new Set(headers.map(([name]) => name.toLowerCase()));
  const added: [string, string][] = [];
  if (!given.has("host")) added.push(["Host", `127.0.0.1:${port}`]);
  if (!given.has("connection")) added.push(["Connection", "close"]);
  if (bytes.length > 0 && !given.has("content-length") && !given.has("transfer-encoding")) {
    added.push(["Content-Length", String(bytes.length)]);
  }
  const fields = [...added, ...headers].map(([name, value]) => `${name}: ${value}\r\n`).join("");
  const head = Buffer.from(`${method} ${target} HTTP/1.1\r\n${fields}\r\n`, "latin1");
  return parse(await exchangeBytes(port, Buffer.concat([head, bytes])), method);
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

/** Sends and reads until the other side closes. A reset after a whole answer is how servers refuse an upload. */
function exchangeBytes(port: number, bytes: Uint8Array): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const received: Buffer[] = [];
    const socket = connect({ port, host: "127.0.0.1" });
    const done = () => resolve(Buffer.concat(received));
    socket.setTimeout(TIMEOUT_MS, () => {
      socket.destroy();
      if (received.length > 0) done();
      else reject(new Error(`no answer within ${TIMEOUT_MS} ms`));
    });
    socket.on("connect", () => socket.write(bytes));
    socket.on("data", (chunk) => received.push(Buffer.from(chunk)));
    socket.on("end", () => {
      socket.end();
      done();
    });
    socket.on("error", (error) => (received.length > 0 ? done() : reject(error)));
  });
}

function parse(bytes: Buffer, method: string): RawAnswer {
  const end = bytes.indexOf(HEAD_END);
  if (end < 0) throw new Error(`not an answer: ${JSON.stringify(bytes.toString("latin1"))}`);
  const [statusLine = "", ...fields] = bytes.subarray(0, end).toString("latin1").split("\r\n");
  const headers = new Headers();
  const headerNames: string[] = [];
  for (const field of fields) {
    const colon = field.indexOf(":");
    const name = field.slice(0, colon);
    headerNames.push(name.toLowerCase());
    headers.append(name, field.slice(colon + 1).trim());
  }
  const rest = bytes.subarray(end + HEAD_END.length);
  const body = headers.get("transfer-encoding") === "chunked" && method !== "HEAD" ? unchunk(rest) : rest;
  return { status: Number(statusLine.split(" ")[1]), headers, headerNames, text: body.toString("utf8") };
}

function unchunk(bytes: Buffer): Buffer {
  const chunks: Buffer[] = [];
  for (let at = 0; at < bytes.length; ) {
    const lineEnd = bytes.indexOf("\r\n", at);
    const length = Number.parseInt(bytes.subarray(at, lineEnd).toString(), 16);
    if (!(length > 0)) break;
    chunks.push(bytes.subarray(lineEnd + 2, lineEnd + 2 + length));
    at = lineEnd + 2 + length + 2;
  }
  return Buffer.concat(chunks);
}
