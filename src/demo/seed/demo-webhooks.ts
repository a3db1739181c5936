import type { Caller } from "#kernel/caller.ts";
import { seededRandom } from "#kernel/seeded-random.ts";
import { openOutbox, writeEvent } from "#outbox/outbox.service.ts";
import type { Services } from "#runtime/services.ts";

interface DemoEndpoint {
  readonly url: string;
  readonly description: string;
  /** How many deliveries of a hundred fail at first, and how many for good. */
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

const endpoints: readonly DemoEndpoint[] = [
  { url: "https://hooks.example.com/kurz", description: "Warehouse", late: 0, lost: 0, isOff: false },
  { url: "https://crm.example.net/incoming", description: "CRM", late: 25, lost: 10, isOff: false },
  { url: "https://old.example.org/hook", description: "Old intranet", late: 0, lost: 100, isOff: true },
];

/** Endpoints with what was sent to them in the last days, written as it would have been. */
export async function makeDemoWebhooks({ records, webhooks, links }: Services, caller: Caller, toMs: number) {
  const random = seededRandom(SEED);
  const outbox = openOutbox();
  const { data: newest } = await links.list(caller, { limit: EVENTS, sort: "-created_at", state: ["all"], tag: [] });
  for (const { url, description, late, lost, isOff } of endpoints) {
    const { id } = await webhooks.endpoints.create(caller, { url, description });
    const fromMs = toMs - DAYS * DAY_MS;
    await records.write(async (tx) => {
      const { no } = await tx
        .updateTable("webhook_endpoints")
        .set({
          created_at: fromMs - 30 * DAY_MS,
          updated_at: fromMs - 30 * DAY_MS,
          ...(isOff && { disabled_at: toMs - DAY_MS, disabled_by: "failing", failing_since: fromMs }),
        })
        .where("id", "=", id)
        .returning("no")
        .executeTakeFirstOrThrow();
      const last = isOff ? toMs - DAY_MS : toMs - HOUR_MS;
      for (const [index, link] of newest.entries()) {
        const at = Math.floor(fromMs + ((last - fromMs) * index) / newest.length);
        const event = { type: "link.created", accountNo: caller.accountNo, at, data: () => ({ link }) } as const;
        const [deliveryId = ""] = await outbox.appendTo(tx, writeEvent(caller.accountId, event), [no]);
        const drawn = random() * 100;
        const failures = drawn < lost ? ATTEMPTS_OF_LOST : drawn < lost + late ? 1 : 0;
        const isDelivered = failures < ATTEMPTS_OF_LOST;
        const attempts = failures + (isDelivered ? 1 : 0);
        const { no: deliveryNo } = await tx
          .updateTable("webhook_deliveries")
          .set({ state: isDelivered ? "delivered" : "failed", attempts, next_at: null })
          .where("id", "=", deliveryId)
          .returning("no")
          .executeTakeFirstOrThrow();
        for (let attempt = 0; attempt < attempts; attempt += 1) {
          const isLast = isDelivered && attempt === failures;
          await tx
            .insertInto("webhook_attempts")
            .values({
              delivery_no: deliveryNo,
              at: at + attempt * RETRY_MS,
              is_manual: 0,
              status: isLast ? 200 : isOff ? null : 503,
              problem: !isLast && isOff ? "timeout" : null,
              duration_ms: isLast ? 40 + Math.floor(random() * 200) : isOff ? 15_000 : 90,
              excerpt: isLast ? "ok" : isOff ? "" : "Service Unavailable",
            })
            .execute();
        }
      }
    });
  }
}
