import { utmKeys } from "#contract/limits.ts";
import type { Utm } from "#contract/link-record.ts";

/** The UTM parameters that a destination brings along; those of the link take their place. */
export function ownUtm(destination: string): Utm {
  const query = URL.parse(destination)?.searchParams;
  return Object.fromEntries(utmKeys.flatMap((key) => (query?.get(key) ? [[key, query.get(key)]] : [])));
}
