import type { CSSProperties } from "react";

/** Hues that are easy to tell apart; `.tinted` gives each the same lightness, so all are equally readable. */
const HUES = [20, 50, 85, 125, 155, 185, 220, 250, 280, 310, 345] as const;

/** The same for the same text in any case, today and on any machine (FNV-1a). */
export function hueOf(text: string): number {
  let hash = 0x811c9dc5;
  for (const character of text.normalize("NFC").toLowerCase()) {
    hash = Math.imul(hash ^ (character.codePointAt(0) ?? 0), 0x01000193);
  }
  // The last bits of such a hash depend on few of the characters.
  return HUES[((hash ^ (hash >>> 15)) >>> 0) % HUES.length] ?? HUES[0];
}

/** For an element of the class `tinted`. React's types know no custom properties. */
export const tintOf = (text: string): CSSProperties => ({ "--hue": hueOf(text) }) as CSSProperties;
