import { localZone } from "#console/ui/days.ts";

const KEY = "kurz.timezone";

/** The zone that was chosen last, or the browser's own. */
export function readTimeZone(): string {
  const stored = localStorage.getItem(KEY);
  return stored !== null && isTimeZone(stored) ? stored : localZone();
}

/** The zone of a report; an address may name one that does not exist. */
export const zoneOf = ({ timezone }: { readonly timezone?: string }): string =>
  timezone !== undefined && isTimeZone(timezone) ? timezone : readTimeZone();

/** The browser's own is not kept, so that it follows a traveller. */
export function storeTimeZone(zone: string): void {
  if (zone === localZone()) localStorage.removeItem(KEY);
  else localStorage.setItem(KEY, zone);
}

export function isTimeZone(name: string): boolean {
  try {
    new Intl.DateTimeFormat("en", { timeZone: name });
    return /^[A-Za-z]/.test(name);
  } catch {
    return false;
  }
}

export const listTimeZones = (): readonly string[] => ["UTC", ...Intl.supportedValuesOf("timeZone")];
