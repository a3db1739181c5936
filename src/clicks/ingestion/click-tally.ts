import { BOT_FLAG } from "#engines/clicks/click-format.ts";

export interface LinkTally {
  clicks: number;
  lastAtMs: number;
}

const TAB = 0x09;
const LINE_FEED = 0x0a;
const ZERO = 0x30;

/**
 * Human clicks and the time of the last one, for each link. Reads three of the columns by byte, in one loop: a function that
 * returns both a number and where it ends takes twice as long.
 */
export function tallyClicks(payload: Buffer, into: Map<number, LinkTally>): void {
  for (let at = 0; at < payload.length; ) {
    let atMs = 0;
    for (let byte = payload[at] ?? TAB; byte !== TAB; byte = payload[at] ?? TAB) {
      atMs = atMs * 10 + (byte - ZERO);
      at += 1;
    }
    // The account.
    do at += 1;
    while ((payload[at] ?? TAB) !== TAB);
    at += 1;
    let linkNo = 0;
    for (let byte = payload[at] ?? TAB; byte !== TAB; byte = payload[at] ?? TAB) {
      linkNo = linkNo * 10 + (byte - ZERO);
      at += 1;
    }
    const isBot = ((payload[at + 1] ?? ZERO) & BOT_FLAG) !== 0;
    while ((payload[at] ?? LINE_FEED) !== LINE_FEED) at += 1;
    at += 1;
    if (isBot) continue;
    const tally = into.get(linkNo);
    if (tally) {
      tally.clicks += 1;
      if (atMs > tally.lastAtMs) tally.lastAtMs = atMs;
    } else into.set(linkNo, { clicks: 1, lastAtMs: atMs });
  }
}
