const LETTERS_AND_DIGITS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789";

export const [LINE_FEED, CARRIAGE_RETURN, SPACE, SLASH, COLON, QUESTION_MARK] = [10, 13, 32, 47, 58, 63];
/** Bytes in a field value (RFC 9110 §5.5): visible ASCII and space, others that are allowed, and the rest. */
export const [PLAIN, ALLOWED, NOT_ALLOWED] = [1, 2, 0];

export const isSlugByte = tableOf(`${LETTERS_AND_DIGITS}_-`);
// URL parsers leave these as they are.
export const isQueryByte = tableOf(`${LETTERS_AND_DIGITS}-._~!$&()*+,;=:@/?%`);
export const isTargetByte = Uint8Array.from({ length: 256 }, (_, byte) => Number(byte > 0x20 && byte < 0x7f));
export const valueKind = Uint8Array.from({ length: 256 }, (_, byte) => kindOf(byte));
/** The lower-case byte if it may be part of a field name (RFC 9110 §5.6.2), otherwise 0. */
export const nameByte = tableOf(`${LETTERS_AND_DIGITS}!#$%&'*+-.^_\`|~`, (character) =>
  character.toLowerCase().charCodeAt(0),
);

function kindOf(byte: number): number {
  if (byte >= 0x20 && byte < 0x7f) return PLAIN;
  return byte === 0x09 || byte > 0x7f ? ALLOWED : NOT_ALLOWED;
}

function tableOf(characters: string, entryOf: (character: string) => number = () => 1): Uint8Array {
  const table = new Uint8Array(256);
  for (const character of characters) table[character.charCodeAt(0)] = entryOf(character);
  return table;
}
