const BETWEEN_THOUSANDS = /(?<=\d)[,\u00a0 ](?=\d{3}\b)/g;

/** Thousands may be set apart, but not by a point, which other countries have before fractions. `null` if it is none. */
export function readWholeNumber(text: string): number | null {
  const digits = text.replaceAll(BETWEEN_THOUSANDS, "");
  return /^\d{1,15}$/.test(digits) ? Number(digits) : null;
}
