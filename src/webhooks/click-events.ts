import type { Click } from "#clicks/click-columns.ts";
import { parseClickLine } from "#clicks/click-line.ts";
import type { ClickListener } from "#clicks/ingestion/counter-consumer.ts";
import type { SegmentSlice } from "#clicks/ingestion/journal-consumer.ts";
import { CLICKS_PER_EVENT_MAX, type WebhookData } from "#contract/webhooks.ts";
import type { Records } from "#engines/records/records.ts";
import type { Sql } from "#engines/records/schema.ts";
import { type Clock, toTimestamp } from "#kernel/clock.ts";
import type { ShortOrigin } from "#links/link-record.ts";
import { BODY_BYTES_MAX, HELD_MS_MAX, type Outbox } from "#outbox/outbox.service.ts";
import { addDropped, type ClickTaker, countWaiting, findLinks, selectClickTakers } from "./click-events.store.ts";
import type { ClickIds } from "./click-id.ts";

type ClickItem = WebhookData<"link.clicked">["clicks"][number];

interface SeenClick {
  readonly id: string;
  readonly click: Click;
}

interface Deps {
  readonly records: Records;
  readonly outbox: Outbox;
  readonly clock: Clock;
  readonly origin: ShortOrigin;
  readonly clickId: ClickIds;
  readonly waitingMax?: number;
}

/** Beyond so many deliveries that wait for an endpoint, further clicks are counted but not kept for it. */
const WAITING_MAX = 1000;
// Parsing a click takes microseconds; in between, the event loop is let go.
const LINES_PER_TURN = 500;
/** Room for the fields around the clicks. */
const CLICKS_BYTES_MAX = BODY_BYTES_MAX - 1024;

/** Turns clicks by people into events for the endpoints that asked for them. Without such an endpoint it reads nothing. */
export function clickEvents({
  records,
  outbox,
  clock,
  origin,
  clickId,
  waitingMax = WAITING_MAX,
}: Deps): ClickListener {
  const findSeen = async (slices: readonly SegmentSlice[], accounts: ReadonlySet<number>): Promise<SeenClick[]> => {
    const seen: SeenClick[] = [];
    let lines = 0;
    for (const { segment, payload, firstSeq } of slices) {
      let seq = firstSeq ?? 0;
      for (const line of linesOf(payload)) {
        lines += 1;
        if (lines % LINES_PER_TURN === 0) await new Promise((resolve) => setImmediate(resolve));
        if (accounts.has(accountOf(line))) {
          const click = parseClickLine(line);
          if (!click.bot) seen.push({ id: clickId(segment, seq), click });
        }
        seq += 1;
      }
    }
    return seen;
  };

  const toItems = async (seen: readonly SeenClick[]): Promise<ReadonlyMap<number, ClickItem[]>> => {
    const links = new Map<number, ClickItem["link"]>();
    const numbers = [...new Set(seen.map(({ click }) => click.link_no))];
    for (let from = 0; from < numbers.length; from += LINES_PER_TURN) {
      for (const { no, id, slug } of await findLinks(records.read, numbers.slice(from, from + LINES_PER_TURN))) {
        const { scheme, domain } = origin;
        links.set(no, { id, short_url: `${scheme}//${domain}/${slug}`, domain, slug });
      }
    }
    const items = new Map<number, ClickItem[]>();
    for (const { id, click } of seen) {
      const link = links.get(click.link_no);
      // Clicks of a deleted link are erased everywhere; they do not go out either.
      if (!link) continue;
      const ofAccount = items.get(click.account_no) ?? [];
      ofAccount.push(toItem(id, click, link));
      items.set(click.account_no, ofAccount);
    }
    return items;
  };

  const store = async (tx: Sql, takers: readonly ClickTaker[], clicks: readonly ClickItem[]): Promise<void> => {
    const [taker] = takers;
    if (!taker) return;
    const room = new Map<number, number>();
    for (const { no } of takers) room.set(no, waitingMax - (await countWaiting(tx, no, waitingMax)));
    for (const part of batchesOf(clicks)) {
      const endpoints = takers.map(({ no }) => no).filter((no) => (room.get(no) ?? 0) > 0);
      for (const { no } of takers) {
        if (endpoints.includes(no)) room.set(no, (room.get(no) ?? 0) - 1);
        else await addDropped(tx, no, part.length);
      }
      if (endpoints.length === 0) continue;
      const event = { type: "link.clicked" as const, accountNo: taker.account_no, at: clock() };
      await outbox.appendTo(
        tx,
        { accountId: taker.account_id, endpoints },
        { ...event, data: () => ({ clicks: [...part] }) },
      );
    }
  };

  return {
    async prepare(slices) {
      const takers = await selectClickTakers(records.read, { heldSince: clock() - HELD_MS_MAX });
      if (takers.length === 0) return null;
      const accounts = new Set(takers.map(({ account_no }) => account_no));
      const items = await toItems(await findSeen(slices, accounts));
      if (items.size === 0) return null;
      return async (tx) => {
        for (const [accountNo, clicks] of items) {
          await store(
            tx,
            takers.filter(({ account_no }) => account_no === accountNo),
            clicks,
          );
        }
      };
    },
  };
}

function* linesOf(payload: Buffer): Generator<string> {
  for (let start = 0; start < payload.length; ) {
    const end = payload.indexOf("\n", start) + 1;
    if (end === 0) return;
    yield payload.toString("utf8", start, end);
    start = end;
  }
}

/** The second field of a line. */
function accountOf(line: string): number {
  const start = line.indexOf("\t") + 1;
  return Number(line.slice(start, line.indexOf("\t", start)));
}

const orNull = (text: string): string | null => (text === "" ? null : text);

const toItem = (id: string, click: Click, link: ClickItem["link"]): ClickItem => ({
  id,
  at: toTimestamp(click.at_ms),
  country: orNull(click.country),
  referrer: orNull(click.referrer),
  device: orNull(click.device),
  browser: orNull(click.browser),
  os: orNull(click.os),
  source: click.source === "qr" ? "qr" : "link",
  link,
});

/** At most so many clicks and so many bytes each. */
function batchesOf(clicks: readonly ClickItem[]): ClickItem[][] {
  const batches: ClickItem[][] = [];
  let batch: ClickItem[] = [];
  let bytes = 0;
  for (const click of clicks) {
    const size = Buffer.byteLength(JSON.stringify(click)) + 1;
    if (batch.length === CLICKS_PER_EVENT_MAX || (batch.length > 0 && bytes + size > CLICKS_BYTES_MAX)) {
      batches.push(batch);
      batch = [];
      bytes = 0;
    }
    batch.push(click);
    bytes += size;
  }
  return batch.length > 0 ? [...batches, batch] : batches;
}
