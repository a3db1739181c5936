import { findAlignmentPatterns, findEyes, type Matrix, type Pattern } from "#shared/qr-matrix.ts";

export type RoundStyle = "rounded" | "dots";

/** In modules. Touching dots would merge in print; smaller ones are harder to detect. */
export const DOT_RADIUS = 0.48;

/** In modules. */
export interface RoundedSquare {
  readonly x: number;
  readonly y: number;
  readonly side: number;
  readonly radius: number;
}

/** Patterns rendered as one shape: eyes and, for dots, alignment patterns, which dots would blur. */
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
 * With rounder eyes, zbar missed up to one code in ten at some sizes. Alignment patterns are nearly square: decoders also
 * measure them diagonally, and must not mistake a dot for one.
 */
const radii: Readonly<Record<Pattern["span"], Radii>> = {
  7: { ring: 2, hole: 1, dot: 1 },
  5: { ring: 1, hole: 0.25, dot: 0.25 },
};

/** A ring one module wide (a square with a hole) with a dot inside; in modules. */
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

/** Distance of a point from the border: positive outside, negative inside. */
export function distanceTo({ x, y, side, radius }: RoundedSquare, pointX: number, pointY: number): number {
  const half = side / 2;
  const dx = Math.abs(pointX - x - half) - half + radius;
  const dy = Math.abs(pointY - y - half) - half + radius;
  // Both axes only matter at the corners. `Math.hypot` takes ten times as long.
  return (dx > 0 && dy > 0 ? Math.sqrt(dx * dx + dy * dy) : Math.max(dx, dy)) - radius;
}
