import { z } from "zod";
import { Timestamp } from "./fields.ts";
import { Link } from "./link-record.ts";
import { ToldClick } from "./told-click.ts";

export const CLICKS_PER_EVENT_MAX = 100;

const envelope = <const T extends string, D extends z.ZodType>(type: T, data: D) =>
  z.object({
    id: z.string().describe("The event, `evt_…`; the same for every endpoint that receives it."),
    type: z.literal(type),
    timestamp: Timestamp,
    api_version: z.literal("v1"),
    account_id: z.string(),
    data,
  });

const linkData = z.object({ link: Link });

const Click = z.object({
  id: z.string().describe("The click, `clk_…`; no other has it."),
  ...ToldClick.shape,
  link: z.object({ id: z.string(), short_url: z.string(), domain: z.string(), slug: z.string() }),
});

/** Every kind of event and the body of its delivery. */
export const webhookEvents = {
  "link.created": { summary: "A link was created", payload: envelope("link.created", linkData) },
  "link.updated": {
    summary: "A link was changed",
    payload: envelope(
      "link.updated",
      z.object({ link: Link, previous: Link.partial().describe("The fields that changed, as they were before.") }),
    ),
  },
  "link.paused": { summary: "A link was paused", payload: envelope("link.paused", linkData) },
  "link.resumed": { summary: "A link was resumed", payload: envelope("link.resumed", linkData) },
  "link.archived": { summary: "A link was archived", payload: envelope("link.archived", linkData) },
  "link.unarchived": { summary: "A link was unarchived", payload: envelope("link.unarchived", linkData) },
  "link.deleted": {
    summary: "A link was deleted; this is its last record",
    payload: envelope("link.deleted", linkData),
  },
  "link.blocked": { summary: "The operator blocked a link", payload: envelope("link.blocked", linkData) },
  "link.clicked": {
    summary: "People clicked on links (opt-in, batched)",
    payload: envelope("link.clicked", z.object({ clicks: z.array(Click).max(CLICKS_PER_EVENT_MAX) })),
  },
  "webhook.test": {
    summary: "A test, sent on request",
    payload: envelope("webhook.test", z.object({ message: z.string() })),
  },
} as const;

export type WebhookEvent = keyof typeof webhookEvents;
export type WebhookData<E extends WebhookEvent> = z.input<(typeof webhookEvents)[E]["payload"]>["data"];

/** What an endpoint may choose; a test is sent to whoever asks for it. */
export type ChosenEvent = Exclude<WebhookEvent, "webhook.test">;
export const chosenEvents = Object.keys(webhookEvents).filter((event) => event !== "webhook.test") as ChosenEvent[];
/** Clicks come in numbers that nobody should meet unasked. */
export const defaultEvents = chosenEvents.filter((event) => event !== "link.clicked");
