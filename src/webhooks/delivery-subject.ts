import type { JsonPath } from "#engines/records/json-text.ts";

/** Where an event names what it is about: a link, the link of the first of several clicks, or a domain. */
export const subjectPaths: readonly JsonPath[] = [
  ["data", "link", "short_url"],
  ["data", "clicks", 0, "link", "short_url"],
  ["data", "domain", "name"],
];

export const showSubject = (found: string | null): string | null => found?.replace(/^https?:\/\//, "") ?? null;

/** What an event is about, from its exact text. */
export function subjectOf(body: string): string | null {
  const event: unknown = JSON.parse(body);
  for (const path of subjectPaths) {
    const found = path.reduce((value, step) => (value as Record<string | number, unknown> | undefined)?.[step], event);
    if (typeof found === "string") return showSubject(found);
  }
  return null;
}
