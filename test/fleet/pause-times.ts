import { type Fleet, inTurn } from "#test/support/fleet.ts";
import type { KurzServer } from "#test/support/kurz-server.ts";
import { type SeenVisit, visitOnce } from "#test/support/steady-visitors.ts";
import { until } from "#test/support/until.ts";

const PATIENCE_MS = 60_000;

export interface PauseTimes {
  /** Answers on the node that made the change, at once after its own answer, that didn't show it. */
  readonly staleOnOwn: number;
  /** On other nodes: how long after that answer visits still didn't show the change. */
  readonly delaysMs: readonly number[];
  /** Answers that showed the state before the change again, after a later one had shown the change. */
  readonly relapses: number;
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
  let relapses = 0;
  for (let change = 0; change < changes; change += 1) {
    const isPause = change % 2 === 0;
    const expected = isPause ? 404 : 302;
    // One node pauses, the next one resumes.
    const own = inTurn(nodes, change);
    await inTurn(apis, change).act(link.id, isPause ? "pause" : "resume");
    const answeredAt = performance.now();
    const shown = nodes.map(async (node) => {
      if (node !== own) delaysMs.push((await lastStale(() => visit(node), expected)) - answeredAt);
      else if ((await visit(node)).outcome !== expected) staleOnOwn += 1;
    });
    await Promise.all(shown);
    const later = await Promise.all(nodes.map(visit));
    relapses += later.filter(({ outcome }) => outcome !== expected).length;
  }
  return { staleOnOwn, delaysMs: delaysMs.map((delay) => Math.max(0, delay)), relapses };
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
