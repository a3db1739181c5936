export type Rgb = readonly [red: number, green: number, blue: number];

/** Six hex digits, with or without `#`. */
export function parseColour(text: string): Rgb {
  const value = Number.parseInt(text.replace("#", ""), 16);
  return [value >> 16, (value >> 8) & 255, value & 255];
}

export const formatColour = (colour: Rgb): string =>
  `#${colour.map((part) => part.toString(16).padStart(2, "0")).join("")}`;

/** Contrast ratio (WCAG 2.2); below 1, the code is lighter than the background. */
export const contrastOf = (colour: Rgb, background: Rgb): number =>
  (luminanceOf(background) + 0.05) / (luminanceOf(colour) + 0.05);

/** From `from` at 0 to `to` at 1. */
export const mixColours = (from: Rgb, to: Rgb, share: number): Rgb => [
  Math.round(from[0] + (to[0] - from[0]) * share),
  Math.round(from[1] + (to[1] - from[1]) * share),
  Math.round(from[2] + (to[2] - from[2]) * share),
];

function luminanceOf(colour: Rgb): number {
  const [red, green, blue] = colour.map((part) => {
    const value = part / 255;
    return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
  }) as [number, number, number];
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}
