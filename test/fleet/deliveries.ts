import type { Link } from "#contract/link-record.ts";
import { createOnAll, type Fleet, inTurn } from "#test/support/fleet.ts";
import { operatorOf } from "#test/support/operator.ts";
import { until } from "#test/support/until.ts";
import { payloadOf, startReceiver } from "#test/support/webhook-receiver.ts";

const ANSWER_MS = 150;
const PATIENCE_MS = 120_000;

export interface Deliveries {
  readonly events: number;
  readonly delivered: number;
  /** Deliveries that arrived while an earlier attempt of them was still under way. */
  readonly overlaps: readonly string[];
  /** Attempts beyond the first one of each delivery. */
  readonly repeats: number;
}

/** Changes links on all nodes, whose workers share one queue for a receiver that takes its time. */
export async function deliverFromAll(fleet: Fleet, events: number): Promise<Deliveries> {
  const underWay = new Set<string>();
  const overlaps: string[] = [];
  const receiver = startReceiver();
  receiver.answerWith(async ({ delivery }) => {
    if (underWay.has(delivery)) overlaps.push(delivery);
    underWay.add(delivery);
    await Bun.sleep(ANSWER_MS);
    underWay.delete(delivery);
    return new Response(null, { status: 204 });
  });
  const operator = operatorOf(inTurn(fleet.nodes, 0));
  const endpoint = await operator.newEndpoint(fleet.account, receiver.url, "link.created");
  try {
    const created = await createOnAll(fleet, events);
    const delivered = () => new Set(receiver.hits.map((hit) => payloadOf<{ data: { link: Link } }>(hit).data.link.id));
    await until(
      "everything is delivered",
      () => created.every(({ id }) => delivered().has(id)) && underWay.size === 0,
      PATIENCE_MS,
    );
    return {
      events,
      delivered: delivered().size,
      overlaps,
      repeats: receiver.hits.length - new Set(receiver.hits.map(({ delivery }) => delivery)).size,
    };
  } finally {
    await operator.deleteEndpoint(endpoint.id);
    await receiver.stop();
  }
}
