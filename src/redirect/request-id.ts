import { newUlid } from "#kernel/ids.ts";

const TRUSTED = /^[A-Za-z0-9_-]{8,64}$/;
const SYMBOLS = "0123456789abcdefghjkmnpqrstvwxyz";
const PAIRS = Array.from({ length: 1024 }, (_, index) => SYMBOLS.charAt(index >> 5) + SYMBOLS.charAt(index & 31));
const TIME_CHARACTERS = 10;
const drawn = new Uint8Array(14);

let drawnMs = -1;
let front = "";
let count = 0;

/**
 * `req_` and a ULID. Ids of the same millisecond share their random characters, except for the last two, which count up.
 * That is several times cheaper, and every redirect has one.
 */
export function newRequestId(): string {
  const now = Date.now();
  count += 1;
  if (now !== drawnMs || count === PAIRS.length) drawFront(now);
  return front + PAIRS[count];
}

function drawFront(now: number): void {
  drawnMs = now;
  front = `req_${newUlid().slice(0, TIME_CHARACTERS)}`;
  for (const byte of crypto.getRandomValues(drawn)) front += SYMBOLS.charAt(byte & 31);
  // Starts at a random number, so an id doesn't reveal how busy the service is.
  count = Math.floor(Math.random() * PAIRS.length);
}

/** Accepts the id from a trusted proxy only: anyone else could forge log lines or cause collisions. */
export function requestIdOf(request: { readonly headers: Pick<Headers, "get"> }, trustsProxy: boolean): string {
  if (!trustsProxy) return newRequestId();
  const given = request.headers.get("x-request-id");
  return given !== null && TRUSTED.test(given) ? given : newRequestId();
}
