import type { Link } from "#contract/link-record.ts";
import { createOnAll, type Fleet, inTurn } from "#test/support/fleet.ts";
import type { KurzServer } from "#test/support/kurz-server.ts";
import { type SeenVisit, visitOnce } from "#test/support/steady-visitors.ts";
import { until } from "#test/support/until.ts";
import type { Fault } from "./fault-list.ts";
import { type Balance, balance } from "./owed-and-found.ts";
import { judgePauses, type PauseTimes, timePauses } from "./pause-times.ts";
import { newMissingSlug, newOwed, noteVisit, type Owed, type Seen, startTraffic } from "./traffic.ts";
import { openWatchedReceiver } from "./watched-receiver.ts";

export interface FaultRunOptions {
  readonly fleet: Fleet;
  /** An address of this process that all nodes reach. */
  readonly host: string;
  readonly outageMs: number;
  readonly perSecond: number;
}

export interface FaultResult {
  readonly fault: string;
  readonly seen: Seen;
  /** From the end of the fault until every node wrote and found links that it hadn't served before. */
  readonly backMs: number;
  /** How long changes took to reach other nodes during the fault, if they do. */
  readonly pauses: PauseTimes | undefined;
  /** Webhook deliveries that were sent once more, as their outcome was lost. */
  readonly repeats: number;
  readonly balance: Balance;
  readonly problems: readonly string[];
}

const KNOWN_LINKS = 20;
const BACK_MS_MAX = 120_000;
const BEFORE_MS = 500;
const MISSED_SLUGS = 2;
// Within which a change holds on every node. Later than that, a node that can't follow must not claim to know.
const FOLLOWED_MS_MAX = 1000;
const CHANGES_MEANWHILE = 6;
// The receiver of webhooks. Some answers take so long that faults begin and end meanwhile.
const ANSWER_MS = 100;
const SLOW_ANSWER_MS = 4000;
const SLOW_EVERY = 10;
// Other nodes send what a dead one was sending once its lease has expired, and look for it now and then.
const DELIVERED_MS_MAX = 120_000;

/** One fleet goes through one fault after another. */
export async function openFaultRuns({ fleet, host, outageMs, perSecond }: FaultRunOptions) {
  const owed = newOwed();
  const receiver = await openWatchedReceiver(fleet, {
    hostname: host,
    answerMs: (attempt) => (attempt % SLOW_EVERY === 0 ? SLOW_ANSWER_MS : ANSWER_MS),
  });
  const known = await createOnAll(fleet, KNOWN_LINKS);
  // So that each node has served each of them.
  for (const { slug } of known) {
    for (const node of fleet.nodes) {
      noteVisit(owed, { slug, outcome: await firstVisit(node, slug, 302) });
    }
  }

  const run = async (fault: Fault): Promise<FaultResult> => {
    const [repeatsBefore, overlapsBefore] = [receiver.repeats(), receiver.overlaps.length];
    const unseen = await createOnAll(fleet, Math.ceil(outageMs / 200) + 20);
    const changed = await Promise.all(fleet.apis.map((api) => api.createPatiently()));
    const missed = Array.from({ length: MISSED_SLUGS }, newMissingSlug);
    for (const slug of missed) await missEverywhere(fleet, slug);
    const traffic = startTraffic({ fleet, perSecond, known, changed, missed }, owed);
    await Bun.sleep(BEFORE_MS);
    const seen = traffic.begin(unseen);
    const brokeFrom = performance.now();
    await fault.begin();
    const brokeAt = performance.now();
    const createdSlug = await createElsewhere(fleet, fault, missed, owed);
    const pauses = fault.isFollowed
      ? await timePauses(fleet, CHANGES_MEANWHILE, (visit) => noteVisit(owed, visit))
      : undefined;
    await Bun.sleep(Math.max(0, brokeAt + outageMs - performance.now()));
    const mendedAt = performance.now();
    await fault.end();
    await untilBack(fleet, owed);
    const backAt = performance.now();
    await traffic.stop();
    const balanced = await balance(fleet, owed);
    await until(
      "every event has arrived",
      () => receiver.links.isSupersetOf(owed.created) && receiver.isIdle(),
      DELIVERED_MS_MAX,
    );
    const overlaps = receiver.overlaps.slice(overlapsBefore);
    return {
      fault: fault.name,
      seen,
      backMs: backAt - mendedAt,
      pauses,
      repeats: receiver.repeats() - repeatsBefore,
      balance: balanced,
      problems: [
        ...judge(fault, seen, { brokeFrom, brokeAt, mendedAt, backAt }, { missed, createdSlug }),
        ...(pauses ? judgePauses(pauses) : []),
        ...balanced.problems,
        ...overlaps.map((delivery) => `${delivery} was sent twice at once`),
      ],
    };
  };
  return { run, close: () => receiver.stop() };
}

async function missEverywhere({ nodes }: Fleet, slug: string): Promise<void> {
  for (const node of nodes) await firstVisit(node, slug, 404);
}

/** Before any fault. On a busy machine the records may take too long, and the answer is 503. */
async function firstVisit(node: KurzServer, slug: string, expected: number): Promise<number> {
  let outcome: Awaited<ReturnType<typeof visitOnce>>["outcome"] = 503;
  await until(`${slug} is looked up`, async () => {
    ({ outcome } = await visitOnce(node, slug));
    return outcome !== 503;
  });
  if (outcome !== expected) throw new Error(`${slug} answers ${outcome}`);
  return outcome;
}

/** If some nodes can't reach the records, creates what they have looked up in vain on one that can. */
async function createElsewhere(
  { apis }: Fleet,
  { withoutRecords }: Fault,
  [slug]: readonly string[],
  owed: Owed,
): Promise<string | undefined> {
  const api = apis.find((_, node) => !withoutRecords.includes(node));
  if (withoutRecords.length === 0 || !api || slug === undefined) return undefined;
  const { id } = await api.createPatiently({ slug });
  owed.created.add(id);
  return slug;
}

/** Until each node writes, and finds a link that it hasn't served before. */
async function untilBack({ nodes, apis }: Fleet, owed: Owed): Promise<void> {
  const isBack = async (place: number): Promise<boolean> => {
    const answer = await inTurn(apis, place)
      .ask("POST", "/links", { destination_url: "https://example.com/back" })
      .catch(() => null);
    if (answer?.status !== 201) return false;
    const { id, slug } = (await answer.json()) as Link;
    owed.created.add(id);
    const { outcome } = await visitOnce(inTurn(nodes, place), slug);
    noteVisit(owed, { slug, outcome });
    return outcome === 302;
  };
  await Promise.all(nodes.map((_, place) => until("every node is back", () => isBack(place), BACK_MS_MAX)));
}

interface Times {
  readonly brokeFrom: number;
  readonly brokeAt: number;
  readonly mendedAt: number;
  readonly backAt: number;
}

interface Missing {
  /** Slugs that every node had looked up in vain before the fault. */
  readonly missed: readonly string[];
  /** The one of them that was created meanwhile. */
  readonly createdSlug: string | undefined;
}

/** What visitors and clients must not have seen. */
function judge(
  fault: Fault,
  { known, unseen, missing, writes }: Seen,
  times: Times,
  { missed, createdSlug }: Missing,
): string[] {
  const problems: string[] = [];
  const expectOnly = (what: string, visits: readonly SeenVisit[], allowed: readonly SeenVisit["outcome"][]): void => {
    for (const { node, outcome, startedAt, endedAt } of visits) {
      const isDead = fault.dead.includes(node) && endedAt > times.brokeFrom && startedAt < times.backAt;
      if (allowed.includes(outcome) || (isDead && (outcome === "refused" || outcome === "broken"))) continue;
      problems.push(`${what} on node ${node}: ${outcome}, ${Math.round(startedAt - times.brokeAt)} ms after the fault`);
    }
  };
  expectOnly("a known link", known, [302]);
  expectOnly("a link that exists", unseen, [302, 503]);
  const isWithoutRecords = ({ node, slug, startedAt, endedAt }: SeenVisit): boolean =>
    fault.withoutRecords.includes(node) &&
    startedAt > times.brokeAt + (missed.includes(slug) ? FOLLOWED_MS_MAX : 0) &&
    endedAt < times.mendedAt;
  const [meanwhile, otherwise] = [
    missing.filter(isWithoutRecords),
    missing.filter((visit) => !isWithoutRecords(visit)),
  ];
  // Whether a link exists is unknown.
  expectOnly("a link that may exist", meanwhile, [503]);
  const isCreated = ({ slug }: SeenVisit): boolean => slug === createdSlug;
  expectOnly("a link that was created meanwhile", otherwise.filter(isCreated), [302, 404, 503]);
  expectOnly(
    "a link that doesn't exist",
    otherwise.filter((visit) => !isCreated(visit)),
    [404, 503],
  );
  for (const [outcome, times] of writes.others) {
    if (outcome !== "503" && fault.dead.length === 0) problems.push(`${times} writes ended with ${outcome}`);
  }
  return problems;
}
