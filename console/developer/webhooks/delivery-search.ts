import { type DeliverySummary, deliveryStates, eventKinds } from "#contract/console/webhooks.ts";

/** What the address of an endpoint's page says; everything that is not understood is left out. */
export interface DeliverySearch {
  readonly state?: DeliverySummary["state"];
  readonly event?: DeliverySummary["event"];
  /** The delivery that is open. */
  readonly delivery?: string;
}

export function readDeliverySearch(search: Record<string, unknown>): DeliverySearch {
  const state = deliveryStates.find((one) => one === search.state);
  const event = eventKinds.find((one) => one === search.event);
  const { delivery } = search;
  return { ...(state && { state }), ...(event && { event }), ...(typeof delivery === "string" && { delivery }) };
}
