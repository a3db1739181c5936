import { afterEach, beforeEach, expect, test } from "bun:test";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openSteadyClock, type Steadiness, type SteadyClock } from "./steady-clock.ts";

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

let directory: string;
let now: number;
let jumps: number;
let steady: SteadyClock;

const open = (): void => {
  steady = openSteadyClock({
    path: join(directory, "clock.json"),
    clock: () => now,
    onJump() {
      jumps += 1;
    },
  });
};

beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), "kurz-clock-"));
  now = Date.UTC(2026, 4, 17);
  jumps = 0;
  open();
});
afterEach(() => rmSync(directory, { recursive: true }));

/** Looks once an hour, as upkeep does, and returns what it saw last. */
function run(hours: number): Steadiness {
  let seen = steady.look();
  for (let hour = 0; hour < hours; hour += 1) {
    now += HOUR_MS;
    seen = steady.look();
  }
  return seen;
}

test("a clock is trusted after a day, across restarts, and stays so", () => {
  expect(run(20)).toBe("new");
  now += 3 * HOUR_MS;
  open();
  expect(run(0)).toBe("new");
  expect(run(1)).toBe("steady");
  expect(run(100)).toBe("steady");
  expect(jumps).toBe(0);
});

test.each([
  ["ahead by 40 days", 40 * DAY_MS],
  ["ahead by two days", 2 * DAY_MS],
])("one that goes %s is not, and neither is it for a day after it was set right", (_, jumpMs) => {
  expect(run(24)).toBe("steady");
  now += jumpMs;
  expect(run(0)).toBe("jumped");
  expect(run(23)).toBe("jumped");
  now -= jumpMs;
  expect(run(23)).toBe("jumped");
  expect(run(1)).toBe("steady");
});

test.each([-2 * HOUR_MS, -DAY_MS, -40 * DAY_MS])("one that goes back by %d ms is not trusted for a day", (jumpMs) => {
  expect(run(24)).toBe("steady");
  now += jumpMs;
  expect(run(23)).toBe("jumped");
  expect(run(1)).toBe("steady");
  expect(jumps).toBe(1);
});

test("a jump between two runs of the server is noticed, too; notes that cannot be read are none", () => {
  expect(run(24)).toBe("steady");
  now += 40 * DAY_MS;
  open();
  expect(run(0)).toBe("jumped");
  expect(jumps).toBe(1);
  writeFileSync(join(directory, "clock.json"), "{");
  open();
  expect(run(23)).toBe("new");
  expect(run(1)).toBe("steady");
});
