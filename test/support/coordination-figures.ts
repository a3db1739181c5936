import { readExposition } from "./exposition.ts";
import type { KurzServer } from "./kurz-server.ts";
import { until } from "./until.ts";

/** What nodes that share a coordination server say about it. They publish their metrics on a port of their own. */
export const metricsOnFreePort = { KURZ_METRICS_ADDR: "127.0.0.1:0" };

async function figureOf(node: KurzServer, series: string): Promise<number | undefined> {
  const address = /Metrics {2}(\S+)/.exec(node.output.stderr)?.[1] ?? "";
  return readExposition(await (await fetch(address)).text()).get(series);
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
    const before = await figuresOf(nodes, "kurz_coordination_fallbacks_total");
    let failure: unknown;
    await round().catch((error: unknown) => {
      failure = error;
    });
    const after = await figuresOf(nodes, "kurz_coordination_fallbacks_total");
    if (Bun.deepEquals(before, after)) {
      if (failure) throw failure;
      return;
    }
  }
}
