import {
  createWebhookEndpoint,
  deleteWebhookEndpoint,
  disableWebhookEndpoint,
  enableWebhookEndpoint,
  getWebhookEndpoint,
  listWebhookEndpoints,
  rotateWebhookSecret,
  testWebhookEndpoint,
  updateWebhookEndpoint,
  type WebhookEndpoint,
} from "#contract/webhook-endpoints.ts";
import { type Route, route } from "#http/route.ts";
import { givenFields } from "./endpoint-fields.ts";
import type { Endpoint } from "./endpoint-record.ts";
import type { WebhookServices } from "./webhooks.service.ts";

/** What the API shows of an endpoint. */
const toPublic = ({ account_id: _, exhausted_at: __, events, ...endpoint }: Endpoint): WebhookEndpoint => ({
  ...endpoint,
  events: [...events],
});

export const webhookEndpointRoutes = ({ endpoints, deliveries }: WebhookServices): readonly Route[] => [
  route(listWebhookEndpoints, async (caller) => ({ data: (await endpoints.list(caller)).map(toPublic) })),
  route(createWebhookEndpoint, async (caller, { body }) => {
    const { secret, ...endpoint } = await endpoints.create(caller, { ...givenFields(body), url: body.url });
    return { ...toPublic(endpoint), secret };
  }),
  route(getWebhookEndpoint, async (caller, { params: { id } }) => toPublic(await endpoints.get(caller, id))),
  route(updateWebhookEndpoint, async (caller, { params: { id }, body }) =>
    toPublic(await endpoints.update(caller, id, givenFields(body))),
  ),
  route(deleteWebhookEndpoint, async (caller, { params: { id } }) => {
    await endpoints.delete(caller, id);
    return undefined;
  }),
  route(enableWebhookEndpoint, async (caller, { params: { id }, body }) =>
    toPublic(await endpoints.enable(caller, id, { sendMissed: body.send_missed })),
  ),
  route(disableWebhookEndpoint, async (caller, { params: { id } }) => toPublic(await endpoints.disable(caller, id))),
  route(rotateWebhookSecret, (caller, { params: { id }, body }) => endpoints.rotate(caller, id, body)),
  route(testWebhookEndpoint, async (caller, { params: { id } }) => ({
    delivery_id: await deliveries.test(caller, id),
  })),
];
