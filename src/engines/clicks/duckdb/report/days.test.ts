import { expect, test } from "bun:test";
import { DAY_MS } from "../../slots.ts";
import { findDayPieces } from "./days.ts";

const HOUR_MS = 3_600_000;
const day = (no: number, hours = 0): number => no * DAY_MS + hours * HOUR_MS;

test("each day without a summary is a piece, cut by the range", () => {
  const pieces = findDayPieces({
    rawRanges: [{ fromMs: day(10, 5), toMs: day(14, 1) }],
    summarisedDays: [12],
    bucketStartsMs: [day(10, 5), day(11), day(12), day(14)],
  });
  expect(pieces).toEqual([
    { fromMs: day(10, 5), toMs: day(11), bucket: 0 },
    { fromMs: day(11), toMs: day(12), bucket: 1 },
    { fromMs: day(13), toMs: day(14), bucket: 2 },
    { fromMs: day(14), toMs: day(14, 1), bucket: 3 },
  ]);
});

test("days that buckets share, and very many days, aren't counted one by one", () => {
  const shared = { summarisedDays: [], bucketStartsMs: [day(10), day(10, 22), day(11, 22)] };
  expect(findDayPieces({ ...shared, rawRanges: [{ fromMs: day(10), toMs: day(12) }] })).toBeNull();
  const many = { summarisedDays: [], bucketStartsMs: [day(0)] };
  expect(findDayPieces({ ...many, rawRanges: [{ fromMs: day(0), toMs: day(100) }] })).toHaveLength(100);
  expect(findDayPieces({ ...many, rawRanges: [{ fromMs: day(0), toMs: day(101) }] })).toBeNull();
});
