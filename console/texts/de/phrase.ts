/** A sentence of the server as a pattern, and what it is in German, with the parts that the pattern captures. */
export type Phrase = readonly [pattern: RegExp, german: string | ((...parts: string[]) => string)];

/** Placeholders: `*` is a value. */
const sentence = (english: string): RegExp =>
  new RegExp(`^${english.replace(/[.?+()[\]{}|^$\\]/g, "\\$&").replaceAll("*", "(.+?)")}$`, "s");

export const say = (english: string, german: Phrase[1]): Phrase => [sentence(english), german];

/** By the first phrase that fits; nothing if none does. */
export function translate(phrases: readonly Phrase[], english: string): string | undefined {
  for (const [pattern, german] of phrases) {
    const found = pattern.exec(english);
    if (found) return typeof german === "string" ? german : german(...found.slice(1));
  }
  return undefined;
}
