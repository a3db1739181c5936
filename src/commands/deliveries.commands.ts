import { integer, oneOf } from "#config/value-kinds.ts";
import type { Attempt } from "#webhooks/deliveries.service.ts";
import type { WebhookServices } from "#webhooks/webhooks.service.ts";
import { command } from "./command.ts";
import { optional, required, withDefault } from "./option.ts";
import { idText, instant } from "./option-values.ts";
import { showControls } from "./printable-text.ts";
import { formatTable } from "./table.ts";

const OUTCOME_MS_MAX = 17_000;
const LOOK_MS = 20;

const endpoint = required("ENDPOINT_ID", idText, "The endpoint's id, as webhooks list shows it.");
const delivery = required("DELIVERY_ID", idText, "The delivery's id, as webhooks deliveries shows it.");

const webhooksTest = command({
  name: "webhooks test",
  summary: "Send a test event to an endpoint, and tell what came of it",
  positionals: { endpoint },
  async run({ services }, { endpoint: id }) {
    const { webhooks } = services();
    const caller = await webhooks.callers.forEndpoint(id);
    const deliveryId = await webhooks.deliveries.test(caller, id);
    return waitForAttempt(webhooks, deliveryId, 0);
  },
  print: describeSent,
  exitCode: exitCodeOf,
});

const webhooksRedeliver = command({
  name: "webhooks redeliver",
  summary: "Send a delivery once more, under the same id, and tell what came of it",
  positionals: { delivery },
  async run({ services }, { delivery: id }) {
    const { webhooks } = services();
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
  summary: "List what was sent to an endpoint, the newest first",
  positionals: { endpoint },
  options: {
    state: optional("S", oneOf(["pending", "delivered", "failed"] as const), "Only pending, delivered or failed ones."),
    limit: withDefault("20", required("N", integer(1, 1000), "How many.")),
  },
  async run({ services }, { endpoint: id, state, limit }) {
    const { callers, deliveries } = services().webhooks;
    return deliveries.list(await callers.forEndpoint(id), id, { state, limit });
  },
  print: (deliveries) =>
    deliveries.length === 0
      ? "There are no deliveries."
      : formatTable(
          ["ID", "EVENT", "CREATED", "STATE", "ATTEMPTS", "LAST ANSWER", "NEXT ATTEMPT"],
          deliveries.map(({ id, event, created_at, state, attempts, next_attempt_at }) => [
            id,
            event,
            created_at,
            state,
            String(attempts.length),
            answerText(attempts.at(-1)),
            next_attempt_at ?? "",
          ]),
        ),
});

const webhooksAttempts = command({
  name: "webhooks attempts",
  summary: "Show every attempt of a delivery, with the beginning of each answer",
  positionals: { delivery },
  async run({ services }, { delivery: id }) {
    const { callers, deliveries } = services().webhooks;
    return deliveries.get(await callers.forDelivery(id), id);
  },
  print: ({ id, event, state, attempts }) =>
    [
      `${id} (${event}) is ${state}.`,
      ...attempts.map((attempt) => {
        const answer = attempt.excerpt === "" ? "" : `\n  ${showControls(attempt.excerpt)}`;
        const asked = attempt.manual ? ", asked for" : "";
        return `${attempt.at}  ${answerText(attempt)} in ${attempt.duration_ms} ms${asked}${answer}`;
      }),
    ].join("\n"),
});

const webhooksRecover = command({
  name: "webhooks recover",
  summary: "Send everything again that failed since a time",
  positionals: { endpoint },
  options: { since: required("TIME", instant, "An instant such as 2026-01-02T03:04:05Z; at most 30 days back.") },
  async run({ services }, { endpoint: id, since }) {
    const { callers, deliveries } = services().webhooks;
    return { endpoint: id, deliveries: await deliveries.recover(await callers.forEndpoint(id), id, since) };
  },
  print: ({ deliveries }) =>
    deliveries === 1 ? "1 delivery is sent again." : `${deliveries} deliveries are sent again.`,
});

interface Sent {
  readonly delivery: string;
  /** Nothing while it waits in line. */
  readonly attempt: Attempt | null;
  readonly next_attempt_at: string | null;
}

/** Without a running server nobody sends, and behind others it may wait for longer than anybody looks on. */
async function waitForAttempt(webhooks: WebhookServices, id: string, before: number): Promise<Sent> {
  const caller = await webhooks.callers.forDelivery(id);
  const deadline = performance.now() + OUTCOME_MS_MAX;
  for (;;) {
    const { attempts, next_attempt_at } = await webhooks.deliveries.get(caller, id);
    const attempt = attempts.length > before ? attempts.at(-1) : undefined;
    const isWorthWaiting = webhooks.isSending() && performance.now() < deadline;
    if (attempt || !isWorthWaiting) return { delivery: id, attempt: attempt ?? null, next_attempt_at };
    await Bun.sleep(LOOK_MS);
  }
}

function describeSent({ delivery: id, attempt, next_attempt_at }: Sent): string {
  if (!attempt) return `The delivery ${id} is in line; a running server sends it as soon as it can.`;
  const next = next_attempt_at === null ? "" : `; the next attempt is at ${next_attempt_at}`;
  const outcome = isSuccess(attempt) ? "arrived" : "failed";
  return `The delivery ${id} ${outcome}: ${answerText(attempt)} in ${attempt.duration_ms} ms${next}.`;
}

function exitCodeOf({ attempt }: Sent): number {
  return attempt === null || isSuccess(attempt) ? 0 : 1;
}

const isSuccess = ({ status }: Attempt): boolean => status !== null && status >= 200 && status < 300;

const answerText = (attempt: Attempt | undefined): string =>
  attempt === undefined ? "none yet" : attempt.status === null ? (attempt.problem ?? "") : `status ${attempt.status}`;

export const deliveryCommands = [
  webhooksTest,
  webhooksDeliveries,
  webhooksAttempts,
  webhooksRedeliver,
  webhooksRecover,
];
