import { expect, test } from "bun:test";
import fc from "fast-check";
import { FairShares } from "./fair-shares.ts";

function takeAll(shares: FairShares, party: string): number {
  let taken = 0;
  while (shares.take(party)) taken += 1;
  return taken;
}

test("a single party gets half, and there is room for each that follows", () => {
  const shares = new FairShares(1000);
  expect(takeAll(shares, "first")).toBe(500);
  expect(takeAll(shares, "second")).toBe(250);
  for (let party = 0; party < 5; party += 1) expect(takeAll(shares, `party ${party}`)).toBeGreaterThan(0);
});

test("a single place can be taken", () => {
  const shares = new FairShares(1);
  expect([shares.take("a"), shares.take("a"), shares.take("b")]).toEqual([true, false, false]);
  shares.giveBack("a");
  expect(shares.take("b")).toBe(true);
});

test("large amounts are refused while small ones still fit", () => {
  const shares = new FairShares(100);
  expect([shares.take("a", 101), shares.take("a", 60), shares.take("b", 60), shares.take("b", 40)]).toEqual([
    false,
    true,
    false,
    true,
  ]);
});

test("the total is never exceeded, and everything given back is available again", () => {
  const step = fc.record({ party: fc.constantFrom("a", "b", "c"), amount: fc.integer({ min: 1, max: 30 }) });
  fc.assert(
    fc.property(fc.array(step, { maxLength: 100 }), (steps) => {
      const shares = new FairShares(100);
      const taken = steps.filter(({ party, amount }) => shares.take(party, amount));
      expect(taken.reduce((sum, { amount }) => sum + amount, 0)).toBeLessThanOrEqual(100);
      for (const { party, amount } of taken) shares.giveBack(party, amount);
      expect(shares.take("d", 100)).toBe(true);
    }),
  );
});
