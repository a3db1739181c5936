const HEAD_BYTES_MAX = 64 * 1024;
const EMPTY_LINE = "\r\n\r\n";
const STATUS = /^HTTP\/1\.1 ([2-5]\d\d)\b/;
const NO_LENGTH = /\r\n(?:transfer-encoding:|connection: *close)/i;
const LENGTH = /\r\ncontent-length: *(\d{1,15})(?=\r\n|$)/i;

export type Progress = "under way" | "complete" | "until close";

/** Finds the end of an answer from our own HTTP server. */
export class ResponseEnd {
  readonly #isToHead: boolean;
  #head: Buffer | undefined;
  #bytesLeft: number | undefined;

  constructor(isToHead: boolean) {
    this.#isToHead = isToHead;
  }

  /** An answer without a known end lasts until the connection is closed. */
  pass(bytes: Buffer): Progress {
    if (this.#bytesLeft !== undefined) return this.#count(this.#bytesLeft, bytes.length);
    const head = this.#head === undefined ? bytes : Buffer.concat([this.#head, bytes]);
    const end = head.indexOf(EMPTY_LINE);
    if (end === -1) {
      this.#head = head;
      return head.length > HEAD_BYTES_MAX ? "until close" : "under way";
    }
    const length = this.#lengthOf(head.toString("latin1", 0, end));
    return length === undefined ? "until close" : this.#count(end + EMPTY_LINE.length + length, head.length);
  }

  #count(bytesExpected: number, bytesReceived: number): Progress {
    this.#bytesLeft = bytesExpected - bytesReceived;
    if (this.#bytesLeft === 0) return "complete";
    return this.#bytesLeft > 0 ? "under way" : "until close";
  }

  #lengthOf(head: string): number | undefined {
    const status = STATUS.exec(head)?.[1];
    if (status === undefined || NO_LENGTH.test(head)) return undefined;
    if (this.#isToHead || status === "204" || status === "304") return 0;
    const length = LENGTH.exec(head)?.[1];
    return length === undefined ? undefined : Number(length);
  }
}
