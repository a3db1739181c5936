import type { CountCompanion } from "#clicks/ingestion/counter-consumer.ts";
import type { Signals } from "#engines/coordination/signals.ts";
import type { OutboundClient } from "#engines/outbound/outbound-client.ts";
import type { Records } from "#engines/records/records.ts";
import type { Clock } from "#kernel/clock.ts";
import type { ShortOrigin } from "#links/link-record.ts";
import type { Outbox } from "#outbox/outbox.service.ts";
import type { PlanCatalogue } from "#plans/plan-catalogue.ts";
import { clickEvents } from "./click-events.ts";
import { clickIds } from "./click-id.ts";
import { deliveryService } from "./deliveries.service.ts";
import { type DeliveryWorker, startDeliveries, type WorkerOptions } from "./delivery-worker.ts";
import { secretBox } from "./endpoint-secret.ts";
import { endpointService } from "./endpoints.service.ts";
import { operatorCallers } from "./operator-callers.ts";

interface Deps {
  readonly records: Records;
  readonly plans: PlanCatalogue;
  readonly clock: Clock;
  readonly outbox: Outbox;
  readonly origin: ShortOrigin;
  readonly client: OutboundClient;
  readonly secretKey: string;
  /** Only one process per node sends deliveries, whichever calls `start`. */
  readonly node: string;
}

interface SendingOptions extends Pick<WorkerOptions, "onProblem" | "onDisabled"> {
  /** For events of nodes that send none. */
  readonly signals?: Signals;
}

const TOPIC = "deliveries";

export function webhookServices({ records, plans, clock, outbox, origin, client, secretKey, node }: Deps) {
  const secrets = secretBox(secretKey);
  let worker: DeliveryWorker | null = null;
  const wake = (endpointNo: number): void => worker?.wake([endpointNo]);
  const clicks: CountCompanion = clickEvents({ records, outbox, clock, origin, clickId: clickIds(secretKey) });
  return {
    endpoints: endpointService({ records, clock, secrets, findUrlProblem: (url) => client.findUrlProblem(url), wake }),
    deliveries: deliveryService({ records, clock, outbox, wake }),
    callers: operatorCallers(records, plans),
    clicks,

    /** Whether this process sends deliveries. */
    isSending: (): boolean => worker !== null,

    /** For a node that sends none: wakes up those that do. They would find new events by themselves, but later. */
    leaveToOtherNodes(signals: Signals): void {
      outbox.listen((endpoints) => signals.publish(TOPIC, [...endpoints].join()));
    },

    start({ signals, ...callbacks }: SendingOptions): DeliveryWorker {
      const started = startDeliveries({ records, client, secrets, clock, node, ...callbacks });
      worker = started;
      outbox.listen((endpoints) => started.wake(endpoints));
      const unsubscribe = signals?.subscribe(TOPIC, {
        onSignal: (text) => started.wake(text.split(",").map(Number).filter(Number.isSafeInteger)),
      });
      return {
        ...started,
        async stop() {
          worker = null;
          unsubscribe?.();
          await started.stop();
        },
      };
    },
  };
}
export type WebhookServices = ReturnType<typeof webhookServices>;
