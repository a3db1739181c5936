import { createOnAll, type Fleet } from "#test/support/fleet.ts";
import { until } from "#test/support/until.ts";
import { openWatchedReceiver } from "./watched-receiver.ts";

const ANSWER_MS = 150;
const PATIENCE_MS = 120_000;

export interface Deliveries {
  readonly events: number;
  readonly delivered: number;
  readonly overlaps: readonly string[];
  readonly repeats: number;
}

/** Changes links on all nodes, whose workers share one queue for a receiver that takes its time. */
export async function deliverFromAll(fleet: Fleet, events: number): Promise<Deliveries> {
  const receiver = await openWatchedReceiver(fleet, { answerMs: () => ANSWER_MS });
  try {
    const created = await createOnAll(fleet, events);
    await until(
      "everything is delivered",
      () => created.every(({ id }) => receiver.links.has(id)) && receiver.isIdle(),
      PATIENCE_MS,
    );
    return { events, delivered: receiver.links.size, overlaps: receiver.overlaps, repeats: receiver.repeats() };
  } finally {
    await receiver.stop();
  }
}
