import { REDIRECT_FIELDS } from "../answers.ts";

const FIELDS = Object.entries(REDIRECT_FIELDS).map(([name, value]) => `${name}: ${value}\r\n`);

/** Redirects as the octets that are sent. They share what follows location and id, which changes with each second. */
export class RedirectHeads {
  #second = -1;
  #rest = "";

  /** The location must be visible ASCII. */
  make(location: string, requestId: string, isLast: boolean): string {
    const second = Math.floor(Date.now() / 1000);
    if (second !== this.#second) {
      this.#second = second;
      this.#rest = `${FIELDS.join("")}Date: ${new Date(second * 1000).toUTCString()}\r\nContent-Length: 0\r\n`;
    }
    const rest = isLast ? `${this.#rest}Connection: close\r\n` : this.#rest;
    return `HTTP/1.1 302 Found\r\nLocation: ${location}\r\nX-Request-Id: ${requestId}\r\n${rest}\r\n`;
  }
}
