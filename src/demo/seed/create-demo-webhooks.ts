import { appendAudit } from "#audit/audit.service.ts";
import type { Sql } from "#engines/records/schema.ts";
import type { Caller } from "#kernel/caller.ts";
import { seededRandom } from "#kernel/seeded-random.ts";
import { openOutbox, writeEvent } from "#outbox/outbox.service.ts";
import type { Services } from "#runtime/services.ts";
import { endDelivery, insertAttempt, redateAudit, rewriteEndpoint } from "./demo-webhooks.store.ts";

interface DemoEndpoint {
  readonly url: string;
  readonly description: string;
  /** The percentage of deliveries that fail at first, and that fail for good. */
  readonly late: number;
  readonly lost: number;
  readonly isOff: boolean;
}

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const DAYS = 6;
const EVENTS = 60;
const RETRY_MS = 5 * 60_000;
const SEED = 7;
const ATTEMPTS_OF_LOST = 3;
const outbox = openOutbox();

const endpoints: readonly DemoEndpoint[] = [
  { url: "https://hooks.example.com/kurz", description: "Warehouse", late: 0, lost: 0, isOff: false },
  { url: "https://crm.example.net/incoming", description: "CRM", late: 25, lost: 10, isOff: false },
  { url: "https://old.example.org/hook", description: "Old intranet", late: 0, lost: 100, isOff: true },
];

/** Creates endpoints with a history of deliveries, which a server would have written over the last days. */
export async function createDemoWebhooks({ records, webhooks, links }: Services, caller: Caller, toMs: number) {
  const random = seededRandom(SEED);
  const { data: newest } = await links.list(caller, {
    limit: EVENTS,
    sort: "-created_at",
    state: ["all"],
    tag: [],
    tag_mode: "all",
  });
  const fromMs = toMs - DAYS * DAY_MS;
  const createdMs = fromMs - 30 * DAY_MS;
  const { accountNo } = caller;
  const disabled: string[] = [];
  for (const endpoint of endpoints) {
    const { url, description, isOff } = endpoint;
    const { id } = await webhooks.endpoints.create(caller, { url, description });
    if (isOff) disabled.push(id);
    await records.write(async (tx) => {
      const no = await rewriteEndpoint(tx, id, {
        created_at: createdMs,
        updated_at: createdMs,
        ...(isOff && { disabled_at: toMs - DAY_MS, disabled_by: "failing", failing_since: fromMs }),
      });
      await redateAudit(tx, id, createdMs);
      const lastMs = isOff ? toMs - DAY_MS : toMs - HOUR_MS;
      for (const [index, link] of newest.entries()) {
        const at = Math.floor(fromMs + ((lastMs - fromMs) * index) / newest.length);
        const event = { type: "link.created", accountNo, at, data: () => ({ link }) } as const;
        const [deliveryId = ""] = await outbox.appendTo(tx, writeEvent(caller.accountId, event), [no]);
        await writeHistory(tx, { deliveryId, at, endpoint, random });
      }
    });
  }
  await records.write(async (tx) => {
    const entry = { at: toMs - DAY_MS, accountNo, actor: "system", action: "webhook.disabled" };
    for (const subject of disabled) await appendAudit(tx, { ...entry, subject, details: { reason: "failing" } });
  });
}

interface History {
  readonly deliveryId: string;
  readonly at: number;
  readonly endpoint: DemoEndpoint;
  readonly random: () => number;
}

/** Ends the delivery, after as many failures as its endpoint tends to have. */
async function writeHistory(tx: Sql, { deliveryId, at, endpoint, random }: History): Promise<void> {
  const { late, lost, isOff } = endpoint;
  const percentile = random() * 100;
  const failures = percentile < lost ? ATTEMPTS_OF_LOST : percentile < lost + late ? 1 : 0;
  const isDelivered = failures < ATTEMPTS_OF_LOST;
  const attempts = failures + (isDelivered ? 1 : 0);
  const deliveryNo = await endDelivery(tx, deliveryId, { state: isDelivered ? "delivered" : "failed", attempts });
  for (let attempt = 0; attempt < attempts; attempt += 1) {
    const isSuccess = isDelivered && attempt === failures;
    await insertAttempt(tx, {
      delivery_no: deliveryNo,
      at: at + attempt * RETRY_MS,
      is_manual: 0,
      status: isSuccess ? 200 : isOff ? null : 503,
      problem: !isSuccess && isOff ? "timeout" : null,
      duration_ms: isSuccess ? 40 + Math.floor(random() * 200) : isOff ? 15_000 : 90,
      excerpt: isSuccess ? "ok" : isOff ? "" : "Service Unavailable",
    });
  }
}
