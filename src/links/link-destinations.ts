import type { NamedUrl } from "#domains/self-reference.ts";
import type { LinkSettings } from "#visits/link-settings.ts";

interface Addresses {
  readonly destination_url: string;
  readonly settings: LinkSettings;
}

/** Every address that visitors may be led to or shown: all of them follow the same rules. */
export function destinationsOf({ destination_url, settings }: Addresses): readonly NamedUrl[] {
  const { rules = [], expired_url, preview } = settings;
  const optional: readonly [string, string | null | undefined][] = [
    ["expired_url", expired_url],
    ["preview.image_url", preview?.image_url],
  ];
  return [
    { field: "destination_url", url: destination_url },
    ...rules.flatMap((rule, no) =>
      "split" in rule
        ? rule.split.map(({ destination_url: url }, at) => ({ field: `rules.${no}.split.${at}.destination_url`, url }))
        : [{ field: `rules.${no}.destination_url`, url: rule.destination_url }],
    ),
    ...optional.flatMap(([field, url]) => (url ? [{ field, url }] : [])),
  ];
}

/** Those that a link without a change didn't have. */
export function newDestinationsOf(before: Addresses | null, after: Addresses): readonly NamedUrl[] {
  const known = new Set(before === null ? [] : destinationsOf(before).map(({ url }) => url));
  return destinationsOf(after).filter(({ url }) => !known.has(url));
}

/** The same for stored texts. */
export const storedUrlsOf = (row: { readonly destination_url: string; readonly settings: string | null }) =>
  destinationsOf({ ...row, settings: JSON.parse(row.settings ?? "{}") as LinkSettings }).map(({ url }) => url);
