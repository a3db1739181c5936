import { expect, test } from "bun:test";
import { drawBar, drawChart } from "./chart.ts";
import { widthOf } from "./text-width.ts";

const bars = (...values: number[]) => values.map((value, at) => ({ label: `Nov ${at + 1}`, value }));

test("the highest bar reaches the top, half of it the middle, and a single click can be seen", () => {
  const lines = drawChart(bars(0, 1, 500, 1000), { columns: 40, hasBlocks: true }).split("\n");
  expect(lines).toEqual([
    "1,000 ┤                  █████",
    "      │                  █████",
    "      │                  █████",
    "      │                  █████",
    "      │            █████ █████",
    "      │            █████ █████",
    "      │            █████ █████",
    "      │      ▁▁▁▁▁ █████ █████",
    "    0 └───────────────────────",
    "       Nov 1             Nov 4",
  ]);
});

test("without blocks it is plain ASCII", () => {
  const text = drawChart(bars(1, 2), { columns: 20, hasBlocks: false });
  expect(text).toMatch(/^[\x20-\x7e\n]+$/);
  expect(text.split("\n")[0]).toBe("2 +      #####");
});

test.each([20, 40, 80, 200])("it fits into %d columns, whatever it shows", (columns) => {
  for (const count of [1, 2, 7, 24, 30, 90, 365, 1000]) {
    const values = Array.from({ length: count }, (_, at) => (at * 7919) % 100_003);
    const lines = drawChart(bars(...values), { columns, hasBlocks: true }).split("\n");
    expect(lines.filter((line) => widthOf(line) > columns)).toEqual([]);
    expect(lines).toHaveLength(10);
  }
});

test("the axis is straight when bars have room in the terminal, but not beside the axis", () => {
  for (let columns = 86; columns <= 100; columns += 1) {
    const values = Array.from({ length: 90 }, () => 800);
    const lines = drawChart(bars(...values), { columns, hasBlocks: true })
      .split("\n")
      .slice(0, -1);
    expect(new Set(lines.map((line) => line.search(/[┤│└]/))).size).toBe(1);
    expect(lines.filter((line) => widthOf(line) > columns)).toEqual([]);
  }
});

test("bars that don't fit are added up, so none is lost", () => {
  const [top = ""] = drawChart(bars(...Array.from({ length: 100 }, () => 3)), { columns: 30, hasBlocks: true }).split(
    "\n",
  );
  // 100 bars in 25 columns or fewer: groups of 4 or more.
  expect(Number(/^ *([\d,]+)/.exec(top)?.[1])).toBeGreaterThanOrEqual(12);
});

test("without a click there are no bars, and without a bar there is no chart", () => {
  expect(drawChart(bars(0, 0, 0), { columns: 40, hasBlocks: true })).not.toMatch(/[▁-█]/);
  expect(drawChart([], { columns: 40, hasBlocks: true })).toBe("");
});

test("a lying bar has eighths, too", () => {
  expect(drawBar(1, 4, true)).toBe("████");
  expect(drawBar(0.53, 4, true)).toBe("██▏");
  expect(drawBar(0.5, 4, false)).toBe("##");
});
