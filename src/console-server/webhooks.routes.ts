import {
  countWaiting,
  createWebhook,
  type Delivery,
  type DeliverySummary,
  deleteWebhook,
  disableWebhook,
  enableWebhook,
  getDelivery,
  getWebhook,
  listDeliveries,
  listWebhooks,
  RECENT_DELIVERIES_MAX,
  recoverWebhook,
  redeliver,
  rotateWebhook,
  testWebhook,
  updateWebhook,
  type WebhookEndpoint,
} from "#contract/console/webhooks.ts";
import { type Route, route } from "#http/route.ts";
import type { Attempt, Delivery as DeliveryRecord, ListedDelivery } from "#webhooks/deliveries.service.ts";
import { subjectOf } from "#webhooks/delivery-subject.ts";
import { givenFields } from "#webhooks/endpoint-fields.ts";
import type { Endpoint } from "#webhooks/endpoint-record.ts";
import type { WebhookServices } from "#webhooks/webhooks.service.ts";
import type { ConsoleCaller } from "./console-caller.ts";

type Me = ConsoleCaller;

export function webhookRoutes({ endpoints, deliveries }: WebhookServices): readonly Route<Me>[] {
  const toEndpoint = async (me: Me, { account_id: _, events, ...endpoint }: Endpoint): Promise<WebhookEndpoint> => ({
    ...endpoint,
    events: [...events],
    recent: await deliveries.listRecent(me, endpoint.id, RECENT_DELIVERIES_MAX),
  });
  return [
    route(listWebhooks, async (me: Me) => ({
      data: await Promise.all((await endpoints.list(me)).map((endpoint) => toEndpoint(me, endpoint))),
    })),
    route(getWebhook, async (me: Me, { params }) => toEndpoint(me, await endpoints.get(me, params.id))),
    route(createWebhook, async (me: Me, { body: { url, events, description = null } }) => {
      const { id, secret } = await endpoints.create(me, { url, events, description });
      return { id, secret };
    }),
    route(updateWebhook, async (me: Me, { params, body }) =>
      toEndpoint(me, await endpoints.update(me, params.id, givenFields(body))),
    ),
    route(countWaiting, async (me: Me, { params }) => ({ deliveries: await deliveries.countWaiting(me, params.id) })),
    route(enableWebhook, async (me: Me, { params, body }) =>
      toEndpoint(me, await endpoints.enable(me, params.id, { sendMissed: body.send_missed })),
    ),
    route(disableWebhook, async (me: Me, { params }) => toEndpoint(me, await endpoints.disable(me, params.id))),
    route(deleteWebhook, async (me: Me, { params }) => {
      await endpoints.delete(me, params.id);
      return undefined;
    }),
    route(rotateWebhook, (me: Me, { params, body }) => endpoints.rotate(me, params.id, body)),
    route(testWebhook, async (me: Me, { params }) => ({ delivery_id: await deliveries.test(me, params.id) })),
    route(recoverWebhook, async (me: Me, { params, body }) => ({
      deliveries: await deliveries.recover(me, params.id, Date.parse(body.since)),
    })),
    route(listDeliveries, async (me: Me, { params, query: { state, event, before, limit } }) => {
      // One more than is shown, to see whether there is another page.
      const query = { state: state ?? null, event: event ?? null, before: before ?? null, limit: limit + 1 };
      const found = await deliveries.list(me, params.id, query);
      const data = found.slice(0, limit).map(toSummary);
      return { data, next_before: found.length > limit ? (data.at(-1)?.id ?? null) : null };
    }),
    route(getDelivery, async (me: Me, { params }) => {
      const [found, body] = await Promise.all([deliveries.get(me, params.id), deliveries.getBody(me, params.id)]);
      return toDelivery(found, body);
    }),
    route(redeliver, async (me: Me, { params }) => {
      await deliveries.redeliver(me, params.id);
      return undefined;
    }),
  ];
}

const toSummary = (found: ListedDelivery): DeliverySummary => {
  const { id, event, state, subject, created_at, next_attempt_at, attempts } = found;
  const last = attempts.at(-1);
  return {
    id,
    event,
    state,
    subject,
    created_at,
    next_attempt_at,
    attempts: attempts.length,
    last_attempt: last ? withoutExcerpt(last) : null,
  };
};

const withoutExcerpt = ({ excerpt: _, ...attempt }: Attempt) => attempt;

const toDelivery = (found: DeliveryRecord, body: string): Delivery => ({
  ...toSummary({ ...found, subject: subjectOf(body) }),
  endpoint_id: found.endpoint_id,
  event_id: found.event_id,
  body,
  log: [...found.attempts],
});
