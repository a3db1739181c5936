import { CLOSE, KEEP_ALIVE } from "../keep-alive.ts";

// RFC 9112 §4: the reason phrase may be empty, but the space before it is required.
const REASONS = new Map([
  [400, "Bad Request"],
  [503, "Service Unavailable"],
]);

export interface RawAnswerOptions {
  readonly isToHead: boolean;
  /** The connection is closed after it. */
  readonly isLast: boolean;
}

/** Serializes one of our own answers. */
export async function rawAnswer(response: Response, { isToHead, isLast }: RawAnswerOptions): Promise<Buffer> {
  const { status, headers } = response;
  const body = Buffer.from(await response.arrayBuffer());
  headers.set("content-length", String(body.length));
  headers.set("date", new Date().toUTCString());
  for (const [name, value] of Object.entries(isLast ? CLOSE : KEEP_ALIVE)) headers.set(name, value);
  const fields = [...headers].map(([name, value]) => `${name}: ${value}\r\n`).join("");
  const head = Buffer.from(`HTTP/1.1 ${status} ${REASONS.get(status) ?? ""}\r\n${fields}\r\n`, "latin1");
  return isToHead ? head : Buffer.concat([head, body]);
}
