import { type HostileReceiver, startHostileReceiver } from "#test/support/hostile-receivers.ts";
import { LinkApi } from "#test/support/link-api.ts";
import { type Operator, operatorOf } from "#test/support/operator.ts";
import { until } from "#test/support/until.ts";
import { type Receiver, startReceiver } from "#test/support/webhook-receiver.ts";
import { cpuMicrosOf } from "../process-figures.ts";
import { atMost, micros, millis, type Row } from "../report.ts";
import type { Subject } from "../stage.ts";
import { median, quantile } from "../statistics.ts";
import type { Bench } from "./bench-definition.ts";

const CHANGES = { full: 200, quick: 50 };
const ENDPOINTS = 20;
const BURST = { full: 400, quick: 150 };
const WARM_UP = 100;
const BURST_IN_FLIGHT = 8;
const HANGING = 60;
const LATENCY_MS_MAX = 100;
const PER_SECOND_MIN = 500;
const TIMES_MAX = 2;

interface Site {
  readonly operator: Operator;
  readonly account: string;
  readonly api: LinkApi;
  readonly receiver: Receiver;
}

export const webhooks: Bench = {
  name: "webhooks",
  about: "from the answer to a change until its event arrives, next to receivers that hang; deliveries per second",
  async run(stage) {
    const subject = await stage.small();
    const pace = stage.isQuick ? "quick" : "full";
    const site = await openSite(subject);
    const hostile: HostileReceiver[] = [];
    try {
      // The first deliveries run interpreted and would inflate the server's cost.
      await measureBurst(site, subject, WARM_UP);
      const alone = await measureLatencies(site, CHANGES[pace]);
      const burst = await measureBurst(site, subject, BURST[pace]);
      hostile.push(await putUpHanging(subject, site.operator));
      const beside = await measureLatencies(site, CHANGES[pace]);
      const p50 = median(alone);
      return [
        {
          name: "from the answer of POST /links to the receiver, p50",
          ours: millis(p50),
          target: `≤ ${LATENCY_MS_MAX} ms`,
          isOk: p50 <= LATENCY_MS_MAX,
        },
        atMost(
          {
            name: `the same, p99, beside ${HANGING} receivers that hang`,
            ours: millis(quantile(beside, 0.99)),
            baseline: millis(quantile(alone, 0.99)),
            ratio: quantile(beside, 0.99) / quantile(alone, 0.99),
          },
          TIMES_MAX,
        ),
        {
          name: `deliveries per second to ${ENDPOINTS} quick receivers`,
          ours: burst.perSecond.toFixed(0),
          target: `≥ ${PER_SECOND_MIN}`,
          isOk: burst.perSecond >= PER_SECOND_MIN,
        },
        { name: "CPU of control per delivery, link and event included", ours: micros(burst.cpu) },
      ] satisfies Row[];
    } finally {
      await Promise.all([site.receiver, ...hostile].map((receiver) => receiver.stop()));
    }
  },
};

async function openSite({ server }: Subject): Promise<Site> {
  const operator = operatorOf(server);
  const account = await operator.newAccount();
  const receiver = startReceiver();
  await operator.newEndpoint(account, receiver.url);
  return { operator, account, receiver, api: new LinkApi(server.url, await operator.newToken(account)) };
}

/** One change at a time, so that none waits for another. */
async function measureLatencies({ api, receiver }: Site, changes: number): Promise<number[]> {
  const latencies: number[] = [];
  for (let change = 0; change < changes; change += 1) {
    const before = receiver.hits.length;
    await api.create();
    const answeredAt = performance.now();
    await until("the change is told", () => receiver.hits.length > before);
    // It may arrive before the answer does.
    latencies.push(Math.max(0, (receiver.hits[before]?.at ?? 0) - answeredAt));
  }
  return latencies;
}

async function measureBurst({ operator, receiver }: Site, { server, control }: Subject, changes: number) {
  const account = await operator.newAccount();
  const api = new LinkApi(server.url, await operator.newToken(account));
  for (let at = 0; at < ENDPOINTS; at += 1) await operator.newEndpoint(account, receiver.url);
  const before = receiver.hits.length;
  const cpuBefore = cpuMicrosOf(control);
  const startedAt = performance.now();
  const loop = async (): Promise<void> => {
    for (let change = 0; change < changes / BURST_IN_FLIGHT; change += 1) await api.create();
  };
  await Promise.all(Array.from({ length: BURST_IN_FLIGHT }, loop));
  const expected = before + Math.ceil(changes / BURST_IN_FLIGHT) * BURST_IN_FLIGHT * ENDPOINTS;
  await until("all is delivered", () => receiver.hits.length >= expected, 120_000);
  const seconds = ((receiver.hits.at(-1)?.at ?? 0) - startedAt) / 1000;
  const deliveries = expected - before;
  return { perSecond: deliveries / seconds, cpu: (cpuMicrosOf(control) - cpuBefore) / deliveries };
}

async function putUpHanging({ server }: Subject, operator: Operator): Promise<HostileReceiver> {
  const receiver = await startHostileReceiver("hang");
  const account = await operator.newAccount();
  for (let at = 0; at < HANGING; at += 1) await operator.newEndpoint(account, receiver.url);
  const api = new LinkApi(server.url, await operator.newToken(account));
  for (let at = 0; at < 10; at += 1) await api.create();
  await until("they hang", () => receiver.connections() > 0);
  return receiver;
}
