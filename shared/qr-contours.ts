import { isDark, type Matrix } from "./qr-matrix.ts";

// East, south, west, north, as steps with y growing downwards.
const STEPS = [
  [1, 0],
  [0, 1],
  [-1, 0],
  [0, -1],
] as const;

/** The two modules ahead of a vertex, as seen in each direction: on the left and on the right hand. */
const AHEAD = [
  { left: [0, -1], right: [0, 0] },
  { left: [0, 0], right: [-1, 0] },
  { left: [-1, 0], right: [-1, -1] },
  { left: [-1, -1], right: [0, -1] },
] as const;

interface Side {
  readonly direction: number;
  readonly length: number;
  /** What the contour does at the end of this side. */
  readonly turn: "left" | "right";
}

/**
 * The outlines of the dark areas as SVG path data in modules, with rounded corners where asked for. Areas are drawn as
 * wholes, not module by module, so that no seams show at any zoom. Modules that only touch at a corner stay apart.
 */
export function traceContours(matrix: Matrix, rounded: boolean): string {
  const traced = new Uint8Array(matrix.cells.length);
  let path = "";
  for (let y = 0; y < matrix.size; y += 1) {
    for (let x = 0; x < matrix.size; x += 1) {
      if (traced[y * matrix.size + x] === 1 || !isDark(matrix, x, y) || isDark(matrix, x, y - 1)) continue;
      const sides = traceContour(matrix, x, y, traced);
      path += rounded ? roundedPath(x, y, sides) : straightPath(x, y, sides);
    }
  }
  return path;
}

/**
 * Follows the border with the dark on its right hand until it is back. The start is a corner: an edge that only
 * continues another one has been traced with it, since modules are visited from the left.
 */
function traceContour(matrix: Matrix, startX: number, startY: number, traced: Uint8Array): Side[] {
  const sides: Side[] = [];
  let [x, y, direction, length] = [startX, startY, 0, 0];
  do {
    if (direction === 0) traced[y * matrix.size + x] = 1;
    const [stepX, stepY] = STEPS[direction] ?? STEPS[0];
    x += stepX;
    y += stepY;
    length += 1;
    const { left, right } = AHEAD[direction] ?? AHEAD[0];
    const turn = !isDark(matrix, x + right[0], y + right[1])
      ? "right"
      : isDark(matrix, x + left[0], y + left[1])
        ? "left"
        : null;
    if (turn === null) continue;
    sides.push({ direction, length, turn });
    direction = (direction + (turn === "right" ? 1 : 3)) % 4;
    length = 0;
  } while (x !== startX || y !== startY || direction !== 0 || length !== 0);
  return sides;
}

function straightPath(x: number, y: number, sides: readonly Side[]): string {
  // The last side is drawn by closing the path.
  return `M${x} ${y}${sides.slice(0, -1).map(straightSide).join("")}z`;
}

const straightSide = ({ direction, length }: Side): string =>
  `${direction % 2 === 0 ? "h" : "v"}${direction < 2 ? length : -length}`;

const ARC = "a.5.5 0 0 ";

function roundedPath(x: number, y: number, sides: readonly Side[]): string {
  const parts = sides.map(({ direction, length, turn }) => {
    const [stepX, stepY] = STEPS[direction] ?? STEPS[0];
    const [nextX, nextY] = STEPS[(direction + (turn === "right" ? 1 : 3)) % 4] ?? STEPS[0];
    const line = length > 1 ? straightSide({ direction, length: length - 1, turn }) : "";
    return `${line}${ARC}${turn === "right" ? 1 : 0} ${half(stepX + nextX)} ${half(stepY + nextY)}`;
  });
  return `M${x + 0.5} ${y}${parts.join("")}z`;
}

const half = (steps: number): string => (steps < 0 ? "-.5" : ".5");
