import { exampleDomain } from "./domain-record.ts";
import { getLink } from "./links.ts";
import { pascalCase, type SchemaBook } from "./openapi-schemas.ts";
import { type WebhookData, type WebhookEvent, webhookEvents } from "./webhooks.ts";

const link = getLink.examples.response;
const CHANGED_AT = "2026-01-05T08:00:00.000Z";
const ERASES_AT = "2026-02-04T08:00:00.000Z";
const changed = { ...link, version: 2, updated_at: CHANGED_AT } as const;
const { app_links: _, ...domainSummary } = exampleDomain;
const { id, short_url, domain, slug } = link;

const data: { readonly [E in WebhookEvent]: WebhookData<E> } = {
  "link.created": { link },
  "link.updated": { link: { ...changed, title: "Summer sale" }, previous: { title: "Spring sale" } },
  "link.paused": { link: { ...changed, state: "paused", paused_at: CHANGED_AT } },
  "link.resumed": { link: changed },
  "link.archived": { link: { ...changed, state: "archived", archived_at: CHANGED_AT } },
  "link.unarchived": { link: changed },
  "link.deleted": { link: { ...changed, state: "deleted", deleted_at: CHANGED_AT, erases_at: ERASES_AT } },
  "link.restored": { link: changed },
  "link.blocked": { link: { ...changed, blocked: { reason: "phishing", at: CHANGED_AT } } },
  "link.unblocked": { link: changed },
  "link.expired": { link: { ...link, expires_at: CHANGED_AT, expired: true } },
  "link.exhausted": { link: { ...link, max_clicks: 1, exhausted: true } },
  "link.clicked": {
    clicks: [
      {
        id: "clk_9f2d6c1b8e4a7035c1d8e6f24b90a37d",
        at: CHANGED_AT,
        country: "DE",
        referrer: "news.example",
        device: "mobile",
        browser: "Firefox",
        os: "Android",
        source: "link",
        rule: null,
        link: { id, short_url, domain, slug },
      },
    ],
  },
  "domain.verified": { domain: { ...domainSummary, status: "verified", verified_at: CHANGED_AT } },
  "domain.lost": { domain: { ...domainSummary, status: "lost" } },
  "webhook.test": { message: "This is a test." },
};

const exampleOf = (event: WebhookEvent) => ({
  id: "evt_01k9zq3v7m8r5c2x4t6w0h1jbb",
  type: event,
  timestamp: CHANGED_AT,
  api_version: "v1",
  account_id: "acc_01k9zq3v7m8r5c2x4t6w0h1jba",
  data: data[event],
});

const header = (name: string, description: string, example: string | number) => ({
  name,
  in: "header",
  required: true,
  description,
  schema: { type: typeof example === "number" ? "integer" : "string" },
  example,
});

const DELIVERY_ID = "dlv_01hf4t9c0000000000000000bb";
const SENT_AT_SECONDS = 1767600000;
const HEX_SIGNATURE = "28b1aa7ae5062c590f8f72ba61629e0a1a5cb0f8ca5cf3152747a6ce953e9df7";

export const deliveryParameters = {
  ServiceSignature: header(
    "Service-Signature",
    "`t=<Unix seconds>,v1=<lowercase hex HMAC-SHA256 of `<t>.<raw body>`>`, keyed with the endpoint's whole signing " +
      "secret. During a secret rotation there are two `v1` values: accept either. Compare in constant time, and reject " +
      "a `t` that is 300 seconds or more off your clock.",
    `t=${SENT_AT_SECONDS},v1=${HEX_SIGNATURE}`,
  ),
  ServiceDelivery: header(
    "Service-Delivery",
    "The delivery id, the same for all retries. Process each id once.",
    DELIVERY_ID,
  ),
  ServiceAttempt: header(
    "Service-Attempt",
    "The attempt number, from 1 to 10. Stays at 10 if the delivery is resent manually after that.",
    1,
  ),
  WebhookId: header("webhook-id", "The same as `Service-Delivery`, for Standard Webhooks libraries.", DELIVERY_ID),
  WebhookTimestamp: header("webhook-timestamp", "The `t` of `Service-Signature`.", SENT_AT_SECONDS),
  WebhookSignature: header(
    "webhook-signature",
    "`v1,<base64 HMAC-SHA256 of `<id>.<t>.<raw body>`>`, keyed with the decoded secret (Standard Webhooks).",
    "v1,kBGdiUW90DF7hAlA1bzAMubH/AyrE4IjgqYUe+3fIxg=",
  ),
};

const sharedParameters = Object.keys(deliveryParameters).map((name) => ({ $ref: `#/components/parameters/${name}` }));

function delivery(event: WebhookEvent, book: SchemaBook): object {
  const { summary, payload } = webhookEvents[event];
  const eventHeader = header("Service-Event", "The event type, the same as `type`.", event);
  return {
    operationId: `webhooks.${event}`,
    tags: ["Webhooks"],
    summary,
    description: `Sent to the account's webhook endpoints as \`${event}\`. Deliveries can arrive more than once and out of order.`,
    security: [],
    parameters: [{ ...eventHeader, schema: { type: "string", const: event } }, ...sharedParameters],
    requestBody: {
      required: true,
      content: {
        "application/json": {
          schema: book.define(`${pascalCase(event)}Event`, book.describe(payload, "output")),
          example: exampleOf(event),
        },
      },
    },
    responses: {
      "2XX": { description: "Received. Any other response, or none within 15 seconds, is retried later." },
      "410": { description: "Gone: disables the endpoint, which gets no more deliveries." },
    },
  };
}

export const describeWebhooks = (book: SchemaBook): Record<string, object> =>
  Object.fromEntries(
    (Object.keys(webhookEvents) as WebhookEvent[]).map((event) => [event, { post: delivery(event, book) }]),
  );
