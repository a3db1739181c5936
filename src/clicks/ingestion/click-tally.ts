import { BOT_FLAG } from "#engines/clicks/click-format.ts";

export interface LinkTally {
  clicks: number;
  lastAtMs: number;
}

const TAB = 0x09;
const LINE_FEED = 0x0a;
const ZERO = 0x30;

/** Human clicks and the time of the last one, for each link. Reads three of the columns, by byte. */
export function tallyClicks(payload: Buffer, into: Map<number, LinkTally>): void {
  for (let at = 0; at < payload.length; ) {
    const [atMs, afterTime] = readNumber(payload, at);
    const [, afterAccount] = readNumber(payload, afterTime + 1);
    const [linkNo, afterLink] = readNumber(payload, afterAccount + 1);
    const isBot = ((payload[afterLink + 1] ?? ZERO) & BOT_FLAG) !== 0;
    const end = payload.indexOf(LINE_FEED, afterLink);
    at = end < 0 ? payload.length : end + 1;
    if (isBot) continue;
    const tally = into.get(linkNo);
    if (tally) {
      tally.clicks += 1;
      if (atMs > tally.lastAtMs) tally.lastAtMs = atMs;
    } else into.set(linkNo, { clicks: 1, lastAtMs: atMs });
  }
}

/** The number that starts here, and the position of the tab after it. */
function readNumber(payload: Buffer, start: number): [value: number, end: number] {
  let value = 0;
  let at = start;
  for (let byte = payload[at]; byte !== undefined && byte !== TAB; byte = payload[at]) {
    value = value * 10 + (byte - ZERO);
    at += 1;
  }
  return [value, at];
}
