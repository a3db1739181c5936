/** Escapes control and direction characters, so that other people's texts can't control the terminal. */
export const showControls = (text: string): string =>
  text.replace(/[\p{Cc}\p{Cf}\u2028\u2029]/gu, (character) => `\\u{${character.codePointAt(0)?.toString(16)}}`);
