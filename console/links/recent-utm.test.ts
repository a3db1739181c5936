import { expect, test } from "bun:test";
import { exampleLink, type Utm } from "#contract/link-record.ts";
import { describeUtm, recentUtm } from "./recent-utm.ts";

const link = (day: number, utm: Utm) => ({ ...exampleLink, created_at: `2026-01-0${day}T00:00:00.000Z`, utm });

test("the newest combinations come first, each once", () => {
  const mail = { utm_source: "newsletter", utm_medium: "email" };
  const links = [link(1, { utm_source: "x" }), link(2, mail), link(3, {}), link(4, { ...mail })];
  expect(recentUtm(links)).toEqual([mail, { utm_source: "x" }]);
  expect(recentUtm([])).toEqual([]);
  expect(recentUtm([1, 2, 3, 4, 5, 6].map((day) => link(day, { utm_term: `${day}` })))).toHaveLength(4);
});

test("a combination is described by its values, in the order of the address", () => {
  expect(describeUtm({ utm_campaign: "sale", utm_source: "newsletter" })).toBe("newsletter · sale");
});
