import { quantile } from "#test/bench/statistics.ts";
import { metricsOnFreePort } from "#test/support/coordination-figures.ts";
import { type Fleet, inTurn, startFleet } from "#test/support/fleet.ts";
import { ownLoopback } from "#test/support/fleet-network.ts";
import { type SeenVisit, startVisitors } from "#test/support/steady-visitors.ts";
import { loopbackWebhooks } from "#test/support/webhook-receiver.ts";
import { deliverFromAll } from "./deliver-from-all.ts";
import { formatTable } from "./markdown-table.ts";
import { createWithKeys } from "./one-link-per-key.ts";
import { describeDelays, judgePauses, timePauses } from "./pause-times.ts";
import { describeGuesses, expectedGuesses, guessOnAll } from "./shared-guesses.ts";
import { acceptedAtOnce, LIMIT } from "./shared-limit.ts";

const FULL = { changes: 1000, keys: 1000, limits: 10, events: 600, perSecond: 100 };
const QUICK = { changes: 50, keys: 50, limits: 2, events: 60, perSecond: 20 };

type Sizes = typeof FULL;

/** Prints what three nodes under load promise each other, and returns what doesn't hold. */
export async function runPromises(isQuick: boolean): Promise<string[]> {
  const sizes = isQuick ? QUICK : FULL;
  ownLoopback();
  // Tokens have a limit of their own; without one for the deployment there would be none.
  const env = { ...metricsOnFreePort, ...loopbackWebhooks, KURZ_RATE_LIMIT_PER_MINUTE: "1000000" };
  const fleet = await startFleet({ size: 3, env });
  try {
    const visits: SeenVisit[] = [];
    const { slug } = await inTurn(fleet.apis, 0).create();
    const visitors = startVisitors({
      nodes: () => fleet.nodes,
      perSecond: sizes.perSecond,
      slugOf: () => slug,
      onVisit: (visit) => visits.push(visit),
    });
    const rows = await measure(fleet, sizes);
    await visitors.stop();
    rows.push(judgeVisits(visits, sizes));
    process.stdout.write(
      `${formatTable(
        ["promise", "result", ""],
        rows.map(({ cells, isKept }) => [...cells, isKept ? "ok" : "BROKEN"]),
      )}\n`,
    );
    return rows.filter(({ isKept }) => !isKept).map(({ cells }) => cells.join(": "));
  } finally {
    await fleet.stop();
  }
}

interface Row {
  readonly cells: readonly [promise: string, result: string];
  readonly isKept: boolean;
}

async function measure(fleet: Fleet, { changes, keys, limits, events }: Sizes): Promise<Row[]> {
  const pauses = await timePauses(fleet, changes);
  const accepted = await acceptedAtOnce(fleet, limits);
  const guesses = await guessOnAll(fleet);
  const { disagreements, refusals, sentAgain, linksMade } = await createWithKeys(fleet, keys);
  const { overlaps, repeats, delivered } = await deliverFromAll(fleet, events);
  return [
    {
      cells: [`${changes} changes hold at once on the node that made them`, `${pauses.staleOnOwn} stale`],
      isKept: pauses.staleOnOwn === 0,
    },
    {
      cells: [`and on the two others within a second`, describeDelays(pauses)],
      isKept: judgePauses({ ...pauses, staleOnOwn: 0 }).length === 0,
    },
    {
      cells: [`${LIMIT} requests a minute, ${limits} tokens`, `let through: ${[...new Set(accepted)].join(", ")}`],
      isKept: accepted.every((count) => count === LIMIT),
    },
    {
      cells: ["wrong passwords of a link, given to all nodes", describeGuesses(guesses)],
      isKept: Bun.deepEquals(guesses, expectedGuesses(fleet.nodes.length)),
    },
    {
      cells: [
        `one link for each of ${keys} idempotency keys, sent six times at once`,
        `${linksMade} links, ${sentAgain} requests sent again after a 503`,
      ],
      isKept: linksMade === keys && disagreements.length === 0 && Object.keys(refusals).length === 0,
    },
    {
      cells: [
        `${events} deliveries, never twice at once`,
        `${delivered} delivered, ${overlaps.length} overlaps, ${repeats} repeats`,
      ],
      isKept: overlaps.length === 0 && delivered === events,
    },
  ];
}

function judgeVisits(visits: readonly SeenVisit[], { perSecond }: Sizes): Row {
  const times = visits.map(({ startedAt, endedAt }) => endedAt - startedAt);
  const [p50, p99] = [0.5, 0.99].map((share) => quantile(times, share).toFixed(1));
  const failed = visits.filter(({ outcome }) => outcome !== 302).length;
  return {
    cells: [
      `meanwhile ${perSecond} visits a second of each node are redirected`,
      `${visits.length - failed} redirected, ${failed} not, p50 ${p50} ms, p99 ${p99} ms`,
    ],
    isKept: failed === 0,
  };
}
