import { LinkApi } from "#test/support/link-api.ts";
import { operatorOf } from "#test/support/operator.ts";
import { until } from "#test/support/until.ts";
import { type Receiver, startReceiver } from "#test/support/webhook-receiver.ts";
import { interleave } from "../interleave.ts";
import { runLoad, type StreamReport } from "../load.ts";
import { atMost, millis } from "../report.ts";
import type { Subject } from "../stage.ts";
import { median, medianRatio } from "../statistics.ts";
import type { Bench } from "./bench-definition.ts";

const ENDPOINTS = 20;
const CHANGES_PER_SECOND = 27;
const PER_SECOND_MIN = 500;
const SECONDS = 3;
const ROUNDS = { full: 5, quick: 2 };
const TIMES_MAX = 2;

export const webhooksBeside: Bench = {
  name: "webhooks-beside",
  about:
    "reads of another account while more than 500 deliveries a second leave, beside the same changes told to nobody",
  async run(stage) {
    const subject = await stage.small();
    const receiver = startReceiver();
    try {
      const told = await openAccount(subject, receiver.url, ENDPOINTS);
      const untold = await openAccount(subject, receiver.url, 0);
      const perSecond: number[] = [];
      const { alone, beside } = await interleave(stage.isQuick ? ROUNDS.quick : ROUNDS.full, {
        alone: () => readBeside(subject, untold),
        beside: async () => {
          const before = receiver.hits.length;
          const startedAt = performance.now();
          const report = await readBeside(subject, told);
          await until("all is delivered", () => receiver.hits.length >= before + report.changes * ENDPOINTS, 60_000);
          perSecond.push(ratePerSecond(receiver, before, startedAt));
          return report;
        },
      });
      const row = (name: string, of: (report: StreamReport) => number) => ({
        name,
        ours: millis(median(beside.map(of))),
        baseline: millis(median(alone.map(of))),
        ratio: medianRatio(beside.map(of), alone.map(of)),
      });
      const rate = median(perSecond);
      return [
        {
          name: `deliveries per second to ${ENDPOINTS} endpoints, while another account is read`,
          ours: rate.toFixed(0),
          target: `≥ ${PER_SECOND_MIN}`,
          isOk: rate >= PER_SECOND_MIN,
        },
        atMost(
          row("  p50 of those reads", ({ p50 }) => p50),
          TIMES_MAX,
        ),
        atMost(
          row("  p99 of those reads", ({ p99 }) => p99),
          TIMES_MAX,
        ),
      ];
    } finally {
      await receiver.stop();
    }
  },
};

async function openAccount({ server }: Subject, url: string, endpoints: number): Promise<LinkApi> {
  const operator = operatorOf(server);
  const account = await operator.newAccount();
  for (let at = 0; at < endpoints; at += 1) await operator.newEndpoint(account, url);
  return new LinkApi(server.url, await operator.newToken(account));
}

/** Changes arrive at a steady rate, so that both sides do the same work except for deliveries. */
async function readBeside(
  { server, smallToken }: Subject,
  changing: LinkApi,
): Promise<StreamReport & { readonly changes: number }> {
  const changes = CHANGES_PER_SECOND * SECONDS;
  const startedAt = performance.now();
  const change = async (): Promise<void> => {
    for (let made = 0; made < changes; made += 1) {
      await Bun.sleep(Math.max(0, startedAt + (made * 1000) / CHANGES_PER_SECOND - performance.now()));
      await changing.create();
    }
  };
  const streams = [{ name: "reads", inFlight: 1, method: "GET", targets: ["/api/v1/links"] } as const];
  const [{ streams: reports }] = await Promise.all([
    runLoad({ url: server.url, token: smallToken, seconds: SECONDS, streams }),
    change(),
  ]);
  const [reads] = reports;
  if (reads === undefined) throw new Error("the load client reported nothing");
  return { ...reads, changes };
}

function ratePerSecond({ hits }: Receiver, before: number, startedAt: number): number {
  return (hits.length - before) / (((hits.at(-1)?.at ?? 0) - startedAt) / 1000);
}
