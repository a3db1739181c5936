import { newUlid } from "#kernel/ids.ts";

const TRUSTED = /^[A-Za-z0-9_-]{8,64}$/;
const SYMBOLS = "0123456789abcdefghjkmnpqrstvwxyz";
const PAIRS = Array.from({ length: 1024 }, (_, index) => SYMBOLS.charAt(index >> 5) + SYMBOLS.charAt(index & 31));
const COUNTED_CHARACTERS = 4;
const COUNT_MASK = 32 ** COUNTED_CHARACTERS - 1;

let drawnMs = -1;
let front = "";
let count = 0;

/**
 * `req_` and a ULID. All ids of one millisecond share their first 22 characters and count in the last four, which makes
 * them several times cheaper; a process would have to answer a million requests in a millisecond to repeat one.
 */
export function newRequestId(): string {
  const now = Date.now();
  if (now !== drawnMs) {
    drawnMs = now;
    front = `req_${newUlid().slice(0, -COUNTED_CHARACTERS)}`;
    // From a new place each time: nobody learns from two ids how busy the service is.
    count = Math.floor(Math.random() * COUNT_MASK);
  }
  count = (count + 1) & COUNT_MASK;
  return front + PAIRS[count >> 10] + PAIRS[count & 1023];
}

/** Takes over the id of a trusted proxy; from anyone else it could forge log lines and collide. */
export function requestIdOf(request: Request, trustsProxy: boolean): string {
  if (!trustsProxy) return newRequestId();
  const given = request.headers.get("x-request-id");
  return given !== null && TRUSTED.test(given) ? given : newRequestId();
}
