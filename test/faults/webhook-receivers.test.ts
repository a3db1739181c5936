import { afterAll, beforeAll, expect, test } from "bun:test";
import { median } from "#test/bench/statistics.ts";
import { type HostileReceiver, startHostileReceiver } from "#test/support/hostile-receivers.ts";
import type { KurzServer } from "#test/support/kurz-server.ts";
import { LinkApi, startKurzWithApi } from "#test/support/link-api.ts";
import { type Operator, operatorOf } from "#test/support/operator.ts";
import { until } from "#test/support/until.ts";
import { loopbackWebhooks, type Receiver, startReceiver } from "#test/support/webhook-receiver.ts";

// More than all delivery slots: if hanging receivers could take every slot, nothing else would be sent for 15 s.
const HANGING = 60;
const CHANGES = 40;
const BLOCKED_MS = 15_000;

let kurz: KurzServer;
let operator: Operator;
let api: LinkApi;
let good: Receiver;
let canary: Receiver;
const hostile: HostileReceiver[] = [];

beforeAll(async () => {
  good = startReceiver();
  canary = startReceiver();
  const started = await startKurzWithApi({
    env: { KURZ_REDIRECT_PROCESSES: "1", KURZ_RATE_LIMIT_PER_MINUTE: "0", ...loopbackWebhooks },
  });
  ({ kurz, api } = started);
  operator = operatorOf(kurz);
  await operator.newEndpoint(started.account, good.url);
}, 600_000);
afterAll(async () => {
  await kurz.stop();
  await Promise.all([good, canary, ...hostile].map((receiver) => receiver.stop()));
}, 600_000);

async function putUp(manner: Parameters<typeof startHostileReceiver>[0], endpoints: number): Promise<HostileReceiver> {
  const receiver = await startHostileReceiver(manner);
  hostile.push(receiver);
  const account = await operator.newAccount();
  for (let at = 0; at < endpoints; at += 1) await operator.newEndpoint(account, receiver.url);
  const other = new LinkApi(kurz.url, await operator.newToken(account));
  for (let at = 0; at < CHANGES; at += 1) await other.create();
  return receiver;
}

test("receivers that hang, drip, flood, never answer, fail, reset or redirect affect nobody else", async () => {
  await api.create();
  await until("the good one has received an event", () => good.hits.length === 1);
  const bad = [
    await putUp("hang", HANGING),
    await putUp("drip", 2),
    await putUp("flood", 2),
    await putUp("interim", 5),
    await putUp("fail", 2),
    await putUp("reset", 2),
    await putUp({ redirectTo: canary.url }, 2),
  ];
  await until("every bad one is called", () => bad.every((receiver) => receiver.connections() > 0));
  const waits: number[] = [];
  for (let at = 0; at < CHANGES; at += 1) {
    const before = good.hits.length;
    await api.create();
    waits.push(await until("the event arrives", () => good.hits.length > before));
  }
  process.stderr.write(`the slowest of ${CHANGES} took ${Math.max(...waits).toFixed(0)} ms\n`);
  // Most of them: a busy machine may hold up some.
  expect(median(waits)).toBeLessThan(BLOCKED_MS / 2);
  expect(good.hits).toHaveLength(CHANGES + 1);
  expect(canary.hits).toEqual([]);
  // The API and redirects work too.
  const link = await api.create();
  expect((await fetch(`${kurz.url}/${link.slug}`, { redirect: "manual" })).status).toBe(302);
}, 600_000);

test("the server stops in order while receivers hang, without waiting for them", async () => {
  const stopMs = async (server: KurzServer): Promise<number> => {
    const started = performance.now();
    expect(await server.stop()).toBe(0);
    return performance.now() - started;
  };
  // On a busy machine any stop takes its time, but none as long as an attempt.
  const idle = await stopMs((await startKurzWithApi({ env: { KURZ_REDIRECT_PROCESSES: "1" } })).kurz);
  expect(await stopMs(kurz)).toBeLessThan(2 * idle + BLOCKED_MS / 2);
}, 600_000);
