import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import fc from "fast-check";
import type { Coordination } from "#engines/coordination/coordination.ts";
import type { FailureLimit, FailureLimits } from "#engines/coordination/failure-limits.ts";
import type { RateWindows } from "#engines/coordination/rate-windows.ts";
import { FailureOracle, MissOracle, WindowOracle } from "./coordination.oracle.ts";

/** The limits of an answer, at a time that the test sets. */
export interface TimedLimits {
  windows(windowMs: number): RateWindows;
  readonly failures: FailureLimits;
  /** Returns for how many milliseconds the address is blocked. */
  addMisses(address: string, misses: number, limit: number): Promise<number>;
  close(): Promise<void>;
}

export interface CoordinationAnswer {
  readonly name: string;
  openLimits(now: () => number): Promise<TimedLimits>;
  /** Opens nodes of one deployment, at the real time. */
  openNodes(): Promise<readonly Coordination[]>;
}

const WINDOW_MS = 60_000;
const RUNS = Number(process.env.RUNS ?? 40);
const SEED = process.env.SEED === undefined ? {} : { seed: Number(process.env.SEED) };

/** What every answer guarantees for limits, whether one node asks or several. */
export function coordinationConformance({ name, openLimits, openNodes }: CoordinationAnswer): void {
  describe(`limits on ${name}`, () => {
    let now = 1_800_000_000_000;
    let keys = 0;
    let limits: TimedLimits;

    beforeAll(async () => {
      limits = await openLimits(() => now);
    });
    afterAll(() => limits.close());

    test("a window decides like one that keeps every request, whatever the arrivals and limits", async () => {
      const step = fc.record({
        key: fc.integer({ min: 0, max: 2 }),
        waitMs: fc.oneof(fc.constant(0), fc.integer({ min: 0, max: 9000 }), fc.constantFrom(WINDOW_MS, WINDOW_MS + 1)),
        limit: fc.oneof({ arbitrary: fc.constant(5), weight: 8 }, fc.integer({ min: 0, max: 9 })),
        cost: fc.oneof({ arbitrary: fc.constant(1), weight: 6 }, fc.integer({ min: 2, max: 6 })),
      });
      await fc.assert(
        fc.asyncProperty(fc.array(step, { maxLength: 80 }), async (steps) => {
          keys += 1;
          const windows = limits.windows(WINDOW_MS);
          const oracle = new WindowOracle(WINDOW_MS);
          for (const { key, waitMs, limit, cost } of steps) {
            now += waitMs;
            const name = `${keys} ${key}`;
            expect(await windows.take(name, limit, cost)).toEqual(oracle.take(name, limit, now, cost));
          }
        }),
        { numRuns: RUNS, ...SEED },
      );
    });

    test("waiting as long as the decision says always allows another request", async () => {
      keys += 1;
      const windows = limits.windows(WINDOW_MS);
      for (let n = 0; n < 100; n += 1) {
        now += (n * 997) % 7000;
        const { allowed, freesInMs } = await windows.take(`${keys}`, 3);
        if (allowed) continue;
        now += freesInMs;
        expect((await windows.take(`${keys}`, 3)).allowed).toBe(false);
        now += 1;
        expect((await windows.take(`${keys}`, 3)).allowed).toBe(true);
      }
    });

    test("failed attempts wait like under limits that keep every attempt", async () => {
      const step = fc.record({
        key: fc.integer({ min: 0, max: 1 }),
        waitMs: fc.oneof(fc.constant(0), fc.integer({ min: 0, max: 5000 }), fc.constantFrom(20_000, 60_000, 100_001)),
        succeeds: fc.oneof({ arbitrary: fc.constant(false), weight: 5 }, fc.constant(true)),
      });
      await fc.assert(
        fc.asyncProperty(fc.array(step, { maxLength: 80 }), async (steps) => {
          keys += 1;
          const oracle = new FailureOracle();
          for (const { key, waitMs, succeeds } of steps) {
            now += waitMs;
            const all = failureLimits(`${keys}`, `${keys} ${key}`);
            const [decision, expected] = [await limits.failures.begin(all), oracle.begin(all, now)];
            expect(decision.waitMs).toBe(expected.waitMs);
            // It ends a little later than it began.
            now += 3;
            if (!succeeds || !("succeed" in decision)) continue;
            await decision.succeed();
            expected.succeed();
          }
        }),
        { numRuns: RUNS, ...SEED },
      );
    });

    test("misses block an address like a tally that keeps all of them", async () => {
      const step = fc.record({
        address: fc.integer({ min: 0, max: 1 }),
        waitMs: fc.oneof(fc.constant(0), fc.integer({ min: 0, max: 9000 }), fc.constantFrom(59_000, 61_000)),
        misses: fc.integer({ min: 1, max: 4 }),
      });
      await fc.assert(
        fc.asyncProperty(fc.array(step, { maxLength: 60 }), async (steps) => {
          keys += 1;
          const oracle = new MissOracle();
          for (const { address, waitMs, misses } of steps) {
            now += waitMs;
            const name = `${keys} ${address}`;
            expect(await limits.addMisses(name, misses, 10)).toBe(oracle.add(name, misses, 10, now));
          }
        }),
        { numRuns: RUNS, ...SEED },
      );
    });
  });

  describe(`nodes with ${name}`, () => {
    let nodes: readonly Coordination[];

    beforeAll(async () => {
      nodes = await openNodes();
    });
    afterAll(async () => {
      await Promise.all(nodes.map((node) => node.close()));
    });

    test("accept exactly the limit between them, and say truly how many are left", async () => {
      for (let round = 0; round < 5; round += 1) {
        const windows = nodes.map((node) => node.rateWindows("api", WINDOW_MS));
        const asked = windows.flatMap((each) => Array.from({ length: 100 }, () => each.take(`token ${round}`, 50)));
        const accepted = (await Promise.all(asked)).filter(({ allowed }) => allowed);
        const left = accepted.map(({ remaining }) => remaining).toSorted((a, b) => a - b);
        expect(left).toEqual(Array.from({ length: 50 }, (_, n) => n));
      }
    });

    test("keep windows of different purposes apart", async () => {
      for (const node of nodes) {
        const purpose = `purpose ${nodes.indexOf(node)}`;
        expect((await node.rateWindows(purpose, WINDOW_MS).take("same", 1)).allowed).toBe(true);
      }
    });

    test("let through no more parallel attempts than are free", async () => {
      const limit = failureLimits("many", "ada");
      const asked = nodes.flatMap((node) => Array.from({ length: 20 }, () => node.failures.begin(limit)));
      const begun = (await Promise.all(asked)).filter(({ waitMs }) => waitMs === 0);
      expect(begun).toHaveLength(2);
    });

    test("count a success for all of them", async () => {
      const limit = failureLimits("success", "bob");
      for (let n = 0; n < 30; n += 1) {
        const decision = await (nodes[n % nodes.length] as Coordination).failures.begin(limit);
        if (!("succeed" in decision)) throw new Error(`refused after ${n} successes`);
        await decision.succeed();
      }
    });

    test("agree on the first proposal", async () => {
      for (let round = 0; round < 20; round += 1) {
        const proposals = nodes.map((node, n) => node.agree(`round ${round}`, `proposal ${n} of ${round}`, 60_000));
        const agreed = new Set(await Promise.all(proposals));
        expect(agreed.size).toBe(1);
        expect([...agreed][0]).toMatch(/^proposal \d+ of/);
      }
    });

    test("hold a lease one at a time, and pass it on when it is released", async () => {
      const leases = nodes.map((node) => node.lease("a job"));
      const holders = (): number => leases.filter((lease) => lease.isHeld()).length;
      for (let left = leases.length; left > 0; left -= 1) {
        for (let holder = -1; holder < 0; await Bun.sleep(1)) {
          expect(holders()).toBeLessThanOrEqual(1);
          holder = leases.findIndex((lease) => lease.isHeld());
          if (holder >= 0) await leases.splice(holder, 1)[0]?.release();
        }
      }
      expect(leases).toEqual([]);
    });
  });
}

/** A doubling wait and both kinds of windows, with small numbers. */
const failureLimits = (network: string, person: string): FailureLimit[] => [
  { kind: "window", group: "network", key: network, limit: 12, windowMs: 60_000 },
  { kind: "doubling", group: "person", key: person, free: 2, waitMsMax: 16_000, forgottenAfterMs: 100_000 },
  { kind: "window", group: "account", key: person, limit: 8, windowMs: 90_000, waitMs: 20_000 },
];
