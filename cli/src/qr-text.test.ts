import { describe, expect, test } from "bun:test";
import jsQR from "jsqr";
import { isDark } from "../../shared/qr-matrix.ts";
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
  const columns = qrColumns(matrix, { hasBlocks: true }) + 4;
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
  const width = (qrColumns(matrix, { hasBlocks: true }) + 4) * SCALE;
  const pixels = photograph(text, terminal);
  // Not every scanner reads a code that is light on dark.
  return jsQR(pixels, width, pixels.length / 4 / width, { inversionAttempts: "dontInvert" })?.data;
}

describe("a scanner reads the code", () => {
  test.each([dark, light])("in colour on %p", (terminal) => {
    expect(scan(drawQr(matrix, { hasBlocks: true, hasColour: true, isInverted: false }), terminal)).toBe(TEXT);
  });

  test("without colours on a dark background, or inverted on a light one", () => {
    expect(scan(drawQr(matrix, { hasBlocks: true, hasColour: false, isInverted: false }), dark)).toBe(TEXT);
    expect(scan(drawQr(matrix, { hasBlocks: true, hasColour: false, isInverted: true }), light)).toBe(TEXT);
  });

  test("but not the wrong way round, which is why colours are set", () => {
    expect(scan(drawQr(matrix, { hasBlocks: true, hasColour: false, isInverted: false }), light)).toBeUndefined();
  });
});

test("the quiet zone is four modules on each side", () => {
  const lines = drawQr(matrix, { hasBlocks: true, hasColour: false, isInverted: true }).split("\n");
  expect(lines.slice(0, 2).every((line) => line.trim() === "")).toBe(true);
  expect(lines.slice(-2).every((line) => line.trim() === "")).toBe(true);
  expect(lines.every((line) => line.startsWith("    ") && line.endsWith("    "))).toBe(true);
});

describe("without blocks", () => {
  const shownDark = (text: string, isDarkAt: (line: string, column: number) => boolean): boolean =>
    text
      .split("\n")
      .every((line, y) =>
        Array.from({ length: matrix.size + 8 }, (_, x) => isDarkAt(line, x) === isDark(matrix, x - 4, y - 4)).every(
          Boolean,
        ),
      );

  test("a module is two characters of ASCII", () => {
    const text = drawQr(matrix, { hasBlocks: false, hasColour: false, isInverted: true });
    expect(shownDark(text, (line, x) => line.slice(2 * x, 2 * x + 2) === "##")).toBe(true);
    expect(text.split("\n")[0]).toHaveLength(qrColumns(matrix, { hasBlocks: false }));
    const forDark = drawQr(matrix, { hasBlocks: false, hasColour: false, isInverted: false });
    expect(shownDark(forDark, (line, x) => line.slice(2 * x, 2 * x + 2) === "  ")).toBe(true);
  });

  test("colours do without characters", () => {
    const text = drawQr(matrix, { hasBlocks: false, hasColour: true, isInverted: false });
    expect(shownDark(text, (line, x) => line.split("  ")[x] === "\x1b[48;5;16m")).toBe(true);
  });
});
