import { language } from "#texts/language.ts";

/** For dates and numbers: the language of the texts, as in the region of the reader, such as `de-AT`. */
export const locale: string =
  globalThis.navigator?.languages?.find((tag) => tag.split("-", 1)[0] === language) ?? language;
