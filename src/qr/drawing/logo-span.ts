import decodeQR from "qr/decode.js";
import { isDark, type Matrix, withDamage } from "#shared/qr-matrix.ts";

/** From version 7 on, there is an alignment pattern in the center, which some decoders need. */
const MODULES_MAX = 41;
const SHARE_MAX = 0.3;
const SPAN_MIN = 5;
/** Modules around the logo that may be unreadable too. */
const RESERVE = 1;

/**
 * The widest hole in the center, in modules, that error correction can handle with a margin; `null` if there is none.
 * Found by trial: a code with every module in and around the hole inverted must still decode.
 */
export function findLogoSpan(matrix: Matrix, text: string): number | null {
  if (matrix.size > MODULES_MAX) return null;
  const widest = Math.floor(matrix.size * SHARE_MAX);
  for (let span = widest - ((widest + 1) % 2); span >= SPAN_MIN; span -= 2) {
    if (decodeMatrix(withDamage(matrix, span + 2 * RESERVE)) === text) return span;
  }
  return null;
}

const SCALE = 3;
const MARGIN = 4;

function decodeMatrix(matrix: Matrix): string | null {
  const side = (matrix.size + 2 * MARGIN) * SCALE;
  const data = new Uint8Array(side * side * 4).fill(255);
  for (let y = 0; y < side; y += 1) {
    for (let x = 0; x < side; x += 1) {
      if (!isDark(matrix, Math.floor(x / SCALE) - MARGIN, Math.floor(y / SCALE) - MARGIN)) continue;
      data.fill(0, (y * side + x) * 4, (y * side + x) * 4 + 3);
    }
  }
  try {
    return decodeQR({ width: side, height: side, data }, { effort: 1, timeLimit: Number.POSITIVE_INFINITY });
  } catch {
    return null;
  }
}
