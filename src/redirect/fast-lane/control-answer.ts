import { CLOSE, KEEP_ALIVE } from "../keep-alive.ts";
import { ChunksEnd } from "./chunks-end.ts";

const HEAD_BYTES_MAX = 64 * 1024;
const EMPTY_LINE = "\r\n\r\n";
const STATUS = /^HTTP\/1\.1 ([2-5]\d\d)\b/;
const LENGTH = /\r\ncontent-length: *(\d{1,15})(?=\r\n|$)/i;
const CHUNKED = /\r\ntransfer-encoding: *chunked(?=\r\n|$)/i;
const EVENT_STREAM = /\r\ncontent-type: *text\/event-stream/i;
const REQUEST_ID = /\r\nx-request-id:/i;
// RFC 9110 §7.6.1, except for the body's framing, which stays as it is.
const HOP_BY_HOP = /\r\n(?:connection|keep-alive|proxy-connection|te|trailer|upgrade):[^\r\n]*/gi;
const LAST = fieldsOf(CLOSE);
const KEPT = fieldsOf(KEEP_ALIVE);
const CLOSES = /\r\nconnection: *close/i;

export interface AnswerHead {
  readonly isEventStream: boolean;
  /** Whether control closes the connection after the answer. */
  readonly isLast: boolean;
  /** As sent to the client, without the final empty line. */
  readonly text: string;
}

/** An answer from control as it arrives. Throws if it isn't exactly one well-formed answer. */
export class ControlAnswer {
  readonly #isToHead: boolean;
  #unread: Buffer | undefined;
  #bytesLeft = 0;
  #chunks: ChunksEnd | undefined;
  head: AnswerHead | undefined;

  constructor(isToHead: boolean) {
    this.#isToHead = isToHead;
  }

  get isComplete(): boolean {
    return this.head !== undefined && this.#bytesLeft === 0 && (this.#chunks?.isComplete ?? true);
  }

  /** Whether one last chunk would complete what has arrived of the body. */
  get canBeEnded(): boolean {
    return this.#chunks?.isBetween ?? false;
  }

  /** Returns the part of the bytes that belongs to the body. */
  pass(bytes: Buffer): Buffer {
    if (this.head !== undefined) return this.#passBody(bytes);
    const all = this.#unread === undefined ? bytes : Buffer.concat([this.#unread, bytes]);
    const end = all.indexOf(EMPTY_LINE);
    if (end === -1) {
      if (all.length > HEAD_BYTES_MAX) throw new Error("the answer from control has too long a head");
      this.#unread = all;
      return all.subarray(0, 0);
    }
    this.#readHead(all.toString("latin1", 0, end));
    return this.#passBody(all.subarray(end + EMPTY_LINE.length));
  }

  #readHead(text: string): void {
    const status = STATUS.exec(text)?.[1];
    if (status === undefined) throw new Error("control sent an invalid status line");
    const hasBody = !this.#isToHead && status !== "204" && status !== "304";
    if (hasBody) this.#readFraming(text);
    this.head = {
      isEventStream: hasBody && EVENT_STREAM.test(text),
      isLast: CLOSES.test(text),
      text: text.replace(HOP_BY_HOP, ""),
    };
  }

  #readFraming(text: string): void {
    const length = LENGTH.exec(text)?.[1];
    if (CHUNKED.test(text)) this.#chunks = new ChunksEnd();
    else if (length === undefined) throw new Error("the answer from control has no length");
    else this.#bytesLeft = Number(length);
  }

  #passBody(bytes: Buffer): Buffer {
    const taken = this.#chunks?.pass(bytes) ?? Math.min(this.#bytesLeft, bytes.length);
    if (taken < bytes.length) throw new Error("control sent more than its answer");
    if (this.#chunks === undefined) this.#bytesLeft -= taken;
    return bytes;
  }
}

/** The head for the client, with request id and connection headers. */
export function clientHead({ text }: AnswerHead, requestId: string, isLast: boolean): string {
  const id = REQUEST_ID.test(text) ? "" : `\r\nx-request-id: ${requestId}`;
  return `${text}${id}${isLast ? LAST : KEPT}${EMPTY_LINE}`;
}

function fieldsOf(fields: Readonly<Record<string, string>>): string {
  return Object.entries(fields)
    .map(([name, value]) => `\r\n${name}: ${value}`)
    .join("");
}
