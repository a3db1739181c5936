import { BROWSER } from "./click-counts.ts";
import type { KurzServer } from "./kurz-server.ts";

/** One visit as its visitor saw it. */
export interface SeenVisit {
  readonly node: number;
  readonly slug: string;
  /** The status, or why there was none. */
  readonly outcome: number | "refused" | "broken" | "late";
  readonly startedAt: number;
  readonly endedAt: number;
}

export interface VisitorsOptions {
  readonly nodes: () => readonly KurzServer[];
  /** Visits of each node per second. */
  readonly perSecond: number;
  /** Which link the n-th visit of a node is to. */
  readonly slugOf: (visit: number, node: number) => string;
  readonly onVisit: (visit: SeenVisit) => void;
}

export interface Visitors {
  /** Resolves when every visit has ended. */
  stop(): Promise<void>;
}

const ANSWER_MS_MAX = 30_000;
// By Bun's name or the system's, depending on the address.
const REFUSED = /^(?:ConnectionRefused|ECONNREFUSED)$/;

/**
 * Visits every node at a steady rate, whether or not earlier visitors have their answer. Each comes on a connection of
 * its own: a client that repeats a request on another connection would count twice.
 */
export function startVisitors({ nodes, perSecond, slugOf, onVisit }: VisitorsOptions): Visitors {
  const underWay = new Set<Promise<void>>();
  const intervalMs = 1000 / perSecond;
  const startedAt = performance.now();
  let visits = 0;
  const timer = setInterval(() => {
    // Timers run late on a busy machine; the rate stays.
    const due = Math.floor((performance.now() - startedAt) / intervalMs);
    for (; visits < due; visits += 1) {
      for (const [place, node] of nodes().entries()) {
        const slug = slugOf(visits, place);
        const visit = visitOnce(node, slug).then((seen) => onVisit({ node: place, slug, ...seen }));
        underWay.add(visit);
        void visit.finally(() => underWay.delete(visit));
      }
    }
  }, intervalMs);
  return {
    async stop() {
      clearInterval(timer);
      await Promise.all(underWay);
    },
  };
}

export async function visitOnce(
  { url }: Pick<KurzServer, "url">,
  slug: string,
): Promise<Pick<SeenVisit, "outcome" | "startedAt" | "endedAt">> {
  const startedAt = performance.now();
  const outcome = await fetch(`${url}/${slug}`, {
    redirect: "manual",
    keepalive: false,
    headers: { "user-agent": BROWSER },
    signal: AbortSignal.timeout(ANSWER_MS_MAX),
  }).then(
    ({ status }) => status,
    ({ code, name }: { readonly code?: string; readonly name?: string }) =>
      REFUSED.test(code ?? "") ? "refused" : name === "TimeoutError" ? "late" : "broken",
  );
  return { outcome, startedAt, endedAt: performance.now() };
}
