import { describe, expect, test } from "bun:test";
import type { MissCount } from "#engines/coordination/change-messages.ts";
import { MissGuard, type MissGuardOptions } from "./miss-guard.ts";

function openGuard(options: Partial<MissGuardOptions> = {}) {
  const clock = { now: 0 };
  const sent: [n: number, counts: readonly MissCount[]][] = [];
  const send = (n: number, counts: readonly MissCount[]): boolean => sent.push([n, counts]) > 0;
  const guard = new MissGuard({ limit: 600, processes: 1, now: () => clock.now, send, ...options });
  return { clock, guard, sent };
}

describe("MissGuard", () => {
  test("refuses the 601st miss of a minute, even while control is unavailable", async () => {
    const { clock, guard } = openGuard({ send: () => false });
    for (let miss = 1; miss <= 600; miss += 1) expect(await guard.count("a")).toBe(0);
    expect(await guard.count("a")).toBe(61_000);
    expect(guard.blockedForMs("a")).toBe(61_000);
    expect(await guard.count("b")).toBe(0);
    clock.now = 61_000;
    expect(await guard.count("a")).toBe(0);
  });

  test("refuses an address that control has blocked, for as long as it said", () => {
    const { clock, guard } = openGuard();
    guard.block([["a", 5000]]);
    expect(guard.blockedForMs("a")).toBe(5000);
    clock.now = 5000;
    expect(guard.blockedForMs("a")).toBe(0);
  });

  test("never exceeds its share of misses unknown to control; the rest wait and may be refused", async () => {
    const { guard, sent } = openGuard({ processes: 4 });
    const answers = Array.from({ length: 40 }, () => guard.count("a"));
    await Promise.all(answers.slice(0, 15));
    const reported = sent.flatMap(([, counts]) => counts).reduce((sum, [, misses]) => sum + misses, 0);
    expect(reported).toBe(15);
    expect(await guard.count("b")).toBe(0);
    guard.block([["a", 5000]]);
    guard.reports.confirm(sent.at(-1)?.[0] ?? 0);
    expect(await Promise.all(answers.slice(15))).toEqual(Array(25).fill(5000));
  });

  test("a limit of 0 turns it off", async () => {
    const { guard, sent } = openGuard({ limit: 0 });
    expect(guard.isOn).toBe(false);
    for (let miss = 0; miss < 1000; miss += 1) expect(await guard.count("a")).toBe(0);
    guard.reports.flush();
    expect(sent).toEqual([]);
  });
});
