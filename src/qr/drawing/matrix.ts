import { encodeQR } from "qr";

export type ErrorCorrection = "L" | "M" | "Q" | "H";

/** The modules of a code, row by row, without a quiet zone: 1 is dark. */
export interface Matrix {
  readonly size: number;
  readonly cells: Uint8Array;
}

const levels = { L: "low", M: "medium", Q: "quartile", H: "high" } as const;
const EYE_SIZE = 7;

export function encodeMatrix(text: string, ecc: ErrorCorrection): Matrix {
  // The encoder insists on a quiet zone; one module of it is cut off again.
  const rows = encodeQR(text, "raw", { ecc: levels[ecc], border: 1 }).slice(1, -1);
  return {
    size: rows.length,
    cells: Uint8Array.from(
      rows.flatMap((row) => row.slice(1, -1)),
      Number,
    ),
  };
}

export const isDark = ({ size, cells }: Matrix, x: number, y: number): boolean =>
  x >= 0 && y >= 0 && x < size && y < size && cells[y * size + x] === 1;

/** Where the three finder patterns, the eyes, have their upper left corners. */
export const eyeCorners = ({ size }: Matrix): readonly (readonly [x: number, y: number])[] => [
  [0, 0],
  [size - EYE_SIZE, 0],
  [0, size - EYE_SIZE],
];

export const withoutEyes = (matrix: Matrix): Matrix =>
  eyeCorners(matrix).reduce((rest, [x, y]) => withSquare(rest, { x, y, span: EYE_SIZE }, () => 0), matrix);

/** The middle of the code made light, for a logo to stand in. */
export const withHole = (matrix: Matrix, span: number): Matrix => withSquare(matrix, centred(matrix, span), () => 0);

/** The middle of the code read as wrongly as can be: every module is the opposite of what it was. */
export const withDamage = (matrix: Matrix, span: number): Matrix =>
  withSquare(matrix, centred(matrix, span), (cell) => 1 - cell);

interface Square {
  readonly x: number;
  readonly y: number;
  readonly span: number;
}

/** The size of a code is odd, so an odd span has a whole number of modules on each side. */
const centred = ({ size }: Matrix, span: number): Square => ({ x: (size - span) / 2, y: (size - span) / 2, span });

function withSquare({ size, cells }: Matrix, { x, y, span }: Square, change: (cell: number) => number): Matrix {
  const changed = cells.slice();
  for (let row = y; row < y + span; row += 1) {
    for (let at = row * size + x; at < row * size + x + span; at += 1) changed[at] = change(changed[at] ?? 0);
  }
  return { size, cells: changed };
}
