import { describe, expect, test } from "bun:test";
import { MissGuard } from "./miss-guard.ts";

function openGuard(options: { limit?: number; processes?: number; onUrgent?: () => void } = {}) {
  const clock = { now: 0 };
  const guard = new MissGuard({ limit: 600, processes: 1, now: () => clock.now, ...options });
  return { clock, guard };
}

describe("MissGuard", () => {
  test("refuses the 601st miss of a minute, also while control is away", () => {
    const { clock, guard } = openGuard();
    for (let miss = 1; miss <= 600; miss += 1) {
      expect(guard.blockedForMs("a")).toBe(0);
      guard.count("a");
    }
    expect(guard.blockedForMs("a")).toBe(61_000);
    expect(guard.blockedForMs("b")).toBe(0);
    clock.now = 61_000;
    expect(guard.blockedForMs("a")).toBe(0);
  });

  test("refuses an address that control has named, for as long as it said", () => {
    const { clock, guard } = openGuard();
    guard.block([["a", 5000]]);
    expect(guard.blockedForMs("a")).toBe(5000);
    clock.now = 5000;
    expect(guard.blockedForMs("a")).toBe(0);
  });

  test("lets a blocked address make ten look-ups and then one a second", () => {
    const { clock, guard } = openGuard();
    guard.block([["a", 60_000]]);
    const takes = (): number => Array.from({ length: 50 }, () => guard.takeLookup("a")).filter(Boolean).length;
    expect(takes()).toBe(10);
    clock.now = 3000;
    expect(takes()).toBe(3);
    guard.block([["a", 60_000]]);
    expect(takes()).toBe(0);
    clock.now = 50_000;
    expect(takes()).toBe(10);
  });

  test("all processes together allow a blocked address no more than that", () => {
    const { clock, guard } = openGuard({ processes: 16 });
    guard.block([["a", 60_000]]);
    expect(guard.takeLookup("a")).toBe(true);
    expect(guard.takeLookup("a")).toBe(false);
    clock.now = 15_000;
    expect(guard.takeLookup("a")).toBe(false);
    clock.now = 16_000;
    expect(guard.takeLookup("a")).toBe(true);
  });

  test("reports each miss once, and at once when an address hurries", () => {
    let urgent = 0;
    const { guard } = openGuard({
      onUrgent: () => {
        urgent += 1;
      },
    });
    for (let miss = 0; miss < 3; miss += 1) guard.count("a");
    guard.count("b");
    expect(urgent).toBe(0);
    expect(guard.takeReport()).toEqual([
      ["a", 3],
      ["b", 1],
    ]);
    expect(guard.takeReport()).toEqual([]);
    for (let miss = 0; miss < 8; miss += 1) guard.count("a");
    expect(urgent).toBe(1);
  });

  test("a limit of 0 switches it off", () => {
    const { guard } = openGuard({ limit: 0 });
    expect(guard.isOn).toBe(false);
    for (let miss = 0; miss < 1000; miss += 1) guard.count("a");
    expect(guard.blockedForMs("a")).toBe(0);
    expect(guard.takeReport()).toEqual([]);
  });
});
