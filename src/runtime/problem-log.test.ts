import { beforeEach, expect, test } from "bun:test";
import { problemLog } from "./problem-log.ts";

let now = 0;
let lines: [message: string, error: string | undefined, times: number | undefined][] = [];
let logProblem: ReturnType<typeof problemLog>;

beforeEach(() => {
  now = 0;
  lines = [];
  logProblem = problemLog({
    clock: () => now,
    log: (message, { error, times }) => lines.push([message, error?.split("\n")[0], times]),
  });
});

const fail = (text = "no room"): void => logProblem("clicks wait", new Error(text));

test("a problem that goes on is logged at once, then every minute with how many times it came", () => {
  for (now = 0; now <= 120_000; now += 500) fail();
  expect(lines).toEqual([
    ["clicks wait", "Error: no room", undefined],
    ["clicks wait", "Error: no room", 120],
    ["clicks wait", "Error: no room", 120],
  ]);
});

test("another message or another error is logged at once", () => {
  fail();
  fail("not a database");
  logProblem("reports lag behind", new Error("no room"));
  logProblem("reports lag behind");
  fail();
  expect(lines.map(([message, error]) => [message, error])).toEqual([
    ["clicks wait", "Error: no room"],
    ["clicks wait", "Error: not a database"],
    ["reports lag behind", "Error: no room"],
    ["reports lag behind", undefined],
  ]);
});

test("what comes back after a while is logged at once", () => {
  fail();
  now = 3_600_000;
  fail();
  fail();
  expect(lines.map(([, , times]) => times)).toEqual([undefined, 1]);
});

test("ever new problems are all logged, and the last ones remembered", () => {
  for (let no = 0; no < 10_000; no += 1) fail(`segment ${no}`);
  expect(lines).toHaveLength(10_000);
  fail("segment 9999");
  expect(lines).toHaveLength(10_000);
  fail("segment 0");
  expect(lines).toHaveLength(10_001);
});
