export const TEXT_CHARACTERS_MAX = 255;

// Controls, among them tab and line feed, halves of surrogate pairs, and the two other line ends of Unicode.
const UNSAFE = /[\p{Cc}\p{Cs}\u2028\u2029]/gu;
const PLAIN = /^[!-~](?:[ -~]{0,253}[!-~])?$/;

/** The text as it may stand in a field: without control characters, trimmed, at most 255 characters. */
export function cleanText(text: string): string {
  if (text === "" || PLAIN.test(text)) return text;
  const visible = text.replace(UNSAFE, "").trim();
  if (visible.length <= TEXT_CHARACTERS_MAX) return visible;
  const characters = Array.from(visible.slice(0, 2 * TEXT_CHARACTERS_MAX));
  return characters.slice(0, TEXT_CHARACTERS_MAX).join("").trimEnd();
}
