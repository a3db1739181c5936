import { z } from "zod";
import { endpoint } from "./endpoint.ts";
import { Timestamp } from "./fields.ts";
import { chosenEvents } from "./webhooks.ts";

const Url = z.string().min(1).max(2048).describe("Where deliveries are sent. Must be a public HTTPS address.");
const Events = z.array(z.enum(chosenEvents)).min(1).max(chosenEvents.length).describe("Which events it receives.");
const EventsChoice = Events.describe(
  "Which events it receives. An API token also needs the scope to read what is in them: `links:read`, `analytics:read` " +
    "for `link.clicked`, `domains:read` for those of domains.",
);
const Description = z.string().min(1).max(255).nullable().describe("For people. Never sent.");

export const WebhookEndpoint = z
  .object({
    id: z.string(),
    url: z.string().describe("Where deliveries are sent."),
    description: Description,
    events: Events,
    enabled: z.boolean(),
    disabled_by: z
      .enum(["owner", "failing", "gone"])
      .nullable()
      .describe("Why it is disabled: on request, because it kept failing, or because it answered with 410."),
    disabled_at: Timestamp.nullable(),
    failing_since: Timestamp.nullable().describe("The first failure since the last success."),
    clicks_dropped: z.int().describe("Clicks that weren't sent because too many deliveries were waiting."),
    old_secret_until: Timestamp.nullable().describe("Until when deliveries are signed with the previous secret, too."),
    created_at: Timestamp,
    updated_at: Timestamp,
  })
  .meta({ id: "WebhookEndpoint", description: "A server that receives events, without its signing secret." });
export type WebhookEndpoint = z.output<typeof WebhookEndpoint>;

const Secret = z.string().describe("Signs the deliveries. It is only in this response: keep it.");

const NewWebhookEndpoint = WebhookEndpoint.extend({ secret: Secret }).meta({
  id: "NewWebhookEndpoint",
  description: "An endpoint with its signing secret.",
});

const WebhookSecret = z
  .object({ id: z.string(), secret: Secret })
  .meta({ id: "WebhookSecret", description: "A new signing secret." });

const WebhookList = z
  .object({ data: z.array(WebhookEndpoint) })
  .meta({ id: "WebhookList", description: "The account's webhook endpoints, oldest first." });

const WebhookCreate = z
  .strictObject({ url: Url, events: EventsChoice.optional(), description: Description.optional() })
  .meta({ id: "WebhookCreate", description: "Where to send which events. By default all, except clicks." });

const WebhookPatch = z
  .strictObject({ url: Url.optional(), events: EventsChoice.optional(), description: Description.optional() })
  .meta({ id: "WebhookPatch", description: "A JSON merge patch (RFC 7396): omitted fields stay unchanged." });

const WebhookEnable = z
  .strictObject({
    send_missed: z.boolean().default(true).describe("Whether to send the events that happened meanwhile."),
  })
  .meta({ id: "WebhookEnable", description: "How to enable an endpoint." });

const WebhookRotate = z
  .strictObject({
    overlap: z.boolean().default(true).describe("Whether to sign with the old secret, too, for another 24 hours."),
  })
  .meta({ id: "WebhookRotate", description: "How to replace a secret." });

const WebhookTest = z
  .object({ delivery_id: z.string() })
  .meta({ id: "WebhookTest", description: "The delivery of a test event." });

const Id = z.strictObject({ id: z.string().max(255).describe("The endpoint's `id`.") });

const exampleEndpoint = {
  id: "we_01k9zq3v7m8r5c2x4t6w0h1jba",
  url: "https://hooks.example/kurz",
  description: "Billing",
  events: ["link.created", "link.deleted"],
  enabled: true,
  disabled_by: null,
  disabled_at: null,
  failing_since: null,
  clicks_dropped: 0,
  old_secret_until: null,
  created_at: "2026-01-02T03:04:05.678Z",
  updated_at: "2026-01-02T03:04:05.678Z",
} as const;
const exampleSecret = "whsec_AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=";

const tag = "Webhook endpoints";
const readOnlyFields = Object.keys(NewWebhookEndpoint.shape).filter((field) => !(field in WebhookCreate.shape));

export const listWebhookEndpoints = endpoint({
  id: "webhooks.list",
  method: "GET",
  path: "/api/v1/webhooks",
  summary: "List webhook endpoints",
  description: "Returns the account's endpoints, without their secrets.",
  tag,
  scope: "webhooks:read",
  status: 200,
  response: WebhookList,
  errors: [],
  examples: { response: { data: [exampleEndpoint] } },
});

export const createWebhookEndpoint = endpoint({
  id: "webhooks.create",
  method: "POST",
  path: "/api/v1/webhooks",
  summary: "Create a webhook endpoint",
  description:
    "Events from now on are sent to the URL, signed with the `secret` of this response. Your token also needs the scopes " +
    "to read what is sent. There is no `Idempotency-Key`: " +
    "a response that can be repeated would have to be stored with the secret. If a response was lost, list the endpoints.",
  tag,
  scope: "webhooks:write",
  body: WebhookCreate,
  readOnlyFields,
  unrepeatable: true,
  location: "/api/v1/webhooks/{id}",
  status: 201,
  response: NewWebhookEndpoint,
  errors: [],
  examples: {
    body: { url: "https://hooks.example/kurz", events: ["link.created", "link.deleted"], description: "Billing" },
    response: { ...exampleEndpoint, secret: exampleSecret },
  },
});

export const getWebhookEndpoint = endpoint({
  id: "webhooks.get",
  method: "GET",
  path: "/api/v1/webhooks/{id}",
  summary: "Retrieve a webhook endpoint",
  description: "Returns the endpoint, without its secret.",
  tag,
  scope: "webhooks:read",
  params: Id,
  status: 200,
  response: WebhookEndpoint,
  errors: [],
  examples: { response: exampleEndpoint },
});

export const updateWebhookEndpoint = endpoint({
  id: "webhooks.update",
  method: "PATCH",
  path: "/api/v1/webhooks/{id}",
  summary: "Update a webhook endpoint",
  description:
    "Deliveries that are waiting are sent to the new URL. To change it or the events, your token also needs the scopes to " +
    "read what is sent.",
  tag,
  scope: "webhooks:write",
  params: Id,
  body: WebhookPatch,
  readOnlyFields,
  mediaTypes: ["application/json", "application/merge-patch+json"],
  status: 200,
  response: WebhookEndpoint,
  errors: [],
  examples: { body: { description: "Billing" }, response: exampleEndpoint },
});

export const deleteWebhookEndpoint = endpoint({
  id: "webhooks.delete",
  method: "DELETE",
  path: "/api/v1/webhooks/{id}",
  summary: "Delete a webhook endpoint",
  description: "Deletes the endpoint with everything that is waiting for it and its log.",
  tag,
  scope: "webhooks:write",
  params: Id,
  status: 204,
  errors: [],
});

export const enableWebhookEndpoint = endpoint({
  id: "webhooks.enable",
  method: "POST",
  path: "/api/v1/webhooks/{id}/enable",
  summary: "Enable a webhook endpoint",
  description: "Enables an endpoint that was disabled, on request or because it kept failing.",
  tag,
  scope: "webhooks:write",
  params: Id,
  body: WebhookEnable,
  bodyOptional: true,
  status: 200,
  response: WebhookEndpoint,
  errors: [],
  examples: { body: { send_missed: true }, response: exampleEndpoint },
});

export const disableWebhookEndpoint = endpoint({
  id: "webhooks.disable",
  method: "POST",
  path: "/api/v1/webhooks/{id}/disable",
  summary: "Disable a webhook endpoint",
  description: "Nothing is sent until it is enabled again. What is waiting is kept for seven days.",
  tag,
  scope: "webhooks:write",
  params: Id,
  body: z.strictObject({}),
  bodyOptional: true,
  status: 200,
  response: WebhookEndpoint,
  errors: [],
  examples: {
    response: {
      ...exampleEndpoint,
      enabled: false,
      disabled_by: "owner",
      disabled_at: "2026-01-05T08:00:00.000Z",
    },
  },
});

export const rotateWebhookSecret = endpoint({
  id: "webhooks.rotate",
  method: "POST",
  path: "/api/v1/webhooks/{id}/rotate",
  summary: "Rotate a webhook endpoint's secret",
  description:
    "Deliveries are signed with the `secret` of this response from now on. Don't repeat it by itself if a response was " +
    "lost: the secret of your receiver would no longer be the previous one, which overlaps.",
  tag,
  scope: "webhooks:write",
  params: Id,
  body: WebhookRotate,
  bodyOptional: true,
  unrepeatable: true,
  status: 200,
  response: WebhookSecret,
  errors: [],
  examples: { body: { overlap: true }, response: { id: exampleEndpoint.id, secret: exampleSecret } },
});

export const testWebhookEndpoint = endpoint({
  id: "webhooks.test",
  method: "POST",
  path: "/api/v1/webhooks/{id}/test",
  summary: "Send a test event",
  description: "Sends a `webhook.test` event to the endpoint, one for each request.",
  tag,
  scope: "webhooks:write",
  params: Id,
  body: z.strictObject({}),
  bodyOptional: true,
  unrepeatable: true,
  additive: true,
  status: 200,
  response: WebhookTest,
  errors: ["invalid_state"],
  examples: { response: { delivery_id: "dlv_01k9zq3v7m8r5c2x4t6w0h1jba" } },
});
