import { expect, test } from "bun:test";
import fc from "fast-check";
import { traceContours } from "./qr-contours.ts";
import { encodeMatrix, isDark, type Matrix } from "./qr-matrix.ts";

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

type Upright = readonly [x: number, from: number, to: number];

/** The upright sides of straight outlines. */
function uprightsOf(path: string): Upright[] {
  return [...path.matchAll(/M[^M]*/g)].flatMap(([outline]) => {
    const [startX = 0, startY = 0] = outline.match(/\d+/g)?.map(Number) ?? [];
    const uprights: Upright[] = [];
    let [x, y] = [startX, startY];
    for (const [, axis, length] of outline.matchAll(/([hv])(-?\d+)/g)) {
      if (axis === "h") x += Number(length);
      else {
        uprights.push([x, y, y + Number(length)]);
        y += Number(length);
      }
    }
    return [...uprights, [startX, y, startY]];
  });
}

test("the outlines of a code enclose its dark modules and no others", () => {
  fc.assert(
    fc.property(fc.webUrl(), fc.constantFrom("L", "M", "Q", "H"), (url, ecc) => {
      const matrix = encodeMatrix(url, ecc);
      const uprights = uprightsOf(traceContours(matrix, false));
      for (let y = 0; y < matrix.size; y += 3) {
        const crossed = uprights.filter(([, from, to]) => Math.min(from, to) <= y && y < Math.max(from, to));
        for (let x = 0; x < matrix.size; x += 1) {
          // By the even-odd rule.
          const isInside = crossed.filter(([at]) => at > x).length % 2 === 1;
          if (isInside !== isDark(matrix, x, y)) throw new Error(`wrong at ${x}, ${y}`);
        }
      }
    }),
    { numRuns: 20 },
  );
});
