import type { CountCompanion } from "#clicks/ingestion/counter-consumer.ts";
import type { SegmentSlice } from "#clicks/ingestion/journal-consumer.ts";
import { CLICKS_PER_EVENT_MAX, type WebhookData } from "#contract/webhooks.ts";
import { type Click, parseClick } from "#engines/clicks/click-format.ts";
import { toPublicClick } from "#engines/clicks/public-click.ts";
import type { Records } from "#engines/records/records.ts";
import type { Clock } from "#kernel/clock.ts";
import { nextTurn } from "#kernel/next-turn.ts";
import { addressOf, type ShortOrigin } from "#links/link-record.ts";
import { BODY_BYTES_MAX, HELD_MS_MAX, type Outbox, type WrittenEvent, writeEvent } from "#outbox/outbox.service.ts";
import {
  addDropped,
  type ClickSubscriber,
  countPendingUpTo,
  findClickSubscribers,
  findLinks,
} from "./click-events.store.ts";
import type { ClickIds } from "./click-id.ts";

type ClickItem = WebhookData<"link.clicked">["clicks"][number];

interface SeenClick {
  readonly id: string;
  readonly click: Click;
}

/** What to store for one account's endpoints. */
interface Plan {
  readonly events: readonly { readonly event: WrittenEvent; readonly endpoints: readonly number[] }[];
  /** Number of dropped clicks by endpoint. */
  readonly dropped: ReadonlyMap<number, number>;
}

interface Deps {
  readonly records: Records;
  readonly outbox: Outbox;
  readonly clock: Clock;
  readonly origin: ShortOrigin;
  readonly clickId: ClickIds;
  readonly pendingMax?: number;
}

/** With this many pending deliveries, an endpoint's further clicks are counted but dropped. */
const PENDING_MAX = 1000;
// Parsing and serializing a click takes microseconds; after this many, the event loop gets a turn.
const CLICKS_PER_TURN = 100;
const LINKS_PER_QUERY = 500;
/** Leaves room for the event's other fields. */
const CLICKS_BYTES_MAX = BODY_BYTES_MAX - 1024;

/** Turns clicks by people into events for subscribed endpoints. Reads nothing if there are none. */
export function clickEvents({
  records,
  outbox,
  clock,
  origin,
  clickId,
  pendingMax = PENDING_MAX,
}: Deps): CountCompanion {
  const findSeen = async (
    slices: readonly SegmentSlice[],
    accounts: ReadonlyMap<number, unknown>,
  ): Promise<SeenClick[]> => {
    const seen: SeenClick[] = [];
    let lines = 0;
    for (const { segment, payload, textsOf, firstSeq } of slices) {
      let seq = firstSeq ?? 0;
      for (const line of linesOf(payload)) {
        lines += 1;
        if (lines % CLICKS_PER_TURN === 0) await nextTurn();
        if (accounts.has(accountOf(line))) {
          const click = parseClick(line, textsOf);
          if (!click.bot) seen.push({ id: clickId(segment, seq), click });
        }
        seq += 1;
      }
    }
    return seen;
  };

  const findLinksOf = async (seen: readonly SeenClick[]): Promise<ReadonlyMap<number, ClickItem["link"]>> => {
    const links = new Map<number, ClickItem["link"]>();
    const numbers = [...new Set(seen.map(({ click }) => click.link_no))];
    for (let from = 0; from < numbers.length; from += LINKS_PER_QUERY) {
      for (const { no, id, ...row } of await findLinks(records.read, numbers.slice(from, from + LINKS_PER_QUERY))) {
        links.set(no, { id, ...addressOf(row, origin) });
      }
    }
    return links;
  };

  /** Everything but the writes, because a transaction blocks the event loop until it ends. */
  const plan = async (subscribers: readonly ClickSubscriber[], clicks: Iterable<ClickItem>): Promise<Plan> => {
    const events: { event: WrittenEvent; endpoints: number[] }[] = [];
    const dropped = new Map<number, number>();
    const room = new Map<number, number>();
    for (const { no } of subscribers) room.set(no, pendingMax - (await countPendingUpTo(records.read, no, pendingMax)));
    for (const batch of batchesOf(clicks)) {
      const endpoints: number[] = [];
      for (const [no, left] of room) {
        if (left > 0) endpoints.push(no);
        else dropped.set(no, (dropped.get(no) ?? 0) + batch.length);
        room.set(no, left - 1);
      }
      const [subscriber] = subscribers;
      if (subscriber && endpoints.length > 0) {
        const event = { type: "link.clicked", accountNo: subscriber.account_no, at: clock() } as const;
        const written = writeEvent(subscriber.account_id, { ...event, data: () => ({ clicks: batch }) });
        events.push({ event: written, endpoints });
      }
      await nextTurn();
    }
    return { events, dropped };
  };

  return {
    async prepare(slices) {
      const subscribers = await findClickSubscribers(records.read, { heldSince: clock() - HELD_MS_MAX });
      if (subscribers.length === 0) return null;
      const byAccount = Map.groupBy(subscribers, ({ account_no }) => account_no);
      const seen = await findSeen(slices, byAccount);
      const links = await findLinksOf(seen);
      const plans: Plan[] = [];
      for (const [accountNo, ofAccount] of Map.groupBy(seen, ({ click }) => click.account_no)) {
        plans.push(await plan(byAccount.get(accountNo) ?? [], itemsOf(ofAccount, links)));
      }
      if (plans.length === 0) return null;
      return async (tx) => {
        for (const { events, dropped } of plans) {
          for (const { event, endpoints } of events) await outbox.appendTo(tx, event, endpoints);
          for (const [endpointNo, clicks] of dropped) await addDropped(tx, endpointNo, clicks);
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

function accountOf(line: string): number {
  const start = line.indexOf("\t") + 1;
  return Number(line.slice(start, line.indexOf("\t", start)));
}

/** Clicks of deleted links are erased everywhere, so they aren't sent either. */
function* itemsOf(seen: readonly SeenClick[], links: ReadonlyMap<number, ClickItem["link"]>): Generator<ClickItem> {
  for (const { id, click } of seen) {
    const link = links.get(click.link_no);
    if (link) yield { id, ...toPublicClick(click), link };
  }
}

/** Batches that stay within the limits on clicks and bytes. */
function* batchesOf(clicks: Iterable<ClickItem>): Generator<ClickItem[]> {
  let batch: ClickItem[] = [];
  let bytes = 0;
  for (const click of clicks) {
    const size = Buffer.byteLength(JSON.stringify(click)) + 1;
    if (batch.length === CLICKS_PER_EVENT_MAX || (batch.length > 0 && bytes + size > CLICKS_BYTES_MAX)) {
      yield batch;
      batch = [];
      bytes = 0;
    }
    batch.push(click);
    bytes += size;
  }
  if (batch.length > 0) yield batch;
}
