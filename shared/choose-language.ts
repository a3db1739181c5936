// Browsers send a few; parsing more would be a waste of time.
const RANGES_MAX = 20;

/**
 * The preferred language among ours (RFC 9110 §12.5.4), by weight, then by position; the first of ours if there is none.
 */
export function chooseLanguage<const L extends string>(acceptLanguage: string | null, ours: readonly [L, ...L[]]): L {
  let [chosen] = ours;
  let best = 0;
  for (const range of (acceptLanguage ?? "").split(",", RANGES_MAX)) {
    const [tag = "", ...parameters] = range.split(";");
    const language = ours.find((known) => known === tag.trim().toLowerCase().split("-", 1)[0]);
    const weight = weightOf(parameters);
    if (language !== undefined && weight > best) [chosen, best] = [language, weight];
  }
  return chosen;
}

function weightOf(parameters: readonly string[]): number {
  const quality = parameters.map((parameter) => /^\s*q\s*=\s*([\d.]+)\s*$/i.exec(parameter)?.[1]).find(Boolean);
  return quality === undefined ? 1 : Number(quality) || 0;
}
