import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { MissTally } from "./miss-tally.ts";

describe("MissTally", () => {
  test("blocks an address at the limit until its oldest misses are a minute old", () => {
    let now = 5300;
    const tally = new MissTally({ limit: 3, now: () => now });
    expect(tally.add("a", 1)).toBe(0);
    now = 20_000;
    expect(tally.add("a", 1)).toBe(0);
    expect(tally.add("b", 1)).toBe(0);
    const forMs = tally.add("a", 1);
    expect(now + forMs).toBe(66_000);
    expect(tally.blocked()).toEqual([["a", forMs]]);
    now += forMs;
    expect(tally.blocked()).toEqual([]);
  });

  test("no minute ever holds more accepted misses than the limit", () => {
    const steps = fc.array(fc.record({ waitMs: fc.integer({ min: 0, max: 9000 }) }), { minLength: 20, maxLength: 200 });
    fc.assert(
      fc.property(steps, fc.integer({ min: 1, max: 12 }), (visits, limit) => {
        let now = 0;
        let freeAt = 0;
        const tally = new MissTally({ limit, now: () => now });
        const accepted: number[] = [];
        for (const { waitMs } of visits) {
          now += waitMs;
          if (now < freeAt) continue;
          accepted.push(now);
          freeAt = now + tally.add("a", 1);
        }
        for (const at of accepted) {
          expect(accepted.filter((other) => other > at - 60_000 && other <= at).length).toBeLessThanOrEqual(limit);
        }
      }),
    );
  });

  test("an address that paused for a minute starts over", () => {
    let now = 0;
    const tally = new MissTally({ limit: 2, now: () => now });
    tally.add("a", 1);
    now = 61_000;
    expect(tally.add("a", 1)).toBe(0);
  });

  test("counts reports of several misses at once, even beyond the limit", () => {
    const tally = new MissTally({ limit: 600, now: () => 0 });
    expect(tally.add("a", 599)).toBe(0);
    expect(tally.add("a", 40)).toBe(61_000);
  });

  test("remembers a bounded number of addresses, the latest ones", () => {
    const tally = new MissTally({ limit: 1, addressesMax: 3, now: () => 0 });
    for (const address of ["a", "b", "c", "a", "d"]) tally.add(address, 1);
    expect(tally.blocked().map(([address]) => address)).toEqual(["c", "a", "d"]);
  });

  test("a limit of 0 means none", () => {
    const tally = new MissTally({ limit: 0 });
    expect(tally.add("a", 1_000_000)).toBe(0);
    expect(tally.blocked()).toEqual([]);
  });
});
