import { expect, test } from "bun:test";
import { LeftCounts } from "./import-problems.ts";
import { listProblems, noProblems, unlistedProblems } from "./problem-list.ts";

test("a list of problems is bounded, and says how many it leaves out", () => {
  const loss = { line: "2", where: "a", destination: "https://example.com/", code: "not_kept", message: "Lost." };
  const many = listProblems(
    noProblems,
    Array.from({ length: 20_001 }, () => loss),
  );
  expect(many.listed).toHaveLength(20_000);
  const { listed, counts } = listProblems(many.counts, [loss, { ...loss, code: "slug_taken" }]);
  expect(listed.map(({ code }) => code)).toEqual(["slug_taken"]);
  expect(unlistedProblems(counts).map(({ message }) => message)).toEqual(["There are 2 more losses of links."]);
  expect(unlistedProblems(noProblems)).toEqual([]);
});

test("of a list of clicks that weren't added, the rest is told in lines: a link may have several", () => {
  const left = { line: "", where: "a", destination: "", code: "clicks_without_link", message: "Left." };
  const { counts } = listProblems(
    noProblems,
    Array.from({ length: 10_002 }, () => left),
  );
  expect(unlistedProblems(counts).map(({ message }) => message)).toEqual([
    "There are 2 more lines about clicks left out.",
  ]);
});

test("clicks that weren't added are told by link", () => {
  const left = new LeftCounts();
  left.add("a", false, 3);
  left.add("b", true, 0);
  expect(left.problems().map(({ where, message }) => `${where}: ${message}`)).toEqual([
    "a: 1 count of clicks (3 in all) belongs to no link that this import created.",
    "b: 1 count of clicks (0 in all) can't be stored: the day or the number is out of range.",
  ]);
});
