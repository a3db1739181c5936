import { integer, oneOf } from "#config/value-kinds.ts";
import { showControls } from "#shared/printable-text.ts";
import type { Attempt } from "#webhooks/deliveries.service.ts";
import type { WebhookServices } from "#webhooks/webhooks.service.ts";
import { command } from "./command.ts";
import { optional, required, withDefault } from "./option.ts";
import { idText, instant } from "./option-values.ts";
import { formatTable } from "./table.ts";

const OUTCOME_MS_MAX = 17_000;
const POLL_MS = 20;

const endpoint = required("ENDPOINT_ID", idText, "The endpoint id, as webhooks list shows it.");
const delivery = required("DELIVERY_ID", idText, "The delivery id, as webhooks deliveries shows it.");

const webhooksTest = command({
  name: "webhooks test",
  summary: "Send a test event to an endpoint, and show the outcome",
  positionals: { endpoint },
  async run({ services }, { endpoint: id }) {
    const { webhooks } = await services();
    const caller = await webhooks.callers.forEndpoint(id);
    const deliveryId = await webhooks.deliveries.test(caller, id);
    return waitForAttempt(webhooks, deliveryId, 0);
  },
  print: describeSent,
  exitCode: exitCodeOf,
});

const webhooksRedeliver = command({
  name: "webhooks redeliver",
  summary: "Resend a delivery with the same id, and show the outcome",
  positionals: { delivery },
  async run({ services }, { delivery: id }) {
    const { webhooks } = await services();
    const caller = await webhooks.callers.forDelivery(id);
    const { attempts } = await webhooks.deliveries.get(caller, id);
    await webhooks.deliveries.redeliver(caller, id);
    return waitForAttempt(webhooks, id, attempts.length);
  },
  print: describeSent,
  exitCode: exitCodeOf,
});

const webhooksDeliveries = command({
  name: "webhooks deliveries",
  summary: "List an endpoint's deliveries, newest first",
  positionals: { endpoint },
  options: {
    state: optional(
      "S",
      oneOf(["pending", "delivered", "failed"] as const),
      "Only deliveries in this state: pending, delivered or failed.",
    ),
    limit: withDefault("20", required("N", integer(1, 1000), "How many deliveries to show.")),
  },
  async run({ services }, { endpoint: id, state, limit }) {
    const { callers, deliveries } = (await services()).webhooks;
    return deliveries.list(await callers.forEndpoint(id), id, { state, limit });
  },
  print: (deliveries) =>
    deliveries.length === 0
      ? "There are no deliveries."
      : formatTable(
          ["ID", "EVENT", "CREATED", "STATE", "ATTEMPTS", "LAST RESPONSE", "NEXT ATTEMPT"],
          deliveries.map(({ id, event, created_at, state, attempts, next_attempt_at }) => [
            id,
            event,
            created_at,
            state,
            String(attempts.length),
            responseText(attempts.at(-1)),
            next_attempt_at ?? "",
          ]),
        ),
});

const webhooksAttempts = command({
  name: "webhooks attempts",
  summary: "Show every attempt of a delivery, with the start of each response",
  positionals: { delivery },
  async run({ services }, { delivery: id }) {
    const { callers, deliveries } = (await services()).webhooks;
    return deliveries.get(await callers.forDelivery(id), id);
  },
  print: ({ id, event, state, attempts }) =>
    [
      `${id} (${event}) is ${state}.`,
      ...attempts.map((attempt) => {
        const response = attempt.excerpt === "" ? "" : `\n  ${showControls(attempt.excerpt)}`;
        const manual = attempt.manual ? ", manual" : "";
        return `${attempt.at}  ${responseText(attempt)} in ${attempt.duration_ms} ms${manual}${response}`;
      }),
    ].join("\n"),
});

const webhooksRecover = command({
  name: "webhooks recover",
  summary: "Resend all deliveries that failed since a given time",
  positionals: { endpoint },
  options: { since: required("TIME", instant, "An instant such as 2026-01-02T03:04:05Z, at most 30 days ago.") },
  async run({ services }, { endpoint: id, since }) {
    const { callers, deliveries } = (await services()).webhooks;
    return { endpoint: id, deliveries: await deliveries.recover(await callers.forEndpoint(id), id, since) };
  },
  print: ({ deliveries }) => (deliveries === 1 ? "Resending 1 delivery." : `Resending ${deliveries} deliveries.`),
});

interface Sent {
  readonly delivery: string;
  /** `null` while it is queued. */
  readonly attempt: Attempt | null;
  readonly next_attempt_at: string | null;
}

/** Stops waiting if no server is running to send it, or if the queue takes too long. */
async function waitForAttempt(webhooks: WebhookServices, id: string, before: number): Promise<Sent> {
  const caller = await webhooks.callers.forDelivery(id);
  const deadline = performance.now() + OUTCOME_MS_MAX;
  for (;;) {
    const { attempts, next_attempt_at } = await webhooks.deliveries.get(caller, id);
    const attempt = attempts.length > before ? attempts.at(-1) : undefined;
    const shouldWait = webhooks.isSending() && performance.now() < deadline;
    if (attempt || !shouldWait) return { delivery: id, attempt: attempt ?? null, next_attempt_at };
    await Bun.sleep(POLL_MS);
  }
}

function describeSent({ delivery: id, attempt, next_attempt_at }: Sent): string {
  if (!attempt) return `The delivery ${id} is queued; a running server sends it as soon as it can.`;
  const next = next_attempt_at === null ? "" : `; the next attempt is at ${next_attempt_at}`;
  const outcome = isSuccess(attempt) ? "succeeded" : "failed";
  return `The delivery ${id} ${outcome}: ${responseText(attempt)} in ${attempt.duration_ms} ms${next}.`;
}

function exitCodeOf({ attempt }: Sent): number {
  return attempt === null || isSuccess(attempt) ? 0 : 1;
}

const isSuccess = ({ status }: Attempt): boolean => status !== null && status >= 200 && status < 300;

const responseText = (attempt: Attempt | undefined): string =>
  attempt === undefined ? "none yet" : attempt.status === null ? (attempt.problem ?? "") : `status ${attempt.status}`;

export const deliveryCommands = [
  webhooksTest,
  webhooksDeliveries,
  webhooksAttempts,
  webhooksRedeliver,
  webhooksRecover,
];
