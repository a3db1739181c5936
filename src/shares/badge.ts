const HEIGHT = 20;
const PADDING = 7;
const ICON = 12;
const GAP = 5;
// Texts are squeezed or stretched to this, whatever font a browser has.
const DIGIT_WIDTH = 7;
const LETTER_WIDTH = 5.7;

/**
 * An image with a number of clicks. It has a background of its own, so it can be read on light and dark pages, and needs
 * no font or style of theirs. In English only, since it is cached for everyone.
 */
export function renderBadge(clicks: number): string {
  const count = new Intl.NumberFormat("en", clicks < 10_000 ? {} : { notation: "compact" }).format(clicks);
  const label = clicks === 1 ? "click" : "clicks";
  const [countWidth, labelWidth] = [count.length * DIGIT_WIDTH, label.length * LETTER_WIDTH];
  const countX = PADDING + ICON + GAP;
  const labelX = countX + countWidth + GAP;
  const width = Math.ceil(labelX + labelWidth + PADDING);
  const text = (words: string, x: number, length: number, look: string): string =>
    `<text x="${x}" y="14" textLength="${length.toFixed(1)}" lengthAdjust="spacingAndGlyphs" ${look}>${words}</text>`;
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${HEIGHT}" viewBox="0 0 ${width} ${HEIGHT}" role="img" aria-label="${count} ${label}">`,
    `<title>${count} ${label}</title>`,
    `<rect x=".5" y=".5" width="${width - 1}" height="${HEIGHT - 1}" rx="5.5" fill="#4350d8" stroke="#7d88f2"/>`,
    '<path d="M10 4.5v11M17.3 4.8 11.2 10.1m1.5-1.2 5 6.6" fill="none" stroke="#fff" stroke-width="1.8" stroke-linecap="round" stroke-linejoin="round"/>',
    '<g fill="#fff" font-family="Verdana,Geneva,DejaVu Sans,sans-serif" font-size="11">',
    text(count, countX, countWidth, 'font-weight="bold"'),
    text(label, labelX, labelWidth, 'fill="#e4e7ff"'),
    "</g></svg>",
  ].join("");
}
