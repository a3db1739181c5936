import type { BuiltInLogo } from "#contract/qr.ts";
import type { Rgb } from "#shared/colour.ts";
import { type ErrorCorrection, encodeMatrix, type Matrix, withHole } from "#shared/qr-matrix.ts";
import { type Layout, layOut, smallestSize } from "./layout.ts";
import { findLogoSpan } from "./logo-span.ts";
import type { Picture } from "./picture.ts";

export type Style = "square" | "rounded" | "dots";

export type Logo =
  | { readonly kind: "icon"; readonly name: BuiltInLogo }
  | { readonly kind: "picture"; readonly picture: Picture; readonly href: string };

/** Everything that determines what a code looks like. */
export interface CodeRequest {
  readonly text: string;
  readonly size: number;
  readonly margin: number;
  /** `null`: M or, with a logo, the highest level that leaves room for it. */
  readonly ecc: ErrorCorrection | null;
  readonly colour: Rgb;
  readonly background: Rgb;
  readonly style: Style;
  readonly logo: Logo | null;
}

/** A planned code, ready to be rendered as SVG or pixels. */
export interface CodePlan {
  readonly matrix: Matrix;
  readonly layout: Layout;
  readonly colour: Rgb;
  readonly background: Rgb;
  readonly style: Style;
  readonly logo: PlacedLogo | null;
}

export interface PlacedLogo {
  readonly logo: Logo;
  /** In modules: start of its box on both axes, and the box's side. */
  readonly start: number;
  readonly length: number;
}

export type PlanProblem =
  | { readonly kind: "too_small"; readonly sizeMin: number }
  | { readonly kind: "no_room_for_logo" };

/** Smaller round shapes would be blobs, so below this modules are square in any style. */
const ROUND_SCALE_MIN = 4;
const LOGO_PADDING = 0.5;
const LOGO_LEVELS = ["H", "Q", "M"] as const;

export function planCode(request: CodeRequest): CodePlan | PlanProblem {
  const { size, margin, colour, background } = request;
  const chosen = chooseMatrix(request);
  if (!chosen) return { kind: "no_room_for_logo" };
  const { matrix, span } = chosen;
  const layout = layOut(matrix.size, { size, margin });
  if (!layout) return { kind: "too_small", sizeMin: smallestSize(matrix.size, margin) };
  const style = layout.scale < ROUND_SCALE_MIN ? "square" : request.style;
  if (!request.logo) return { matrix, layout, colour, background, style, logo: null };
  const start = (matrix.size - span) / 2 + LOGO_PADDING;
  const logo = { logo: request.logo, start, length: span - 2 * LOGO_PADDING };
  return { matrix: withHole(matrix, span), layout, colour, background, style, logo };
}

/** The matrix and the span of the hole for a logo; `null` if there is no room for one. */
function chooseMatrix({ text, ecc, logo }: CodeRequest): { readonly matrix: Matrix; readonly span: number } | null {
  if (!logo) return { matrix: encodeMatrix(text, ecc ?? "M"), span: 0 };
  for (const level of ecc ? [ecc] : LOGO_LEVELS) {
    const matrix = encodeMatrix(text, level);
    const span = findLogoSpan(matrix, text);
    if (span !== null) return { matrix, span };
  }
  return null;
}

export const isProblem = (plan: CodePlan | PlanProblem): plan is PlanProblem => "kind" in plan;
