// RFC 9110 §12.5.4 and §12.4.2: a language range and its weight.
const RANGE = /^\s*([a-z]{2,3})(?:-[a-z0-9]+)*\s*(?:;\s*q\s*=\s*(1(?:\.0{0,3})?|0(?:\.\d{0,3})?)\s*)?$/i;

/** The language a visitor likes best, without its region; the first of several that are liked equally. */
export function primaryLanguageOf(acceptLanguage: string): string {
  let best = "";
  let bestWeight = 0;
  for (const part of acceptLanguage.split(",")) {
    const [, language = "", weight = "1"] = RANGE.exec(part) ?? [];
    if (language !== "" && Number(weight) > bestWeight) {
      best = language;
      bestWeight = Number(weight);
    }
  }
  return best.toLowerCase();
}
