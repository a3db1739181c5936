// RFC 3492 §5: the parameters that IDNA uses.
const BASE = 36;
const T_MIN = 1;
const T_MAX = 26;
const SKEW = 38;
const DAMP = 700;
const FIRST_BIAS = 72;
const FIRST_CODE = 128;
const CODE_MAX = 0x10ffff;

/** The letters of a label without its `xn--` (RFC 3492 §6.2); `null` for what no encoder makes. */
export function decodePunycode(text: string): string | null {
  const end = text.lastIndexOf("-");
  const codes = Array.from(text.slice(0, Math.max(0, end)), (letter) => letter.charCodeAt(0));
  let code = FIRST_CODE;
  let place = 0;
  let bias = FIRST_BIAS;
  for (let at = end + 1; at < text.length; ) {
    const before = place;
    for (let k = BASE, weight = 1; ; k += BASE) {
      const digit = digitOf(text.charCodeAt(at));
      at += 1;
      if (digit === null) return null;
      place += digit * weight;
      const threshold = Math.min(T_MAX, Math.max(T_MIN, k - bias));
      if (digit < threshold) break;
      weight *= BASE - threshold;
      if (weight > CODE_MAX * codes.length + CODE_MAX) return null;
    }
    const length = codes.length + 1;
    bias = adapt(place - before, length, before === 0);
    code += Math.floor(place / length);
    place %= length;
    if (code > CODE_MAX) return null;
    codes.splice(place, 0, code);
    place += 1;
  }
  return String.fromCodePoint(...codes);
}

function digitOf(code: number): number | null {
  if (code >= 0x61 && code <= 0x7a) return code - 0x61;
  if (code >= 0x41 && code <= 0x5a) return code - 0x41;
  return code >= 0x30 && code <= 0x39 ? code - 0x30 + 26 : null;
}

function adapt(delta: number, length: number, isFirst: boolean): number {
  let rest = Math.floor(delta / (isFirst ? DAMP : 2));
  rest += Math.floor(rest / length);
  let k = 0;
  for (; rest > ((BASE - T_MIN) * T_MAX) / 2; k += BASE) rest = Math.floor(rest / (BASE - T_MIN));
  return k + Math.floor((BASE * rest) / (rest + SKEW));
}
