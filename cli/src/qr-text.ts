import { encodeMatrix, isDark, type Matrix } from "../../shared/qr-matrix.ts";
import type { View } from "./view.ts";

/** In modules; scanners need it to find the code. */
const QUIET = 4;

// Black and white of the fixed part of the 256 colours, which themes don't change.
const BLACK_ON_WHITE = "\x1b[38;5;16;48;5;231m";
const [ON_BLACK, ON_WHITE] = ["\x1b[48;5;16m", "\x1b[48;5;231m"];
const RESET = "\x1b[0m";

/** With colours it is right on any background. */
interface QrTextOptions extends Pick<View, "hasColour" | "hasBlocks"> {
  /** Without colours: for a light background. */
  readonly isInverted: boolean;
}

export const qrColumns = (matrix: Matrix, { hasBlocks }: Pick<View, "hasBlocks">): number =>
  (matrix.size + 2 * QUIET) * (hasBlocks ? 1 : 2);

export const qrMatrix = (text: string): Matrix => encodeMatrix(text, "M");

/** Characters are about twice as high as they are wide. */
export const drawQr = (matrix: Matrix, options: QrTextOptions): string =>
  options.hasBlocks ? drawBlocks(matrix, options) : drawAscii(matrix, options);

/** A module is two characters wide. */
function drawAscii(matrix: Matrix, { hasColour, isInverted }: QrTextOptions): string {
  const places = Array.from({ length: matrix.size + 2 * QUIET }, (_, at) => at - QUIET);
  const [dark, light] = isInverted ? ["##", "  "] : ["  ", "##"];
  return places
    .map((y) => {
      if (!hasColour) return places.map((x) => (isDark(matrix, x, y) ? dark : light)).join("");
      return `${places.map((x) => `${isDark(matrix, x, y) ? ON_BLACK : ON_WHITE}  `).join("")}${RESET}`;
    })
    .join("\n");
}

/** Two modules in each character, one above the other. */
function drawBlocks(matrix: Matrix, { hasColour, isInverted }: QrTextOptions): string {
  // Without colours, characters are what is light on a dark background.
  const isDrawn = (x: number, y: number): boolean => isDark(matrix, x, y) === (hasColour || isInverted);
  const lines: string[] = [];
  for (let y = -QUIET; y < matrix.size + QUIET; y += 2) {
    let line = "";
    for (let x = -QUIET; x < matrix.size + QUIET; x += 1) {
      // The number of rows is odd; what the last line has below them is light, like the rest of the margin.
      line += halfBlock(isDrawn(x, y), isDrawn(x, y + 1));
    }
    lines.push(hasColour ? `${BLACK_ON_WHITE}${line}${RESET}` : line);
  }
  return lines.join("\n");
}

const halfBlock = (upper: boolean, lower: boolean): string => (upper ? (lower ? "█" : "▀") : lower ? "▄" : " ");
