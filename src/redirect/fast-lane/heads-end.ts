import { CARRIAGE_RETURN, LINE_FEED, nameOctet } from "./octets.ts";

const EMPTY_LINE = "\r\n\r\n";

/** Where the last empty line ends; mostly that is the end of all, and a search would take longer than the look. */
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

/** Whether a head may begin so. */
export const isMethodStart = (octet: number): boolean => nameOctet[octet] !== 0;
