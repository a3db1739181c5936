import { plural } from "#console/ui/format.ts";
import { type ChosenEvent, chosenEvents, defaultEvents } from "#contract/webhooks.ts";

/** Which events an endpoint takes, as short as can be. */
export function eventsText(events: readonly ChosenEvent[]): string {
  if (events.length === chosenEvents.length) return "All events";
  if (events.length === defaultEvents.length && !events.includes("link.clicked")) return "Every change";
  const [only] = events;
  return events.length === 1 && only ? only : plural(events.length, "event");
}
