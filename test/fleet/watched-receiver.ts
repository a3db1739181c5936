import type { Link } from "#contract/link-record.ts";
import type { Fleet } from "#test/support/fleet.ts";
import { inTurn } from "#test/support/fleet.ts";
import { operatorOf } from "#test/support/operator.ts";
import { type Hit, payloadOf, startReceiver } from "#test/support/webhook-receiver.ts";

export interface WatchedReceiver {
  /** Deliveries that arrived while an earlier attempt of them was still under way. */
  readonly overlaps: readonly string[];
  /** The links whose creation was reported. */
  readonly links: ReadonlySet<string>;
  /** Attempts beyond the first one of each delivery. */
  repeats(): number;
  isIdle(): boolean;
  stop(): Promise<void>;
}

interface Options {
  readonly hostname?: string;
  /** How long the answer to the n-th attempt takes. */
  readonly answerMs: (attempt: number) => number;
}

/** Receives an event for each link of the fleet's account that is created, takes its time, and watches the senders. */
export async function openWatchedReceiver(fleet: Fleet, { answerMs, ...place }: Options): Promise<WatchedReceiver> {
  const underWay = new Set<string>();
  const overlaps: string[] = [];
  const links = new Set<string>();
  const receiver = startReceiver(place);
  receiver.answerWith(async (hit) => {
    const { delivery } = hit;
    if (underWay.has(delivery)) overlaps.push(delivery);
    underWay.add(delivery);
    await Promise.race([Bun.sleep(answerMs(receiver.hits.length)), hangUpOf(hit)]);
    underWay.delete(delivery);
    links.add(payloadOf<{ data: { link: Link } }>(hit).data.link.id);
    return new Response(null, { status: 204 });
  });
  const operator = operatorOf(inTurn(fleet.nodes, 0));
  const { id } = await operator.newEndpoint(fleet.account, receiver.url, "link.created");
  return {
    overlaps,
    links,
    repeats: () => receiver.hits.length - new Set(receiver.hits.map(({ delivery }) => delivery)).size,
    isIdle: () => underWay.size === 0,
    async stop() {
      await operator.deleteEndpoint(id);
      await receiver.stop();
    },
  };
}

const hangUpOf = ({ signal }: Hit): Promise<void> =>
  new Promise((resolve) => signal.addEventListener("abort", () => resolve(), { once: true }));
