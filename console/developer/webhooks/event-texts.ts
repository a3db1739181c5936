import { type ChosenEvent, chosenEvents, defaultEvents } from "#contract/webhooks.ts";
import { webhookTexts } from "#texts/webhooks.ts";

const texts = webhookTexts.events;

/** Which events an endpoint takes, as short as can be. */
export function eventsText(events: readonly ChosenEvent[]): string {
  if (events.length === chosenEvents.length) return texts.all;
  if (events.length === defaultEvents.length && !events.includes("link.clicked")) return texts.changes;
  const [only] = events;
  return events.length === 1 && only ? only : texts.some(events.length);
}
