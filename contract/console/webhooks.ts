import { z } from "zod";
import { Instant, Timestamp } from "../fields.ts";
import { chosenEvents, webhookEvents } from "../webhooks.ts";
import { consoleEndpoint } from "./endpoint.ts";
import { noSudo, reading, sudoFor } from "./sudo.ts";

const item = z.strictObject({ id: z.string().max(255) });
const nothing = { body: z.strictObject({}), bodyOptional: true } as const;
export const eventKinds = Object.keys(webhookEvents) as (keyof typeof webhookEvents)[];
export const deliveryStates = ["pending", "delivered", "failed"] as const;

/** What became of a delivery so far; `skipped` if it wasn't sent on purpose, as in a demo. */
export const deliveryOutcomes = ["delivered", "failed", "retrying", "waiting", "skipped"] as const;

/** How many deliveries an endpoint's health is judged by. */
export const RECENT_DELIVERIES_MAX = 20;

const RecentDelivery = z.object({ id: z.string(), outcome: z.enum(deliveryOutcomes), at: Timestamp });
export type RecentDelivery = z.output<typeof RecentDelivery>;

/** An endpoint without its secret, which is shown only on creation and rotation. */
export const WebhookEndpoint = z.object({
  id: z.string(),
  url: z.string(),
  description: z.string().nullable(),
  events: z.array(z.enum(chosenEvents)),
  enabled: z.boolean(),
  disabled_by: z.enum(["owner", "failing", "gone"]).nullable(),
  disabled_at: Timestamp.nullable(),
  /** The first failure since the last success. */
  failing_since: Timestamp.nullable(),
  /** When a delivery first failed for good since the last success. */
  exhausted_at: Timestamp.nullable(),
  /** Clicks not sent because the endpoint's queue was full. */
  clicks_dropped: z.int(),
  /** Until when deliveries are signed with the previous secret too. */
  old_secret_until: Timestamp.nullable(),
  /** Its last deliveries, newest first. */
  recent: z.array(RecentDelivery).max(RECENT_DELIVERIES_MAX),
  created_at: Timestamp,
  updated_at: Timestamp,
});
export type WebhookEndpoint = z.output<typeof WebhookEndpoint>;

const Secret = z.object({ id: z.string(), secret: z.string() });

/** Validated by the service, which reports problems by field. */
const fields = {
  url: z.string(),
  events: z.array(z.string()).max(100),
  description: z.string().nullable(),
};

export const listWebhooks = consoleEndpoint({
  id: "console.webhooks.list",
  method: "GET",
  path: "/console/api/webhooks",
  summary: "List webhook endpoints, without their secrets",
  sudo: reading,
  role: "admin",
  status: 200,
  response: z.object({ data: z.array(WebhookEndpoint) }),
});

export const getWebhook = consoleEndpoint({
  id: "console.webhooks.get",
  method: "GET",
  path: "/console/api/webhooks/{id}",
  summary: "Get a webhook endpoint",
  sudo: reading,
  role: "admin",
  params: item,
  status: 200,
  response: WebhookEndpoint,
});

export const createWebhook = consoleEndpoint({
  id: "console.webhooks.create",
  method: "POST",
  path: "/console/api/webhooks",
  summary: "Create an endpoint; its secret is only in this response",
  sudo: sudoFor("Sends the account's events to another server, and shows a secret."),
  role: "admin",
  body: z.strictObject({ ...fields, description: fields.description.optional() }),
  status: 201,
  response: Secret,
});

export const updateWebhook = consoleEndpoint({
  id: "console.webhooks.update",
  method: "PATCH",
  path: "/console/api/webhooks/{id}",
  summary: "Update an endpoint's URL, events or description",
  sudo: sudoFor("Can send the account's events to another server."),
  role: "admin",
  params: item,
  body: z.strictObject(fields).partial(),
  status: 200,
  response: WebhookEndpoint,
});

export const countWaiting = consoleEndpoint({
  id: "console.webhooks.waiting",
  method: "GET",
  path: "/console/api/webhooks/{id}/waiting",
  summary: "Count an endpoint's pending deliveries",
  sudo: reading,
  role: "admin",
  params: item,
  status: 200,
  response: z.object({ deliveries: z.int() }),
});

export const enableWebhook = consoleEndpoint({
  id: "console.webhooks.enable",
  method: "POST",
  path: "/console/api/webhooks/{id}/enable",
  summary: "Enable an endpoint, with or without sending what it missed",
  sudo: noSudo("Sends to a URL that was set with re-authentication."),
  role: "admin",
  params: item,
  body: z.strictObject({ send_missed: z.boolean() }),
  status: 200,
  response: WebhookEndpoint,
});

export const disableWebhook = consoleEndpoint({
  id: "console.webhooks.disable",
  method: "POST",
  path: "/console/api/webhooks/{id}/disable",
  summary: "Disable an endpoint",
  sudo: noSudo("Only stops sending."),
  role: "admin",
  params: item,
  ...nothing,
  status: 200,
  response: WebhookEndpoint,
});

export const deleteWebhook = consoleEndpoint({
  id: "console.webhooks.delete",
  method: "DELETE",
  path: "/console/api/webhooks/{id}",
  summary: "Delete an endpoint with its delivery log",
  sudo: noSudo("Only stops sending; it can be created again."),
  role: "admin",
  params: item,
  status: 204,
});

export const rotateWebhook = consoleEndpoint({
  id: "console.webhooks.rotate",
  method: "POST",
  path: "/console/api/webhooks/{id}/rotate",
  summary: "Rotate the secret; the new one is only in this response",
  sudo: sudoFor("Shows a secret, and invalidates the old one."),
  role: "admin",
  params: item,
  body: z.strictObject({ overlap: z.boolean().describe("Keep signing with the old secret too, for 24 hours.") }),
  status: 200,
  response: Secret,
});

export const testWebhook = consoleEndpoint({
  id: "console.webhooks.test",
  method: "POST",
  path: "/console/api/webhooks/{id}/test",
  summary: "Send a test event",
  sudo: noSudo("Sends a test to a URL that was set with re-authentication."),
  role: "admin",
  params: item,
  ...nothing,
  status: 200,
  response: z.object({ delivery_id: z.string() }),
});

export const recoverWebhook = consoleEndpoint({
  id: "console.webhooks.recover",
  method: "POST",
  path: "/console/api/webhooks/{id}/recover",
  summary: "Resend everything that failed since a given time",
  sudo: noSudo("Sends to a URL that was set with re-authentication."),
  role: "admin",
  params: item,
  body: z.strictObject({ since: Instant }),
  status: 200,
  response: z.object({ deliveries: z.int() }),
});

const Attempt = z.object({
  at: Timestamp,
  /** Whether someone triggered it. */
  manual: z.boolean(),
  status: z.int().nullable(),
  /** Why there was no response, such as `timeout`. */
  problem: z.string().nullable(),
  duration_ms: z.int(),
});

export const DeliverySummary = z.object({
  id: z.string(),
  event: z.enum(eventKinds),
  state: z.enum(deliveryStates),
  /** What the event is about: a link, a domain, or the first of several clicked links. */
  subject: z.string().nullable(),
  created_at: Timestamp,
  next_attempt_at: Timestamp.nullable(),
  attempts: z.int(),
  last_attempt: Attempt.nullable(),
});
export type DeliverySummary = z.output<typeof DeliverySummary>;

export const Delivery = DeliverySummary.extend({
  endpoint_id: z.string(),
  event_id: z.string(),
  /** The exact request body. */
  body: z.string(),
  /** Each with the beginning of its response. */
  log: z.array(Attempt.extend({ excerpt: z.string() })),
});
export type Delivery = z.output<typeof Delivery>;

export const listDeliveries = consoleEndpoint({
  id: "console.deliveries.list",
  method: "GET",
  path: "/console/api/webhooks/{id}/deliveries",
  summary: "List an endpoint's deliveries, newest first",
  sudo: reading,
  role: "admin",
  params: item,
  query: z.strictObject({
    state: DeliverySummary.shape.state.optional(),
    event: DeliverySummary.shape.event.optional(),
    before: z.string().max(255).optional().describe("The last delivery of the previous page."),
    limit: z.coerce.number().int().min(1).max(100).default(25),
  }),
  status: 200,
  response: z.object({ data: z.array(DeliverySummary), next_before: z.string().nullable() }),
});

export const getDelivery = consoleEndpoint({
  id: "console.deliveries.get",
  method: "GET",
  path: "/console/api/deliveries/{id}",
  summary: "Get a delivery with its payload and all attempts",
  sudo: reading,
  role: "admin",
  params: item,
  status: 200,
  response: Delivery,
});

export const redeliver = consoleEndpoint({
  id: "console.deliveries.redeliver",
  method: "POST",
  path: "/console/api/deliveries/{id}/redeliver",
  summary: "Resend a delivery under the same id",
  sudo: noSudo("Sends to a URL that was set with re-authentication."),
  role: "admin",
  params: item,
  ...nothing,
  status: 204,
});
