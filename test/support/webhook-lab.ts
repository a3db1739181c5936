import { guardedClient } from "#engines/outbound/guarded-client.ts";
import type { OutboundClient } from "#engines/outbound/outbound-client.ts";
import { openSqliteRecords } from "#engines/records/sqlite/sqlite-records.ts";
import type { Caller } from "#kernel/caller.ts";
import type { LinkService } from "#links/links.service.ts";
import { openOutbox } from "#outbox/outbox.service.ts";
import { loadPlans } from "#plans/plan-catalogue.ts";
import { startDeliveries, type WorkerOptions } from "#webhooks/delivery-worker.ts";
import { secretBox } from "#webhooks/endpoint-secret.ts";
import type { NewSecret } from "#webhooks/endpoints.service.ts";
import type { DisabledEndpoint } from "#webhooks/settle-outcome.ts";
import { webhookServices } from "#webhooks/webhooks.service.ts";
import { testLinkService } from "./test-links.ts";
import { newTestCaller, openTestRecords } from "./test-records.ts";
import { until } from "./until.ts";

const SECRET_KEY = "a test key that is long enough for any purpose";
export const TEST_ORIGIN = { scheme: "https:", domain: "s.example" } as const;

/** A client that may reach receivers on this machine over plain http. */
export const loopbackClient = (): OutboundClient =>
  guardedClient({ allowCidrs: ["127.0.0.0/8", "::1/128"], allowInsecure: true });

/** Links, outbox and webhooks on a real engine, with a clock that only `advance` moves. */
export async function openWebhookLab(client: OutboundClient = loopbackClient()) {
  const file = openTestRecords();
  const outbox = openOutbox();
  const records = openSqliteRecords({ path: file.path });
  let now = Date.UTC(2026, 0, 2, 3, 4, 5, 678);
  const clock = () => now;
  const problems: unknown[] = [];
  const switchedOff: DisabledEndpoint[] = [];
  const tell = {
    onProblem: (_: string, error: unknown) => void problems.push(error),
    onDisabled: (endpoint: DisabledEndpoint) => void switchedOff.push(endpoint),
  };
  const plans = loadPlans(null, "unlimited");
  const deps = { records, plans, clock, outbox, origin: TEST_ORIGIN, client, secretKey: SECRET_KEY, node: "local" };
  const webhooks = webhookServices(deps);
  const links: LinkService = testLinkService(records, clock, { outbox, origin: TEST_ORIGIN });
  const caller = await newTestCaller(records);
  let worker: { stop(): Promise<void> } | null = null;

  const countWaiting = async (): Promise<number> =>
    (await records.read.selectFrom("webhook_deliveries").select("no").where("next_at", "<=", now).execute()).length;

  const allDeliveries = () => records.read.selectFrom("webhook_deliveries").selectAll().orderBy("no").execute();

  return {
    records,
    path: file.path,
    outbox,
    webhooks,
    links,
    caller,
    clock,
    problems,
    /** Endpoints that the worker has disabled. */
    switchedOff,
    countWaiting,
    allDeliveries,
    /** Waits until every attempt is logged. */
    settled: () =>
      until("every delivery is settled", async () => (await allDeliveries()).every(({ lease }) => lease === null)),
    register: (url: string, events?: readonly string[], owner: Caller = caller): Promise<NewSecret> =>
      webhooks.endpoints.create(owner, events ? { url, events } : { url }),
    /** One more worker, as on another node. */
    startWorker: (node: string, options: Partial<WorkerOptions> = {}) =>
      startDeliveries({ records, client, secrets: secretBox(SECRET_KEY), clock, node, ...tell, ...options }),
    start(): void {
      worker = webhooks.start(tell);
    },
    async restart(): Promise<void> {
      await worker?.stop();
      worker = webhooks.start(tell);
    },
    advance(ms: number): void {
      now += ms;
    },
    async close(): Promise<void> {
      await worker?.stop();
      await records.close();
      await file.close();
    },
  };
}
export type WebhookLab = Awaited<ReturnType<typeof openWebhookLab>>;
