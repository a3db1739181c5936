import { describe, expect, test } from "bun:test";
import jsQR from "jsqr";
import { drawQr, qrColumns, qrMatrix } from "./qr-text.ts";

const TEXT = "https://s.example/spring-sale?qr=1";
const SCALE = 4;
const matrix = qrMatrix(TEXT);

interface Terminal {
  readonly background: number;
  readonly foreground: number;
}
const dark: Terminal = { background: 20, foreground: 220 };
const light: Terminal = { background: 250, foreground: 30 };

/** What a camera would see of the terminal, with its own background around the text. */
function photograph(text: string, terminal: Terminal): Uint8ClampedArray {
  const lines = text.split("\n");
  const columns = qrColumns(matrix) + 4;
  const rows = lines.length * 2 + 4;
  const pixels = new Uint8ClampedArray(columns * rows * SCALE * SCALE * 4).fill(255);
  const paint = (column: number, row: number, value: number): void => {
    for (let dy = 0; dy < SCALE; dy += 1) {
      for (let dx = 0; dx < SCALE; dx += 1) {
        const at = (((row * SCALE + dy) * columns + column) * SCALE + dx) * 4;
        pixels.fill(value, at, at + 3);
      }
    }
  };
  for (let row = 0; row < rows; row += 1) {
    for (let column = 0; column < columns; column += 1) paint(column, row, terminal.background);
  }
  for (const [at, line] of lines.entries()) {
    let colours = terminal;
    let column = 2;
    for (const [token] of line.matchAll(/\p{Cc}\[[\d;]*m|./gu)) {
      if (token.startsWith("\x1b")) colours = token === "\x1b[0m" ? terminal : { foreground: 0, background: 255 };
      else {
        paint(column, 2 + at * 2, "█▀".includes(token) ? colours.foreground : colours.background);
        paint(column, 3 + at * 2, "█▄".includes(token) ? colours.foreground : colours.background);
        column += 1;
      }
    }
  }
  return pixels;
}

function scan(text: string, terminal: Terminal): string | undefined {
  const width = (qrColumns(matrix) + 4) * SCALE;
  const pixels = photograph(text, terminal);
  // Not every scanner reads a code that is light on dark.
  return jsQR(pixels, width, pixels.length / 4 / width, { inversionAttempts: "dontInvert" })?.data;
}

describe("a scanner reads the code", () => {
  test.each([dark, light])("in colour on %p", (terminal) => {
    expect(scan(drawQr(matrix, { hasColour: true, isInverted: false }), terminal)).toBe(TEXT);
  });

  test("without colours on a dark background, or inverted on a light one", () => {
    expect(scan(drawQr(matrix, { hasColour: false, isInverted: false }), dark)).toBe(TEXT);
    expect(scan(drawQr(matrix, { hasColour: false, isInverted: true }), light)).toBe(TEXT);
  });

  test("but not the wrong way round, which is why colours are set", () => {
    expect(scan(drawQr(matrix, { hasColour: false, isInverted: false }), light)).toBeUndefined();
  });
});

test("the quiet zone is four modules on each side", () => {
  const lines = drawQr(matrix, { hasColour: false, isInverted: true }).split("\n");
  expect(lines.slice(0, 2).every((line) => line.trim() === "")).toBe(true);
  expect(lines.slice(-2).every((line) => line.trim() === "")).toBe(true);
  expect(lines.every((line) => line.startsWith("    ") && line.endsWith("    "))).toBe(true);
});
