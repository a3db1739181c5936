import { cleanText } from "#clicks/clean-text.ts";

const NAMES = ["utm_source", "utm_medium", "utm_campaign", "utm_term", "utm_content"] as const;
const MAY_HOLD_UTM = /utm_|%/;
const NONE = "\t\t\t\t";

/** The fields of the five UTM parameters of an address; the first counts where one is repeated. */
export function utmFieldsOf(location: string): string {
  const query = queryOf(location);
  if (!MAY_HOLD_UTM.test(query)) return NONE;
  // The leading & keeps the parser from swallowing a question mark that belongs to the first name.
  const parameters = new URLSearchParams(`&${query}`);
  return NAMES.map((name) => cleanText(parameters.get(name) ?? "")).join("\t");
}

function queryOf(location: string): string {
  const mark = location.indexOf("?");
  if (mark === -1) return "";
  const hash = location.indexOf("#");
  return hash === -1 ? location.slice(mark + 1) : location.slice(mark + 1, Math.max(mark + 1, hash));
}
