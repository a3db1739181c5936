import type { View } from "./view.ts";

/** Characters that fill two columns of a terminal: East Asian ones, and those shown as pictures. */
const WIDE =
  /[\u1100-\u115f\u2e80-\u303e\u3041-\u33ff\u3400-\u4dbf\u4e00-\u9fff\ua000-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6\u{20000}-\u{3fffd}]|\p{Emoji_Presentation}|\ufe0f/u;
const NOTHING = /^[\p{Mn}\p{Me}\p{Cf}]+$/u;

const segmenter = new Intl.Segmenter(undefined, { granularity: "grapheme" });

const widthOfOne = (segment: string): number => (NOTHING.test(segment) ? 0 : WIDE.test(segment) ? 2 : 1);

/** How many columns a text fills. */
export function widthOf(text: string): number {
  if (/^[\x20-\x7e]*$/.test(text)) return text.length;
  let width = 0;
  for (const { segment } of segmenter.segment(text)) width += widthOfOne(segment);
  return width;
}

/** As much of a text as fits, with an ellipsis for what doesn't. */
export function fitText(text: string, columns: number, { hasBlocks }: Pick<View, "hasBlocks">): string {
  if (widthOf(text) <= columns) return text;
  const ellipsis = hasBlocks ? "…" : "...";
  let fitting = "";
  let width = 0;
  for (const { segment } of segmenter.segment(text)) {
    width += widthOfOne(segment);
    if (width > columns - ellipsis.length) break;
    fitting += segment;
  }
  return fitting + ellipsis;
}

export const padEnd = (text: string, columns: number): string =>
  text + " ".repeat(Math.max(0, columns - widthOf(text)));

export const padStart = (text: string, columns: number): string =>
  " ".repeat(Math.max(0, columns - widthOf(text))) + text;
