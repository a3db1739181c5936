import { isAmbiguousPath, targetOf } from "../request-target.ts";
import {
  CARRIAGE_RETURN,
  COLON,
  isQueryByte,
  isSlugByte,
  isTargetByte,
  LINE_FEED,
  NOT_ALLOWED,
  nameByte,
  PLAIN,
  QUESTION_MARK,
  SLASH,
  SPACE,
  valueKind,
} from "./byte-classes.ts";
import { addToHash, FieldNames } from "./field-names.ts";
import { GET, HEAD, isAt, knownMethodAt, otherMethodBytes } from "./methods.ts";
import { RepeatedText } from "./repeated-text.ts";

/**
 * `plain`: a GET that may be for a short link, and every byte is understood. `framed`: some other request whose target
 * and end are unambiguous. `odd`: everything else, including what is merely unusual.
 */
export type HeadKind = "plain" | "framed" | "odd";

export const HEAD_BYTES_MAX = 8192;

const FIELDS_MAX = 64;
const SLUG_BYTES_MAX = 64;
const VERSION = Buffer.from(" HTTP/1.1\r\n");

// These determine where a request ends and what happens to its connection (RFC 9112 §6 and §9).
const FRAMING = ["host", "connection", "content-length", "transfer-encoding", "expect", "upgrade"] as const;
const HOST_SLOT = 0;
const HOST = /^(?:[\w.:-]+|\[[\da-fA-F:.]+\](?::\d+)?)$/;
const BODY_LENGTH = /^\d{1,9}$/;

/** Reads request heads in one pass. Its fields are valid until the next scan. */
export class HeadScanner {
  readonly #names: FieldNames;
  readonly #slots: ReadonlyMap<string, number>;
  readonly #values: (string | null)[];
  readonly #hosts = new RepeatedText();
  /** The last host that was valid. */
  #validHost: string | null = null;
  slug = "";
  /** Path and query. */
  url = "";
  isKnownMethod = false;
  /** Whether every header field is unambiguous. */
  isClear = false;
  /** Where the head ends. */
  end = 0;
  bodyBytes = 0;
  isHead = false;
  /** Whether the client wants the connection closed after the answer. */
  isLast = false;

  /** `wanted`: the headers that `get` is called with, in lower case. */
  constructor(wanted: readonly string[]) {
    const names = [...new Set<string>([...FRAMING, ...wanted])];
    this.#names = new FieldNames(names);
    this.#slots = new Map(names.map((name, slot) => [name, slot]));
    this.#values = names.map(() => null);
  }

  /** Like `Headers.get`, but only for the wanted headers. */
  get(name: string): string | null {
    const slot = this.#slots.get(name);
    if (slot === undefined) throw new Error(`the header "${name}" is not scanned`);
    return this.#values[slot] ?? null;
  }

  get host(): string {
    return this.#values[HOST_SLOT] ?? "";
  }

  /** `bytes` must contain an empty line after `start`: all loops below stop there. */
  scan(bytes: Buffer, start: number): HeadKind {
    const method = knownMethodAt(bytes, start);
    const methodBytes = method?.length ?? otherMethodBytes(bytes, start);
    if (methodBytes === 0) return "odd";
    this.isHead = method === HEAD;
    this.isKnownMethod = method !== undefined;
    const target = start + methodBytes;
    const isShortLink = method === GET && this.#readShortLink(bytes, target);
    let at = isShortLink ? this.end : target;
    if (!isShortLink) while (isTargetByte[bytes[at] ?? 0] === 1) at += 1;
    if (bytes[target] !== SLASH || !isAt(bytes, at, VERSION)) return "odd";
    if (!isShortLink) {
      this.url = bytes.toString("latin1", target, at);
      if (isAmbiguousPath(targetOf(this.url).path)) return "odd";
    }
    const kind = this.#readFields(bytes, at + VERSION.length);
    this.isClear = kind === "plain";
    if (kind === "odd" || this.end - start > HEAD_BYTES_MAX) return "odd";
    if (!this.#readFraming()) return "odd";
    return isShortLink && this.get("content-length") === null ? kind : "framed";
  }

  #readShortLink(bytes: Buffer, start: number): boolean {
    let at = start + 1;
    while (isSlugByte[bytes[at] ?? 0] === 1) at += 1;
    if (at === start + 1 || at > start + 1 + SLUG_BYTES_MAX) return false;
    this.slug = bytes.toString("latin1", start + 1, at);
    this.url = `/${this.slug}`;
    if (bytes[at] === QUESTION_MARK) {
      at += 1;
      while (isQueryByte[bytes[at] ?? 0] === 1) at += 1;
      this.url = bytes.toString("latin1", start, at);
    }
    this.end = at;
    return bytes[at] === SPACE;
  }

  #readFields(bytes: Buffer, start: number): HeadKind {
    const values = this.#values;
    values.fill(null);
    let kind: HeadKind = "plain";
    let at = start;
    for (let fields = 0; bytes[at] !== CARRIAGE_RETURN; fields += 1) {
      const name = at;
      let hash = 0;
      for (let byte = nameByte[bytes[at] ?? 0] ?? 0; byte !== 0; byte = nameByte[bytes[at] ?? 0] ?? 0) {
        hash = addToHash(hash, byte);
        at += 1;
      }
      const nameEnd = at;
      if (bytes[at] !== COLON || nameEnd === name || fields === FIELDS_MAX) return "odd";
      at += 1;
      if (bytes[at] === SPACE) at += 1;
      const value = at;
      while (valueKind[bytes[at] ?? 0] === PLAIN) at += 1;
      const plainEnd = at;
      while (valueKind[bytes[at] ?? 0] !== NOT_ALLOWED) at += 1;
      if (bytes[at] !== CARRIAGE_RETURN || bytes[at + 1] !== LINE_FEED) return "odd";
      // HTTP parsers disagree about these, so they aren't interpreted here.
      const isUnclear = at !== plainEnd || at === value || bytes[value] === SPACE || bytes[at - 1] === SPACE;
      const slot = this.#names.find(hash, bytes, name, nameEnd);
      const isRepeated = slot !== -1 && values[slot] !== null;
      if (isUnclear || isRepeated) {
        if (slot !== -1 && slot < FRAMING.length) return "odd";
        kind = "framed";
      }
      if (slot === HOST_SLOT) values[slot] = this.#hosts.read(bytes, value, at);
      else if (slot !== -1) values[slot] = bytes.toString("latin1", value, at);
      at += 2;
    }
    this.end = at + 2;
    return bytes[at + 1] === LINE_FEED ? kind : "odd";
  }

  /** RFC 9112 §6.3: a request with neither Transfer-Encoding nor Content-Length has no body. */
  #readFraming(): boolean {
    const [host, connection = null, length = null, transferEncoding, expect, upgrade] = this.#values;
    if (transferEncoding !== null || expect !== null || upgrade !== null) return false;
    if (typeof host !== "string") return false;
    if (host !== this.#validHost) {
      if (!HOST.test(host)) return false;
      this.#validHost = host;
    }
    if (length !== null && !BODY_LENGTH.test(length)) return false;
    this.bodyBytes = length === null ? 0 : Number(length);
    if (connection === null || connection === "keep-alive") this.isLast = false;
    else {
      const option = connection.toLowerCase();
      if (option !== "close" && option !== "keep-alive") return false;
      this.isLast = option === "close";
    }
    return true;
  }
}
