import type { ChosenEvent, WebhookData, WebhookEvent } from "#contract/webhooks.ts";
import { webhookEvents } from "#contract/webhooks.ts";
import type { Sql } from "#engines/records/schema.ts";
import { toTimestamp } from "#kernel/clock.ts";
import { newId } from "#kernel/ids.ts";
import { findSubscribers, insertDelivery, insertEvent } from "./outbox.store.ts";

/** How long events are kept for an endpoint that was switched off because it failed. */
export const HELD_MS_MAX = 7 * 86_400_000;
export const BODY_BYTES_MAX = 64 * 1024;

export interface NewEvent<E extends WebhookEvent> {
  readonly type: E;
  readonly accountNo: number;
  readonly at: number;
  /** Asked for only when somebody takes the event. */
  readonly data: () => WebhookData<E>;
}

/** An event as it is stored. Its body is also what is signed and sent. */
export interface WrittenEvent {
  readonly id: string;
  readonly type: WebhookEvent;
  readonly accountNo: number;
  readonly at: number;
  readonly body: string;
}

type Listener = (endpoints: ReadonlySet<number>) => void;

/** Events on their way to webhook endpoints, written in the transaction of the change that they tell of. */
export function openOutbox() {
  let touched = new Set<number>();
  let listener: Listener = () => {};

  const appendTo = async (tx: Sql, event: WrittenEvent, endpoints: readonly number[]): Promise<string[]> => {
    const { id, type, accountNo, at, body } = event;
    const eventNo = await insertEvent(tx, { id, account_no: accountNo, type, body, created_at: at });
    const deliveries = endpoints.map((endpointNo) => ({ id: newId("dlv"), endpointNo }));
    for (const { id: deliveryId, endpointNo } of deliveries) {
      await insertDelivery(tx, {
        id: deliveryId,
        event_no: eventNo,
        endpoint_no: endpointNo,
        next_at: at,
        is_manual: type === "webhook.test" ? 1 : 0,
        created_at: at,
      });
      touched.add(endpointNo);
    }
    return deliveries.map(({ id: deliveryId }) => deliveryId);
  };

  return {
    /** For every endpoint of the account that takes such events; without one it costs a single look-up. */
    async append<E extends ChosenEvent>(tx: Sql, event: NewEvent<E>): Promise<void> {
      const { accountNo, type, at } = event;
      const subscribers = await findSubscribers(tx, { accountNo, heldSince: at - HELD_MS_MAX });
      const takers = subscribers.filter(({ events }) => (JSON.parse(events) as string[]).includes(type));
      const [first] = takers;
      if (!first) return;
      const endpoints = takers.map(({ no }) => no);
      await appendTo(tx, writeEvent(first.account_id, event), endpoints);
    },

    /** For chosen endpoints, whatever they take; returns the ids of the deliveries. */
    appendTo,

    /** To be called after every commit: tells who has something to send, perhaps once too often. */
    announce(): void {
      if (touched.size === 0) return;
      const endpoints = touched;
      touched = new Set();
      listener(endpoints);
    },

    listen(next: Listener): void {
      listener = next;
    },
  };
}
export type Outbox = ReturnType<typeof openOutbox>;

/** What does not fit its schema is a bug and stops the change. */
export function writeEvent<E extends WebhookEvent>(accountId: string, event: NewEvent<E>): WrittenEvent {
  const { type, accountNo, at, data } = event;
  const id = newId("evt");
  const told = { id, type, timestamp: toTimestamp(at), api_version: "v1", account_id: accountId, data: data() };
  const body = JSON.stringify(webhookEvents[type].payload.parse(told));
  if (Buffer.byteLength(body) > BODY_BYTES_MAX) throw new Error(`the body of a ${type} event is too large`);
  return { id, type, accountNo, at, body };
}
