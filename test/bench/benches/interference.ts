import { join } from "node:path";
import { COMMON_WORD, RARE_WORD } from "../data/link-rows.ts";
import { interleave } from "../interleave.ts";
import { type LoadSpec, startLoad } from "../load.ts";
import { coreWaitMsOf, cpuMicrosOf } from "../process-figures.ts";
import { atMost, millis, percent, type Row } from "../report.ts";
import { POPULAR_LINES, type Subject } from "../stage.ts";
import { median, medianRatio } from "../statistics.ts";
import { type Burst, runWrk } from "../wrk.ts";
import type { Bench } from "./bench-definition.ts";

const SECONDS = { full: 2, quick: 1 };
const ROUNDS = { full: 4, quick: 1 };
const THINK_MS = 10;
const LEAD_MS = 300;
const TIMES_MAX = 2;

interface Watched extends Burst {
  /** The share of time in which the redirect process was ready and waited for a core. */
  readonly waited: number;
}

interface Disturbed extends Watched {
  /** How much of one core the load used, in its client and in control. */
  readonly shares: readonly [number, number];
}

export const interference: Bench = {
  name: "interference",
  about: "redirect p99 while searches, lists and creates run at full speed, compared to alone",
  async run(stage) {
    const subject = await stage.large();
    const seconds = stage.isQuick ? SECONDS.quick : SECONDS.full;
    let shares: readonly [number, number] = [1, 1];
    const { alone, loaded, hogged } = await interleave(stage.isQuick ? ROUNDS.quick : ROUNDS.full, {
      alone: () => open(subject, seconds),
      loaded: async () => {
        const disturbed = await openUnderLoad(subject, seconds);
        shares = disturbed.shares;
        return disturbed;
      },
      hogged: () => openBesideHogs(subject, seconds, shares),
    });
    const p99 = (bursts: readonly Burst[]): number[] => bursts.map((burst) => burst.p99);
    const each = (of: (burst: Watched) => number, format: (value: number) => string): string =>
      [loaded, hogged, alone].map((bursts) => format(median(bursts.map(of)))).join(" / ");
    const compare = (name: string, ours: readonly Burst[]): Row & { readonly ratio: number } => ({
      name,
      ours: millis(median(p99(ours))),
      baseline: millis(median(p99(alone))),
      ratio: medianRatio(p99(ours), p99(alone)),
    });
    return [
      atMost(compare("redirect p99 under API load, beside alone", loaded), TIMES_MAX),
      compare("redirect p99 beside programs that only burn as much CPU", hogged),
      { name: "p50 under load / beside the burners / alone", ours: each(({ p50 }) => p50, millis) },
      { name: "share of the time in which redirect waited for a core", ours: each(({ waited }) => waited, percent) },
      {
        name: "share of a core that the load's client / control took",
        ours: [0, 1].map((index) => median(loaded.map(({ shares }) => shares[index] ?? 0)).toFixed(2)).join(" / "),
      },
      { name: "redirects per second meanwhile", ours: median(loaded.map(({ perSecond }) => perSecond)).toFixed(0) },
    ];
  },
};

/** At a steady rate: with connections that never pause, the latency would only reflect the queue length. */
async function open({ server, data, redirect: [pid = 0] }: Subject, seconds: number): Promise<Watched> {
  const before = coreWaitMsOf(pid);
  const paths = { pathFile: data.popularFile, lines: POPULAR_LINES };
  const burst = await runWrk({ url: server.url, ...paths, seconds, thinkMs: THINK_MS });
  return { ...burst, waited: (coreWaitMsOf(pid) - before) / (seconds * 1000) };
}

async function openUnderLoad(subject: Subject, seconds: number): Promise<Disturbed> {
  const { pid, report } = startLoad(apiLoad(subject, seconds + 1));
  await Bun.sleep(LEAD_MS);
  const before = [cpuMicrosOf([pid]), cpuMicrosOf(subject.control)] as const;
  const started = performance.now();
  const burst = await open(subject, seconds);
  const elapsed = (performance.now() - started) * 1000;
  const shares = [
    (cpuMicrosOf([pid]) - before[0]) / elapsed,
    (cpuMicrosOf(subject.control) - before[1]) / elapsed,
  ] as const;
  const { problem } = await report;
  if (problem !== null) throw new Error(`the API answered the load with ${problem}`);
  return { ...burst, shares };
}

async function openBesideHogs(subject: Subject, seconds: number, shares: readonly [number, number]): Promise<Watched> {
  const script = join(import.meta.dir, "..", "hog.ts");
  // Control uses two threads, its event loop and the one for searches.
  const [client, control] = shares;
  const hogs = [client, control / 2, control / 2].map((share) =>
    Bun.spawn([process.execPath, script, String(Math.min(1, share))]),
  );
  await Bun.sleep(LEAD_MS);
  try {
    return await open(subject, seconds);
  } finally {
    for (const hog of hogs) hog.kill("SIGKILL");
  }
}

function apiLoad({ server, bigToken }: Subject, seconds: number): LoadSpec {
  const links = "/api/v1/links";
  return {
    url: server.url,
    token: bigToken,
    seconds,
    streams: [
      { name: "create", inFlight: 4, method: "POST", targets: [links] },
      { name: "list", inFlight: 4, method: "GET", targets: [links, `${links}?sort=-click_count&limit=100`] },
      { name: "search", inFlight: 4, method: "GET", targets: [`${links}?q=${COMMON_WORD}`, `${links}?q=${RARE_WORD}`] },
    ],
  };
}
