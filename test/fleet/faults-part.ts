import { quantile } from "#test/bench/statistics.ts";
import { startFleet } from "#test/support/fleet.ts";
import { openFleetNetwork } from "#test/support/fleet-network.ts";
import { faultsOf } from "./fault-list.ts";
import { type FaultResult, openFaultRuns } from "./fault-run.ts";
import { formatTable } from "./markdown-table.ts";
import { describeDelays } from "./pause-times.ts";

const FULL = { outageMs: 30_000, perSecond: 100 };
const QUICK = { outageMs: 5000, perSecond: 20 };
const PROBLEMS_SHOWN_MAX = 5;

const HEADINGS = [
  "fault",
  "known links: 302, p99, slowest",
  "new ones: 302, 503",
  "unknown ones: 404, 503",
  "writes: kept, refused, slowest",
  "changes followed",
  "back after",
  "events sent again",
  "clicks answered, counted, reported",
];

/** Prints what visitors and clients of three nodes notice of each fault, and returns what they must not have noticed. */
export async function runFaults(isQuick: boolean): Promise<string[]> {
  const network = await openFleetNetwork(3);
  try {
    const env = { KURZ_WEBHOOK_ALLOW_CIDRS: network.clients, KURZ_WEBHOOK_ALLOW_INSECURE: "1" };
    const fleet = await startFleet({ size: 3, env, network });
    try {
      const runs = await openFaultRuns({ fleet, host: network.host, ...(isQuick ? QUICK : FULL) });
      const results: FaultResult[] = [];
      for (const fault of faultsOf(fleet, network)) {
        process.stderr.write(`${fault.name} …\n`);
        results.push(await runs.run(fault));
      }
      await runs.close();
      process.stdout.write(`${formatTable(HEADINGS, results.map(cellsOf))}\n`);
      const problems = results.flatMap(({ fault, problems }) => listProblems(fault, problems));
      if (problems.length > 0) for (const { output } of fleet.nodes) process.stderr.write(`${output.stderr}\n`);
      return problems;
    } finally {
      await fleet.stop();
    }
  } finally {
    await network.close();
  }
}

function listProblems(fault: string, problems: readonly string[]): string[] {
  const shown = problems.slice(0, PROBLEMS_SHOWN_MAX).map((problem) => `${fault}: ${problem}`);
  const left = problems.length - shown.length;
  return left > 0 ? [...shown, `${fault}: and ${left} more`] : shown;
}

function cellsOf(
  { fault, seen, backMs, pauses, repeats, balance }: FaultResult,
  at: number,
  all: FaultResult[],
): string[] {
  const before = all[at - 1]?.balance ?? { answered: 0, counted: 0, reported: 0 };
  const answers = seen.known.filter(({ outcome }) => outcome === 302);
  const times = answers.map(({ startedAt, endedAt }) => endedAt - startedAt);
  const count = (visits: FaultResult["seen"]["known"], status: number): number =>
    visits.filter(({ outcome }) => outcome === status).length;
  const { acknowledged, others, slowestMs } = seen.writes;
  const refused = [...others.values()].reduce((a, b) => a + b, 0);
  return [
    fault,
    `${answers.length}, ${Math.round(quantile(times, 0.99))} ms, ${Math.round(quantile(times, 1))} ms`,
    `${count(seen.unseen, 302)}, ${count(seen.unseen, 503)}`,
    `${count(seen.missing, 404)}, ${count(seen.missing, 503)}`,
    `${acknowledged}, ${refused}, ${(slowestMs / 1000).toFixed(1)} s`,
    pauses ? describeDelays(pauses) : "–",
    `${(backMs / 1000).toFixed(1)} s`,
    `${repeats}`,
    [balance.answered - before.answered, balance.counted - before.counted, balance.reported - before.reported].join(
      ", ",
    ),
  ];
}
