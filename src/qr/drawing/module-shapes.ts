import { findAlignmentPatterns, findEyes, type Matrix, type Pattern } from "#shared/qr-matrix.ts";

export type RoundStyle = "rounded" | "dots";

/** In modules. Dots that touched would run together in print; smaller ones leave decoders less to see. */
export const DOT_RADIUS = 0.48;

/** In modules. */
export interface RoundedSquare {
  readonly x: number;
  readonly y: number;
  readonly side: number;
  readonly radius: number;
}

/** What is drawn as one shape: eyes, and in dots, which would blur them, alignment patterns. */
export const findSolidPatterns = (matrix: Matrix, style: RoundStyle): readonly Pattern[] => [
  ...findEyes(matrix),
  ...(style === "dots" ? findAlignmentPatterns(matrix) : []),
];

interface Radii {
  readonly ring: number;
  readonly hole: number;
  readonly dot: number;
}

/**
 * With rounder eyes, zbar missed up to one code of ten at some sizes. Alignment patterns are nearly square: decoders
 * measure them along their diagonals as well, and must not take a dot for one.
 */
const radii: Readonly<Record<Pattern["span"], Radii>> = {
  7: { ring: 2, hole: 1, dot: 1 },
  5: { ring: 1, hole: 0.25, dot: 0.25 },
};

/** A ring one module wide, which is a square with a hole cut out, and a dot within; in modules. */
export function patternShapes(span: Pattern["span"]) {
  const { ring, hole, dot } = radii[span];
  return {
    ring: { x: 0, y: 0, side: span, radius: ring },
    hole: { x: 1, y: 1, side: span - 2, radius: hole },
    dot: { x: 2, y: 2, side: span - 4, radius: dot },
  };
}

export function squarePath({ x, y, side, radius }: RoundedSquare): string {
  const straight = side - 2 * radius;
  const arc = (dx: number, dy: number): string => `a${radius} ${radius} 0 0 1 ${dx} ${dy}`;
  return [
    `M${x + radius} ${y}`,
    `h${straight}${arc(radius, radius)}`,
    `v${straight}${arc(-radius, radius)}`,
    `h${-straight}${arc(-radius, -radius)}`,
    `v${-straight}${arc(radius, -radius)}`,
    "z",
  ].join("");
}

/** How far a point is from the border: positive outside, negative inside. */
export function distanceTo({ x, y, side, radius }: RoundedSquare, pointX: number, pointY: number): number {
  const half = side / 2;
  const dx = Math.abs(pointX - x - half) - half + radius;
  const dy = Math.abs(pointY - y - half) - half + radius;
  // Only beside a corner do both count. `Math.hypot` takes ten times as long.
  return (dx > 0 && dy > 0 ? Math.sqrt(dx * dx + dy * dy) : Math.max(dx, dy)) - radius;
}
