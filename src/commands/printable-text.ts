/** Other people's texts must not steer the terminal: control and direction characters are shown, not obeyed. */
export const showControls = (text: string): string =>
  text.replace(/[\p{Cc}\p{Cf}\u2028\u2029]/gu, (character) => `\\u{${character.codePointAt(0)?.toString(16)}}`);
