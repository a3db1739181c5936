import { encodeQR } from "qr";

export type ErrorCorrection = "L" | "M" | "Q" | "H";

/** The modules of a code, row by row, without a quiet zone: 1 is dark. */
export interface Matrix {
  readonly size: number;
  readonly cells: Uint8Array;
}

const levels = { L: "low", M: "medium", Q: "quartile", H: "high" } as const;
const EYE_SPAN = 7;

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

/** A finder pattern (an eye) or an alignment pattern: where it begins and how wide it is. */
export interface Pattern {
  readonly x: number;
  readonly y: number;
  readonly span: 7 | 5;
}

export const findEyes = ({ size }: Matrix): readonly Pattern[] => [
  { x: 0, y: 0, span: EYE_SPAN },
  { x: size - EYE_SPAN, y: 0, span: EYE_SPAN },
  { x: 0, y: size - EYE_SPAN, span: EYE_SPAN },
];

/** Those that are there: where a logo has taken the place of one, there is none. */
export function findAlignmentPatterns(matrix: Matrix): readonly Pattern[] {
  const centres = alignmentCentres(matrix.size);
  const all = centres.flatMap((x) => centres.map((y) => ({ x: x - 2, y: y - 2, span: 5 as const })));
  const last = matrix.size - EYE_SPAN - 2;
  return all.filter(({ x, y }) => {
    const isInEye = (x < EYE_SPAN && y < EYE_SPAN) || (x < EYE_SPAN && y >= last) || (y < EYE_SPAN && x >= last);
    return !isInEye && isDark(matrix, x, y);
  });
}

/** The coordinates that ISO/IEC 18004 Annex E lists for each version: evenly spaced from the far side. */
function alignmentCentres(size: number): readonly number[] {
  const version = (size - 17) / 4;
  if (version === 1) return [];
  const count = Math.floor(version / 7) + 2;
  const step = version === 32 ? 26 : Math.ceil((size - 13) / (2 * count - 2)) * 2;
  return [6, ...Array.from({ length: count - 1 }, (_, index) => size - 7 - index * step)];
}

export const withoutPatterns = (matrix: Matrix, patterns: readonly Pattern[]): Matrix =>
  patterns.reduce((rest, pattern) => withSquare(rest, pattern, () => 0), matrix);

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
