import { type Figures, series, seriesBy } from "#metrics/figures.ts";
import type { DeliveryStats } from "#webhooks/delivery-worker.ts";

/** How deliveries to webhook endpoints go. */
export const webhookFigures = ({ attempts, inFlight }: DeliveryStats): Figures => ({
  ...seriesBy("kurz_webhook_attempts_total", "outcome", attempts),
  [series("kurz_webhook_attempts_in_flight")]: inFlight,
});
