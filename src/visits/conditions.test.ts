import { expect, test } from "bun:test";
import { compileConditions } from "./conditions.ts";
import type { InstantRange, VisitFacts, WeeklyHours } from "./rule.ts";

const facts: VisitFacts = {
  ...{ country: "", language: "", device: "", os: "", browser: "", referrer: "" },
  ...{ source: "link", url: "/abc", visitor: "" },
};
const holdsAt = (time: WeeklyHours, at: string): boolean =>
  compileConditions({ time }).every(({ holds }) => holds(facts, Date.parse(at)));

test("stored conditions that ask for nothing hold for everyone", () => {
  for (const when of [{}, { not: {} }, { query: {} }, { not: { query: {} } }]) {
    expect([when, compileConditions(when)]).toEqual([when, []]);
  }
  for (const time of [{}, { timezone: "UTC" }] as readonly (InstantRange | WeeklyHours)[]) {
    const [condition, ...others] = compileConditions({ time });
    expect([time, condition?.name, condition?.holds(facts, 0), others]).toEqual([time, "time", true, []]);
  }
});

test("hours that end when they start last a day from then on", () => {
  const monday: WeeklyHours = { days: ["mon"], from: "09:00", to: "09:00", timezone: "UTC" };
  // 2026-06-01 is a Monday.
  for (const [at, holds] of [
    ["2026-06-01T08:59:00Z", false],
    ["2026-06-01T09:00:00Z", true],
    ["2026-06-02T08:59:00Z", true],
    ["2026-06-02T09:00:00Z", false],
  ] as const) {
    expect([at, holdsAt(monday, at)]).toEqual([at, holds]);
  }
  const everyDay: WeeklyHours = { from: "09:00", to: "09:00", timezone: "UTC" };
  for (const at of ["2026-06-01T08:59:00Z", "2026-06-01T09:00:00Z"]) expect(holdsAt(everyDay, at)).toBe(true);
});
