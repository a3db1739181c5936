import { expect, test } from "bun:test";
import { describeEvent, toAnnotations } from "./annotations.ts";

const event = (at: string, action: string, ...fields: string[]) => ({ at, action, fields });

test.each([
  ["link.paused", [], "Paused"],
  ["link.updated", ["destination_url"], "Destination changed"],
  ["link.updated", ["title", "rules", "expires_at"], "Rules changed, Expiry changed"],
  ["link.updated", ["title", "tags"], null],
  ["link.blocked_by_comet", [], null],
])("%s of %j is told as %s", (action, fields, words) => {
  expect(describeEvent({ action, fields })).toBe(words);
});

test("events are noted where they fall, each once", () => {
  const series = ["2026-11-15", "2026-11-16", "2026-11-17"].map((day) => ({ start: `${day}T00:00:00.000Z` }));
  const newestFirst = [
    event("2026-11-17T10:00:00.000Z", "link.resumed"),
    event("2026-11-16T12:00:00.000Z", "link.updated", "destination_url"),
    event("2026-11-16T11:00:00.000Z", "link.paused"),
    event("2026-11-16T10:00:00.000Z", "link.updated", "destination_url"),
    event("2026-11-15T10:00:00.000Z", "link.updated", "title"),
    event("2026-11-14T10:00:00.000Z", "link.created"),
  ];
  expect(toAnnotations(newestFirst, series)).toEqual([
    { index: 1, words: ["Destination changed", "Paused"] },
    { index: 2, words: ["Resumed"] },
  ]);
});
