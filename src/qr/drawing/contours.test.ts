import { expect, test } from "bun:test";
import fc from "fast-check";
import { traceContours } from "./contours.ts";
import { encodeMatrix, isDark, type Matrix } from "./matrix.ts";

const matrixOf = (...rows: readonly string[]): Matrix => ({
  size: rows.length,
  cells: Uint8Array.from(rows.join(""), (cell) => (cell === "#" ? 1 : 0)),
});

test("a module is a square, or a circle of four arcs", () => {
  const one = matrixOf("...", ".#.", "...");
  expect(traceContours(one, false)).toBe("M1 1h1v1h-1z");
  expect(traceContours(one, true)).toBe(
    "M1.5 1a.5.5 0 0 1 .5 .5a.5.5 0 0 1 -.5 .5a.5.5 0 0 1 -.5 -.5a.5.5 0 0 1 .5 -.5z",
  );
});

test("an area is one outline, its hole another, and modules that touch at a corner stay apart", () => {
  expect(traceContours(matrixOf("###", "#.#", "###"), false)).toBe("M0 0h3v3h-3zM1 2h1v-1h-1z");
  expect(traceContours(matrixOf("#..", ".#.", "..."), false)).toBe("M0 0h1v1h-1zM1 1h1v1h-1z");
});

/** Whether the point is inside by the even-odd rule, from straight outlines alone. */
function isInside(path: string, pointX: number, pointY: number): boolean {
  let crossings = 0;
  for (const [outline] of path.matchAll(/M[^M]*/g)) {
    const [startX = 0, startY = 0] = outline.match(/\d+/g)?.map(Number) ?? [];
    let [x, y] = [startX, startY];
    const sides = [...outline.matchAll(/([hv])(-?\d+)/g)];
    const edges: [x: number, from: number, to: number][] = [];
    for (const [, axis, length] of sides) {
      if (axis === "h") x += Number(length);
      else {
        edges.push([x, y, y + Number(length)]);
        y += Number(length);
      }
    }
    edges.push([startX, y, startY]);
    crossings += edges.filter(
      ([at, from, to]) => at > pointX && Math.min(from, to) < pointY && pointY < Math.max(from, to),
    ).length;
  }
  return crossings % 2 === 1;
}

test("the outlines of a code enclose its dark modules and no others", () => {
  fc.assert(
    fc.property(fc.webUrl(), fc.constantFrom("L", "M", "Q", "H"), (url, ecc) => {
      const matrix = encodeMatrix(url, ecc);
      const path = traceContours(matrix, false);
      for (let y = 0; y < matrix.size; y += 3) {
        for (let x = 0; x < matrix.size; x += 1) {
          if (isInside(path, x + 0.5, y + 0.5) !== isDark(matrix, x, y)) throw new Error(`wrong at ${x}, ${y}`);
        }
      }
    }),
    { numRuns: 20 },
  );
});
