import type { Link } from "#contract/link-record.ts";
import { type Fleet, inTurn } from "#test/support/fleet.ts";
import { type SeenVisit, startVisitors } from "#test/support/steady-visitors.ts";

export interface TrafficOptions {
  readonly fleet: Fleet;
  /** Visits of known links per second and node. */
  readonly perSecond: number;
  /** Links that every node has served. */
  readonly known: readonly Link[];
  /** For each node, a link that is changed there again and again. */
  readonly changed: readonly Link[];
  /** Slugs that every node has looked up in vain. */
  readonly missed: readonly string[];
}

/** What the clients of a fleet saw in some time. */
export interface Seen {
  /** Visits of links that the node had served before. */
  readonly known: SeenVisit[];
  /** First visits of links that exist. */
  readonly unseen: SeenVisit[];
  /** Visits of links that didn't exist before. */
  readonly missing: SeenVisit[];
  /** Writes that were acknowledged, and those that weren't, by status or reason. */
  readonly writes: { acknowledged: number; readonly others: Map<string, number>; slowestMs: number };
}

/** What must be there in the end, whatever happened meanwhile. */
export interface Owed {
  /** Visits that were redirected, and those whose visitor got no answer, by slug. */
  readonly answered: Map<string, number>;
  readonly unanswered: Map<string, number>;
  /** Links whose creation was acknowledged. */
  readonly created: Set<string>;
  /** The newest acknowledged title of a link, a number, by id. */
  readonly titles: Map<string, number>;
}

export interface Traffic {
  /** What was seen from now on until the next call. */
  begin(unseen: readonly Link[]): Seen;
  /** Resolves when every visit and write has ended. */
  stop(): Promise<void>;
}

const RARE_VISITS_PER_SECOND = 4;
const MISSING = "never-";
const WRITE_PAUSE_MS = 250;
// Longer than the product's own limits together.
const WRITE_MS_MAX = 40_000;

/** A slug that nobody has. */
export const newMissingSlug = (): string => `${MISSING}${Bun.randomUUIDv7()}`;

/** Notes what is owed for a visit. */
export function noteVisit(
  { answered, unanswered }: Owed,
  { slug, outcome }: Pick<SeenVisit, "slug" | "outcome">,
): void {
  if (outcome === 302) count(answered, slug);
  // One that was refused reached nobody who could count it.
  else if (outcome === "broken" || outcome === "late") count(unanswered, slug);
}

function count(counts: Map<string, number>, name: string): void {
  counts.set(name, (counts.get(name) ?? 0) + 1);
}

const newSeen = (): Seen => ({
  known: [],
  unseen: [],
  missing: [],
  writes: { acknowledged: 0, others: new Map(), slowestMs: 0 },
});

export const newOwed = (): Owed => ({
  answered: new Map(),
  unanswered: new Map(),
  created: new Set(),
  titles: new Map(),
});

/** Visits at a steady rate and writes on every node, until stopped. */
export function startTraffic({ fleet, perSecond, known, changed, missed }: TrafficOptions, owed: Owed): Traffic {
  let seen = newSeen();
  let unseen: readonly Link[] = [];
  let isStopped = false;
  const unseenVisits = fleet.nodes.map(() => 0);

  const regulars = startVisitors({
    nodes: () => fleet.nodes,
    perSecond,
    slugOf: (visit) => inTurn(known, visit).slug,
    onVisit(visit) {
      noteVisit(owed, visit);
      seen.known.push(visit);
    },
  });
  const strangers = startVisitors({
    nodes: () => fleet.nodes,
    perSecond: RARE_VISITS_PER_SECOND,
    // Every other one is of a link that the node hasn't served yet, as long as there are any.
    slugOf(visit, node) {
      const link = visit % 2 === 0 ? unseen[unseenVisits[node] ?? 0] : undefined;
      if (!link) return visit % 4 === 1 ? newMissingSlug() : inTurn(missed, visit >> 2);
      unseenVisits[node] = (unseenVisits[node] ?? 0) + 1;
      return link.slug;
    },
    onVisit(visit) {
      noteVisit(owed, visit);
      (visit.slug.startsWith(MISSING) ? seen.missing : seen.unseen).push(visit);
    },
  });

  const write = async (place: number, method: string, path: string, body: unknown): Promise<Link | null> => {
    const startedAt = performance.now();
    const late = Bun.sleep(WRITE_MS_MAX).then(() => "late");
    const asked = inTurn(fleet.apis, place)
      .ask(method, path, body)
      .then(
        async (answer) => (answer.ok ? ((await answer.json()) as Link) : `${answer.status}`),
        ({ code }: { readonly code?: string }) => code ?? "broken",
      )
      .catch(() => "broken");
    const outcome = await Promise.race([asked, late]);
    seen.writes.slowestMs = Math.max(seen.writes.slowestMs, performance.now() - startedAt);
    if (typeof outcome !== "string") {
      seen.writes.acknowledged += 1;
      return outcome;
    }
    count(seen.writes.others, outcome);
    return null;
  };

  const writeRepeatedly = async (own: Link, place: number): Promise<void> => {
    for (let n = 1; !isStopped; n += 1) {
      const created = await write(place, "POST", "/links", { destination_url: "https://example.com/new" });
      if (created) owed.created.add(created.id);
      const changed = await write(place, "PATCH", `/links/${own.id}`, { title: `${n}` });
      if (changed) owed.titles.set(own.id, n);
      await Bun.sleep(WRITE_PAUSE_MS);
    }
  };
  const writers = changed.map(writeRepeatedly);

  return {
    begin(links) {
      seen = newSeen();
      unseen = links;
      unseenVisits.fill(0);
      return seen;
    },
    async stop() {
      isStopped = true;
      await Promise.all([regulars.stop(), strangers.stop(), ...writers]);
    },
  };
}
