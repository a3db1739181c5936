import { readExposition } from "./exposition.ts";
import type { KurzServer } from "./kurz-server.ts";
import { until } from "./until.ts";

/** What nodes that share a coordination server say about it. They publish their metrics on a port of their own. */
export const metricsOnFreePort = { KURZ_METRICS_ADDR: "127.0.0.1:0" };

async function expositionOf(node: KurzServer): Promise<Map<string, number>> {
  const address = /Metrics {2}(\S+)/.exec(node.output.stderr)?.[1] ?? "";
  return readExposition(await (await fetch(address)).text());
}

const figureOf = async (node: KurzServer, series: string): Promise<number | undefined> =>
  (await expositionOf(node)).get(series);

/** How many times each process has reported its figures. */
const reportsOf = async (node: KurzServer): Promise<readonly (readonly [string, number])[]> =>
  [...(await expositionOf(node))].filter(([series]) => series.startsWith("kurz_event_loop_delay_seconds_count"));

/** The figures of a process are those of its last report. The one after the next is begun after this call. */
async function untilReportedAgain(node: KurzServer): Promise<void> {
  const before = await reportsOf(node);
  await until("every process has reported again", async () => {
    const now = new Map(await reportsOf(node));
    return before.every(([process, reports]) => (now.get(process) ?? 0) >= reports + 2);
  });
}

const figuresOf = (nodes: readonly KurzServer[], series: string): Promise<(number | undefined)[]> =>
  Promise.all(nodes.map((node) => figureOf(node, series)));

export const untilCoordinationIs = (state: "up" | "away", nodes: readonly KurzServer[]): Promise<number> =>
  until(`coordination is ${state}`, async () =>
    (await figuresOf(nodes, "kurz_coordination_up")).every((value) => value === (state === "up" ? 1 : 0)),
  );

/**
 * Repeats a round until none of its answers came from a node that decided for itself: on a busy machine the server may
 * seem away for a moment.
 */
export async function decideTogether(nodes: readonly KurzServer[], round: () => Promise<void>): Promise<void> {
  for (;;) {
    await untilCoordinationIs("up", nodes);
    await Promise.all(nodes.map(untilReportedAgain));
    const before = await figuresOf(nodes, "kurz_coordination_fallbacks_total");
    let failure: unknown;
    await round().catch((error: unknown) => {
      failure = error;
    });
    await Promise.all(nodes.map(untilReportedAgain));
    const after = await figuresOf(nodes, "kurz_coordination_fallbacks_total");
    if (Bun.deepEquals(before, after)) {
      if (failure) throw failure;
      return;
    }
  }
}
