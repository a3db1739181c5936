type Point = readonly [x: number, y: number];

const CURVE_STEPS = 16;
/** Sample lines per row of pixels. Along a line, coverage is exact. */
const SUBLINES = 4;

/** How much of each pixel the shape covers, from 0 to 1, on a square of `side` pixels. */
export function coverPath(path: string, pathSize: number, side: number): Float32Array {
  const edges = flattenPath(path).flatMap(edgesOf);
  const coverage = new Float32Array(side * side);
  for (let line = 0; line < side * SUBLINES; line += 1) {
    const row = Math.floor(line / SUBLINES) * side;
    const crossings = crossingsOf(edges, ((line + 0.5) / SUBLINES / side) * pathSize);
    for (let index = 0; index + 1 < crossings.length; index += 2) {
      const [from = 0, to = 0] = [crossings[index], crossings[index + 1]];
      coverRun(coverage.subarray(row, row + side), (from / pathSize) * side, (to / pathSize) * side);
    }
  }
  return coverage;
}

type Edge = readonly [from: Point, to: Point];

const edgesOf = (points: readonly Point[]): Edge[] =>
  points.map((point, index) => [point, points[(index + 1) % points.length] ?? point]);

function crossingsOf(edges: readonly Edge[], y: number): number[] {
  const found: number[] = [];
  for (const [[x1, y1], [x2, y2]] of edges) {
    if (y1 > y !== y2 > y) found.push(x1 + ((y - y1) / (y2 - y1)) * (x2 - x1));
  }
  return found.sort((a, b) => a - b);
}

function coverRun(row: Float32Array, from: number, to: number): void {
  const last = Math.min(row.length - 1, Math.floor(to));
  for (let x = Math.max(0, Math.floor(from)); x <= last; x += 1) {
    const covered = Math.min(to, x + 1) - Math.max(from, x);
    row[x] = (row[x] ?? 0) + covered / SUBLINES;
  }
}

/** Each closed outline as points; curves become short lines. Supports absolute M, L, C and Z. */
function flattenPath(path: string): Point[][] {
  const outlines: Point[][] = [];
  for (const [, command, text = ""] of path.matchAll(/([MLCZ])([^MLCZ]*)/g)) {
    const [x1 = 0, y1 = 0, x2 = 0, y2 = 0, x3 = 0, y3 = 0] = text.match(/-?[\d.]+/g)?.map(Number) ?? [];
    const outline = outlines.at(-1);
    if (command === "M") outlines.push([[x1, y1]]);
    else if (command === "L") outline?.push([x1, y1]);
    else if (command === "C") outline?.push(...flattenCurve(outline.at(-1) ?? [0, 0], [x1, y1], [x2, y2], [x3, y3]));
  }
  return outlines;
}

function flattenCurve(from: Point, first: Point, second: Point, to: Point): Point[] {
  return Array.from({ length: CURVE_STEPS }, (_, step): Point => {
    const t = (step + 1) / CURVE_STEPS;
    const at = (axis: 0 | 1): number =>
      (1 - t) ** 3 * from[axis] +
      3 * (1 - t) ** 2 * t * first[axis] +
      3 * (1 - t) * t ** 2 * second[axis] +
      t ** 3 * to[axis];
    return [at(0), at(1)];
  });
}
