import { quantile } from "#test/bench/statistics.ts";
import { type Fleet, inTurn } from "#test/support/fleet.ts";
import type { KurzServer } from "#test/support/kurz-server.ts";
import { watchLag } from "#test/support/lag-watch.ts";
import { type SeenVisit, visitOnce } from "#test/support/steady-visitors.ts";
import { until } from "#test/support/until.ts";

const PATIENCE_MS = 60_000;
// After a first visit has shown the change: another process of the node may not know it yet.
const VISITS_AFTERWARDS = 3;
const FOLLOWED_MS_MAX = 1000;
const READ_EVERY_MS = 20;

export interface PauseTimes {
  /** Answers on the node that made the change, after its own answer, that didn't show it. */
  readonly staleOnOwn: number;
  /** On other nodes: how long after that answer visits still didn't show the change. */
  readonly delaysMs: readonly number[];
  /** How late this machine was meanwhile: with its timers, and with requests that change nothing. */
  readonly lateMs: number;
}

/** What a fleet has promised and not kept. A machine that is late itself makes others wait for as long as that. */
export function judgePauses({ staleOnOwn, delaysMs, lateMs }: PauseTimes): string[] {
  const tooLate = delaysMs.filter((delay) => delay > FOLLOWED_MS_MAX + lateMs);
  return [
    ...(staleOnOwn > 0 ? [`${staleOnOwn} visits of the node that made a change didn't show it`] : []),
    ...tooLate.map((delay) => `a change took ${Math.round(delay)} ms, on a machine that was late by ${lateMs} ms`),
  ];
}

export function describeDelays({ delaysMs, lateMs }: Pick<PauseTimes, "delaysMs" | "lateMs">): string {
  const [p50, p99, longest] = [0.5, 0.99, 1].map((share) => Math.round(quantile(delaysMs, share)));
  return `p50 ${p50} ms, p99 ${p99} ms, longest ${longest} ms (machine late by ${lateMs} ms)`;
}

/** Pauses and resumes a link on one node after the other, and watches when all of them follow. */
export async function timePauses(
  { nodes, apis }: Fleet,
  changes: number,
  onVisit: (visit: Pick<SeenVisit, "slug" | "outcome">) => void = () => {},
): Promise<PauseTimes> {
  const link = await inTurn(apis, 0).create();
  const visit = async (node: KurzServer) => {
    const seen = await visitOnce(node, link.slug);
    onVisit({ slug: link.slug, outcome: seen.outcome });
    return seen;
  };
  for (const node of nodes) await until("the link opens", async () => (await visit(node)).outcome === 302);
  const delaysMs: number[] = [];
  let staleOnOwn = 0;
  const lag = watchLag();
  const yardstick = timeReads(apis);
  for (let change = 0; change < changes; change += 1) {
    const isPause = change % 2 === 0;
    const expected = isPause ? 404 : 302;
    // One node pauses, the next one resumes.
    const own = inTurn(nodes, change);
    await inTurn(apis, change).act(link.id, isPause ? "pause" : "resume");
    const answeredAt = performance.now();
    const shown = nodes.map(async (node) => {
      let staleAt = node === own ? answeredAt : await lastStale(() => visit(node), expected);
      for (let visits = 0; visits < VISITS_AFTERWARDS; visits += 1) {
        const { outcome, startedAt } = await visit(node);
        if (outcome === expected) continue;
        staleAt = startedAt;
        if (node === own) staleOnOwn += 1;
      }
      if (node !== own) delaysMs.push(Math.max(0, staleAt - answeredAt));
    });
    await Promise.all(shown);
  }
  return { staleOnOwn, delaysMs, lateMs: (await yardstick.stop()) + lag.stop() };
}

/** Asks one node after the other for what no change affects, all the time; `stop` returns how long the slowest took. */
function timeReads(apis: Fleet["apis"]): { stop(): Promise<number> } {
  let isStopped = false;
  let slowestMs = 0;
  const read = async (): Promise<void> => {
    for (let reads = 0; !isStopped; reads += 1) {
      const askedAt = performance.now();
      const { status } = await inTurn(apis, reads).ask("GET", "/me");
      if (status !== 200) throw new Error(`GET /me answers ${status}`);
      slowestMs = Math.max(slowestMs, performance.now() - askedAt);
      await Bun.sleep(READ_EVERY_MS);
    }
  };
  const reading = read();
  // Whoever stops it gets the error.
  reading.catch(() => {});
  return {
    async stop() {
      isStopped = true;
      await reading;
      return Math.round(slowestMs);
    },
  };
}

/** When the last visit began that didn't show the change; in the distant past if the first one did. */
async function lastStale(
  visit: () => Promise<Pick<SeenVisit, "outcome" | "startedAt">>,
  expected: number,
): Promise<number> {
  let staleAt = Number.NEGATIVE_INFINITY;
  await until(
    "every node follows",
    async () => {
      const { outcome, startedAt } = await visit();
      if (outcome !== expected) staleAt = startedAt;
      return outcome === expected;
    },
    PATIENCE_MS,
  );
  return staleAt;
}
