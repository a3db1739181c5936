import { expect, test } from "bun:test";
import { chooseToShed, type Sheddable } from "./shedding.ts";

const idle = (lastSeenNo: number): Sheddable => ({ isBusy: false, isUnfinished: false, isNew: false, lastSeenNo });
const unfinished = (lastSeenNo: number): Sheddable => ({ ...idle(lastSeenNo), isUnfinished: true });
const fresh = (lastSeenNo: number): Sheddable => ({ ...unfinished(lastSeenNo), isNew: true });
const busy = (lastSeenNo: number): Sheddable => ({ ...idle(lastSeenNo), isBusy: true });

const choose = (connections: readonly Sheddable[], countMax = connections.length): number[] =>
  chooseToShed(connections, countMax).map(({ lastSeenNo }) => lastSeenNo);

test("unfinished requests go before idle connections, and those before new ones", () => {
  expect(choose([fresh(1), idle(2), unfinished(3)])).toEqual([3, 2, 1]);
});

test("among equals, the one that was last active longest ago goes first", () => {
  expect(choose([idle(7), idle(5), idle(6)], 2)).toEqual([5, 6]);
});

test("a busy connection is never chosen", () => {
  expect(choose([busy(1), busy(2)])).toEqual([]);
  expect(choose([busy(1), fresh(2)], 2)).toEqual([2]);
});
