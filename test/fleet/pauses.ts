import type { Link } from "#contract/link-record.ts";
import { type Fleet, inTurn } from "#test/support/fleet.ts";
import { visitOnce } from "#test/support/steady-visitors.ts";
import { until } from "#test/support/until.ts";

export interface PauseTimes {
  /** Answers on the node that made the change, at once after its own answer, that didn't show it. */
  readonly staleOnOwn: number;
  /** On other nodes: how long after that answer visits still didn't show the change. */
  readonly delaysMs: readonly number[];
  /** Answers that showed the state before the change again, after a later one had shown the change. */
  readonly relapses: number;
}

/** Pauses and resumes a link on one node after the other, and watches when all of them follow. */
export async function timePauses(fleet: Fleet, changes: number): Promise<PauseTimes> {
  const { nodes, apis } = fleet;
  const link = await inTurn(apis, 0).create();
  for (const node of nodes)
    await until("the link opens", async () => (await visitOnce(node, link.slug)).outcome === 302);
  const delaysMs: number[] = [];
  let staleOnOwn = 0;
  let relapses = 0;
  for (let change = 0; change < changes; change += 1) {
    const isPause = change % 2 === 0;
    const expected = isPause ? 404 : 302;
    // Each node pauses, then the next one resumes.
    const own = change % nodes.length;
    await inTurn(apis, own).act(link.id, isPause ? "pause" : "resume");
    const answeredAt = performance.now();
    const outcomes = nodes.map(async (node, place) => {
      if (place !== own) delaysMs.push(await delayOf(fleet, { place, link, expected, answeredAt }));
      else if ((await visitOnce(node, link.slug)).outcome !== expected) staleOnOwn += 1;
    });
    await Promise.all(outcomes);
    const later = await Promise.all(nodes.map((node) => visitOnce(node, link.slug)));
    relapses += later.filter(({ outcome }) => outcome !== expected).length;
  }
  return { staleOnOwn, delaysMs, relapses };
}

interface Awaited {
  readonly place: number;
  readonly link: Link;
  readonly expected: number;
  readonly answeredAt: number;
}

/** When the last visit that didn't show the change began; 0 if the first one did. */
async function delayOf({ nodes }: Fleet, { place, link, expected, answeredAt }: Awaited): Promise<number> {
  let lastStaleAt = answeredAt;
  await until(
    "every node follows",
    async () => {
      const { outcome, startedAt } = await visitOnce(inTurn(nodes, place), link.slug);
      if (outcome !== expected) lastStaleAt = startedAt;
      return outcome === expected;
    },
    60_000,
  );
  return lastStaleAt - answeredAt;
}
