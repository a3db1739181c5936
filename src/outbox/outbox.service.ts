import type { ChosenEvent, WebhookData, WebhookEvent } from "#contract/webhooks.ts";
import { webhookEvents } from "#contract/webhooks.ts";
import { afterCommit } from "#engines/records/after-commit.ts";
import type { Sql } from "#engines/records/schema.ts";
import { toTimestamp } from "#kernel/clock.ts";
import { newId } from "#kernel/ids.ts";
import { findListeningEndpoints, insertDelivery, insertEvent } from "./outbox.store.ts";

/** How long events are held for an endpoint that was disabled because it failed. */
export const HELD_MS_MAX = 7 * 86_400_000;
export const BODY_BYTES_MAX = 64 * 1024;

export interface NewEvent<E extends WebhookEvent> {
  readonly type: E;
  readonly accountNo: number;
  readonly at: number;
  /** Called only if an endpoint is subscribed to the event. */
  readonly data: () => WebhookData<E>;
}

/** An event as stored. Its body is signed and sent as it is. */
export interface WrittenEvent {
  readonly id: string;
  readonly type: WebhookEvent;
  readonly accountNo: number;
  readonly at: number;
  readonly body: string;
}

type Listener = (endpoints: ReadonlySet<number>) => void;

/** Queues webhook events in the same transaction as the change they describe. */
export function openOutbox() {
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
    }
    if (endpoints.length > 0) afterCommit(tx, () => listener(new Set(endpoints)));
    return deliveries.map(({ id: deliveryId }) => deliveryId);
  };

  return {
    /** For all of the account's endpoints subscribed to the event type; costs one query if there are none. */
    async append<E extends ChosenEvent>(tx: Sql, event: NewEvent<E>): Promise<void> {
      const { accountNo, type, at } = event;
      const endpoints = await findListeningEndpoints(tx, { accountNo, heldSince: at - HELD_MS_MAX });
      const subscribers = endpoints.filter(({ events }) => (JSON.parse(events) as string[]).includes(type));
      const [first] = subscribers;
      if (!first) return;
      const numbers = subscribers.map(({ no }) => no);
      await appendTo(tx, writeEvent(first.account_id, event), numbers);
    },

    /** For the given endpoints, whatever their subscriptions; returns the delivery ids. */
    appendTo,

    /** `next` is called with the endpoints that have new deliveries, after each commit. */
    listen(next: Listener): void {
      listener = next;
    },
  };
}
export type Outbox = ReturnType<typeof openOutbox>;

/** Throws if the event doesn't match its schema, which is a bug and fails the change. */
export function writeEvent<E extends WebhookEvent>(accountId: string, event: NewEvent<E>): WrittenEvent {
  const { type, accountNo, at, data } = event;
  const id = newId("evt");
  const payload = { id, type, timestamp: toTimestamp(at), api_version: "v1", account_id: accountId, data: data() };
  const body = JSON.stringify(webhookEvents[type].payload.parse(payload));
  if (Buffer.byteLength(body) > BODY_BYTES_MAX)
    throw new Error(`the ${type} event is larger than ${BODY_BYTES_MAX} bytes`);
  return { id, type, accountNo, at, body };
}
