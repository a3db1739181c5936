import { z } from "zod";
import { DomainSummary } from "./domain-record.ts";
import { Timestamp } from "./fields.ts";
import { Link } from "./link-record.ts";
import { PublicClick } from "./public-click.ts";
import type { Scope } from "./scopes.ts";

export const CLICKS_PER_EVENT_MAX = 100;

const envelope = <const T extends string, D extends z.ZodType>(type: T, data: D) =>
  z.object({
    id: z.string().describe("The event id (`evt_…`), the same for every endpoint that receives it."),
    type: z.literal(type),
    timestamp: Timestamp,
    api_version: z.literal("v1"),
    account_id: z.string(),
    data,
  });

const linkData = z.object({ link: Link });

const domainData = z.object({ domain: DomainSummary });

const Click = z.object({
  id: z.string().describe("The click id (`clk_…`), unique per click."),
  ...PublicClick.shape,
  link: z.object({ id: z.string(), short_url: z.string(), domain: z.string(), slug: z.string() }),
});

/** Every event type with the payload of its deliveries. */
export const webhookEvents = {
  "link.created": { summary: "A link was created", payload: envelope("link.created", linkData) },
  "link.updated": {
    summary: "A link was updated",
    payload: envelope(
      "link.updated",
      z.object({ link: Link, previous: Link.partial().describe("The previous values of the fields that changed.") }),
    ),
  },
  "link.paused": { summary: "A link was paused", payload: envelope("link.paused", linkData) },
  "link.resumed": { summary: "A link was resumed", payload: envelope("link.resumed", linkData) },
  "link.archived": { summary: "A link was archived", payload: envelope("link.archived", linkData) },
  "link.unarchived": { summary: "A link was unarchived", payload: envelope("link.unarchived", linkData) },
  "link.deleted": {
    summary: "A link was deleted: moved to the trash, or erased for good",
    payload: envelope("link.deleted", linkData),
  },
  "link.restored": { summary: "A deleted link was restored", payload: envelope("link.restored", linkData) },
  "link.blocked": { summary: "The operator blocked a link", payload: envelope("link.blocked", linkData) },
  "link.unblocked": { summary: "The operator unblocked a link", payload: envelope("link.unblocked", linkData) },
  "link.expired": {
    summary: "A link expired: its `expires_at` passed less than a minute ago",
    payload: envelope("link.expired", linkData),
  },
  "link.exhausted": {
    summary: "A visitor used the last of a link's `max_clicks`",
    payload: envelope("link.exhausted", linkData),
  },
  "link.clicked": {
    summary: "People clicked on links (opt-in, batched)",
    payload: envelope("link.clicked", z.object({ clicks: z.array(Click).max(CLICKS_PER_EVENT_MAX) })),
  },
  "domain.verified": { summary: "A domain was verified", payload: envelope("domain.verified", domainData) },
  "domain.lost": {
    summary: "A domain went to another account; its links return 404",
    payload: envelope("domain.lost", domainData),
  },
  "webhook.test": {
    summary: "A test event, sent on request",
    payload: envelope("webhook.test", z.object({ message: z.string() })),
  },
} as const;

export type WebhookEvent = keyof typeof webhookEvents;
export type WebhookData<E extends WebhookEvent> = z.input<(typeof webhookEvents)[E]["payload"]>["data"];

/** What an endpoint can subscribe to; a test event is sent to any endpoint on request. */
export type ChosenEvent = Exclude<WebhookEvent, "webhook.test">;
export const chosenEvents = Object.keys(webhookEvents).filter((event) => event !== "webhook.test") as ChosenEvent[];

/** What a token needs to have an event sent somewhere: the scope for reading what is in it. */
export function scopeOfEvent(event: ChosenEvent): Scope {
  if (event === "link.clicked") return "analytics:read";
  return event.startsWith("domain.") ? "domains:read" : "links:read";
}

/** Click events are opt-in because of their volume. */
export const defaultEvents = chosenEvents.filter((event) => event !== "link.clicked");
