import { describe, expect, test } from "bun:test";
import type { RedirectRow } from "#engines/records/redirect-reader.ts";
import { redirectRow } from "#test/support/redirect-row.ts";
import { activeUntil, type Outcome, outcomeOf } from "./outcome.ts";

const NOW = 1_000_000;

const table: readonly [Partial<RedirectRow>, Outcome][] = [
  [{}, "active"],
  [{ expires_at: NOW + 1 }, "active"],
  [{ expires_at: NOW }, "expired"],
  [{ state: "paused" }, "paused"],
  [{ state: "paused", expires_at: NOW + 1 }, "paused"],
  [{ state: "paused", expires_at: NOW - 1 }, "expired"],
  [{ state: "archived" }, "archived"],
  [{ state: "archived", expires_at: NOW - 1 }, "archived"],
  [{ blocked_reason: "phishing" }, "blocked"],
  [{ blocked_reason: "legal", state: "archived", expires_at: NOW - 1 }, "blocked"],
  [{ blocked_reason: "spam", state: "paused" }, "blocked"],
  [{ suspended: true }, "blocked"],
  [{ suspended: true, state: "archived", expires_at: NOW - 1 }, "blocked"],
  [{ suspended: true, state: "paused" }, "blocked"],
];

describe("the outcome of opening a link", () => {
  test.each(table)("with %j is %s", (change, expected) => {
    expect(outcomeOf(redirectRow(change), NOW)).toBe(expected);
  });

  test("of a tombstone is deleted, of nothing unknown", () => {
    expect(outcomeOf("deleted", NOW)).toBe("deleted");
    expect(outcomeOf(null, NOW)).toBe("unknown");
  });

  test.each(table)("with %j agrees with the time until which it redirects (%s)", (change, expected) => {
    expect(activeUntil(redirectRow(change)) > NOW).toBe(expected === "active");
  });
});
