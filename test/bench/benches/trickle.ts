import { interleave } from "../interleave.ts";
import { runLoad, type StreamReport } from "../load.ts";
import { atMost, millis, type Row } from "../report.ts";
import type { Subject } from "../stage.ts";
import { median, medianRatio } from "../statistics.ts";
import { startTricklingClients } from "../trickling-clients.ts";
import type { Bench } from "./bench-definition.ts";

const SECONDS = 2;
const WARM_UP_SECONDS = 3;
const CLIENTS = 2000;
const TIMES_MAX = 2;

export const trickle: Bench = {
  name: "trickle",
  about: `GET /me while ${CLIENTS} clients send a body at one byte per second, compared to alone`,
  async run(stage) {
    const subject = await stage.small();
    await ask(subject, WARM_UP_SECONDS);
    const { alone, beside } = await interleave(stage.rounds, {
      alone: () => ask(subject),
      beside: () => besideTrickle(subject),
    });
    const compare = (name: "p50" | "p99"): Row & { readonly ratio: number } => {
      const [ours, own] = [beside, alone].map((reports) => reports.map((report) => report[name])) as [
        number[],
        number[],
      ];
      return {
        name: `${name} of GET /me beside ${CLIENTS.toLocaleString("en")} trickling clients`,
        ours: millis(median(ours)),
        baseline: millis(median(own)),
        ratio: medianRatio(ours, own),
      };
    };
    return [atMost(compare("p99"), TIMES_MAX), compare("p50")];
  },
};

async function ask({ server, bigToken }: Subject, seconds = SECONDS): Promise<StreamReport> {
  const streams = [{ name: "me", inFlight: 1, method: "GET" as const, targets: ["/api/v1/me"] }];
  const {
    streams: [report],
  } = await runLoad({ url: server.url, token: bigToken, seconds, streams });
  if (report === undefined) throw new Error("the load has reported nothing");
  return report;
}

async function besideTrickle(subject: Subject): Promise<StreamReport> {
  const clients = await startTricklingClients(subject.server.port, CLIENTS);
  try {
    return await ask(subject);
  } finally {
    await clients.stop();
  }
}
