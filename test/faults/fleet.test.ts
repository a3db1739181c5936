import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { deliverFromAll } from "#test/fleet/deliver-from-all.ts";
import { createWithKeys } from "#test/fleet/one-link-per-key.ts";
import { storedVisitors, visitEveryNode } from "#test/fleet/one-visitor.ts";
import { describeDelays, judgePauses, timePauses } from "#test/fleet/pause-times.ts";
import { expectedGuesses, guessOnAll } from "#test/fleet/shared-guesses.ts";
import { acceptedAtOnce, LIMIT } from "#test/fleet/shared-limit.ts";
import { metricsOnFreePort } from "#test/support/coordination-figures.ts";
import { type Fleet, inTurn, startFleet } from "#test/support/fleet.ts";
import { startVisitors, type Visitors } from "#test/support/steady-visitors.ts";
import { loopbackWebhooks } from "#test/support/webhook-receiver.ts";

const VISITS_PER_SECOND = 20;

let fleet: Fleet;
let visitors: Visitors;
/** What visitors of a link that nobody changes saw. */
const outcomes = new Map<string, number>();

beforeAll(async () => {
  fleet = await startFleet({
    size: 3,
    // Tokens have a limit of their own; without one for the deployment there would be none.
    env: { ...metricsOnFreePort, ...loopbackWebhooks, KURZ_RATE_LIMIT_PER_MINUTE: "1000000" },
  });
  const { slug } = await inTurn(fleet.apis, 0).create();
  visitors = startVisitors({
    nodes: () => fleet.nodes,
    perSecond: VISITS_PER_SECOND,
    slugOf: () => slug,
    onVisit({ outcome }) {
      outcomes.set(`${outcome}`, (outcomes.get(`${outcome}`) ?? 0) + 1);
    },
  });
}, 600_000);
afterAll(async () => {
  await visitors?.stop();
  await fleet?.stop();
}, 600_000);

describe("three nodes under load", () => {
  test("a change on one holds there at once, and on all others within a second", async () => {
    const pauses = await timePauses(fleet, 50);
    process.stderr.write(`changes followed: ${describeDelays(pauses)}\n`);
    expect(judgePauses(pauses)).toEqual([]);
  });

  test("let exactly 120 requests a minute of a token through", async () => {
    expect(await acceptedAtOnce(fleet, 2)).toEqual([LIMIT, LIMIT]);
  });

  test("count wrong passwords of a link together, by network and in all", async () => {
    expect(await guessOnAll(fleet)).toEqual(expectedGuesses(fleet.nodes.length));
  });

  test("make one link for an idempotency key that all of them get at once", async () => {
    const keys = 50;
    const { sentAgain, ...made } = await createWithKeys(fleet, keys);
    process.stderr.write(`requests sent again after a 503: ${sentAgain}\n`);
    expect(made).toEqual({ disagreements: [], refusals: {}, linksMade: keys });
  });

  test("never send a webhook delivery twice at once", async () => {
    const events = 60;
    expect(await deliverFromAll(fleet, events)).toEqual({ events, delivered: events, overlaps: [], repeats: 0 });
  });

  // Stops the nodes, whose files only one process may open.
  test("count a visitor of all of them as one, and answered every visitor meanwhile", async () => {
    const { link, days } = await visitEveryNode(fleet);
    const { rows } = await fleet.postgres.administer(`select no from links where id = '${link}'`, fleet.database);
    await visitors.stop();
    expect([...outcomes.keys()]).toEqual(["302"]);
    await Promise.all(fleet.nodes.map((node) => node.stop()));
    const stored = await storedVisitors(fleet.nodes, rows[0].no);
    expect(stored.length).toBeGreaterThan(0);
    expect(stored.length).toBeLessThanOrEqual(days.length);
  });
});
