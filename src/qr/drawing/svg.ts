import { formatColour } from "#shared/colour.ts";
import { traceContours } from "#shared/qr-contours.ts";
import { isDark, type Matrix, withoutPatterns } from "#shared/qr-matrix.ts";
import { ICON_SIZE, icons } from "./icons.ts";
import { DOT_RADIUS, findSolidPatterns, patternShapes, squarePath } from "./module-shapes.ts";
import type { CodePlan, PlacedLogo, Style } from "./plan.ts";

/** The code as SVG: only shapes, no user input. */
export function toSvg(plan: CodePlan): string {
  const { matrix, layout, colour, background, style, logo } = plan;
  const { size, scale, offset } = layout;
  const edges = style === "square" ? ' shape-rendering="crispEdges"' : "";
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${size}" height="${size}" viewBox="0 0 ${size} ${size}">`,
    `<rect width="${size}" height="${size}" fill="${formatColour(background)}"/>`,
    `<g transform="translate(${offset} ${offset}) scale(${scale})" fill="${formatColour(colour)}" fill-rule="evenodd">`,
    `<path${edges} d="${modulesPath(matrix, style)}"/>`,
    logo ? logoElement(logo) : "",
    "</g></svg>\n",
  ].join("");
}

function modulesPath(matrix: Matrix, style: Style): string {
  if (style === "square") return traceContours(matrix, false);
  const patterns = findSolidPatterns(matrix, style);
  const solid = patterns.flatMap(({ x, y, span }) =>
    Object.values(patternShapes(span)).map((shape) => squarePath({ ...shape, x: shape.x + x, y: shape.y + y })),
  );
  const rest = withoutPatterns(matrix, patterns);
  return solid.join("") + (style === "dots" ? dotsPath(rest) : traceContours(rest, true));
}

const HALF_CIRCLE = `a${DOT_RADIUS} ${DOT_RADIUS} 0 0 1 `;

function dotsPath(matrix: Matrix): string {
  let path = "";
  for (let y = 0; y < matrix.size; y += 1) {
    for (let x = 0; x < matrix.size; x += 1) {
      if (!isDark(matrix, x, y)) continue;
      const left = decimal(x + 0.5 - DOT_RADIUS);
      path += `M${left} ${y + 0.5}${HALF_CIRCLE}${2 * DOT_RADIUS} 0${HALF_CIRCLE}${-2 * DOT_RADIUS} 0z`;
    }
  }
  return path;
}

function logoElement({ logo, start, length }: PlacedLogo): string {
  if (logo.kind === "picture") {
    return `<image x="${start}" y="${start}" width="${length}" height="${length}" href="${logo.href}"/>`;
  }
  const factor = decimal(length / ICON_SIZE);
  return `<path transform="translate(${start} ${start}) scale(${factor})" d="${icons[logo.name]}"/>`;
}

const decimal = (value: number): number => Math.round(value * 1e6) / 1e6;
