import type { RedirectStatus } from "#visits/link-settings.ts";
import { CLOSE, KEEP_ALIVE } from "../keep-alive.ts";

const REASONS: Readonly<Record<RedirectStatus, string>> = {
  301: "Moved Permanently",
  302: "Found",
  307: "Temporary Redirect",
  308: "Permanent Redirect",
};

/** Serializes redirects of one status. Everything after location and request id is built once per second, because of the date. */
export class RedirectHeads {
  readonly #statusLine: string;
  readonly #fields: string;
  #second = -1;
  #restOfKept = "";
  #restOfLast = "";

  constructor(status: RedirectStatus, fields: Readonly<Record<string, string>>) {
    this.#statusLine = `HTTP/1.1 ${status} ${REASONS[status]}`;
    this.#fields = linesOf(fields);
  }

  /** The location must be visible ASCII. */
  make(location: string, requestId: string, isLast: boolean): string {
    const second = Math.floor(Date.now() / 1000);
    if (second !== this.#second) {
      this.#second = second;
      const rest = `${this.#fields}Date: ${new Date(second * 1000).toUTCString()}\r\nContent-Length: 0\r\n`;
      this.#restOfKept = `${rest}${linesOf(KEEP_ALIVE)}\r\n`;
      this.#restOfLast = `${rest}${linesOf(CLOSE)}\r\n`;
    }
    const rest = isLast ? this.#restOfLast : this.#restOfKept;
    return `${this.#statusLine}\r\nLocation: ${location}\r\nX-Request-Id: ${requestId}\r\n${rest}`;
  }
}

const linesOf = (fields: Readonly<Record<string, string>>): string =>
  Object.entries(fields)
    .map(([name, value]) => `${name}: ${value}\r\n`)
    .join("");
