import { CARRIAGE_RETURN, LINE_FEED, nameByte } from "./byte-classes.ts";

const EMPTY_LINE = "\r\n\r\n";

/** Where the last empty line ends. That is usually the end of the buffer, so checking there first saves a search. */
export function endOfHeads(bytes: Buffer): number {
  const { length } = bytes;
  const isWhole =
    bytes[length - 1] === LINE_FEED &&
    bytes[length - 2] === CARRIAGE_RETURN &&
    bytes[length - 3] === LINE_FEED &&
    bytes[length - 4] === CARRIAGE_RETURN;
  if (isWhole) return length;
  const start = bytes.lastIndexOf(EMPTY_LINE);
  return start === -1 ? 0 : start + EMPTY_LINE.length;
}

/** The HTTP server accepts no longer heads. */
const WAITING_BYTES_MAX = 16 * 1024;

/** Whether an incomplete head may become a valid one. If not, there's no point in waiting for the rest. */
export function mayBecomeHead(bytes: Buffer): boolean {
  return bytes.length <= WAITING_BYTES_MAX && nameByte[bytes[0] ?? 0] !== 0 && !hasBareLineFeed(bytes);
}

function hasBareLineFeed(bytes: Buffer): boolean {
  for (let at = bytes.indexOf(LINE_FEED); at !== -1; at = bytes.indexOf(LINE_FEED, at + 1)) {
    if (bytes[at - 1] !== CARRIAGE_RETURN) return true;
  }
  return false;
}
