declare const brand: unique symbol;

/**
 * What a short link is found by: its slug, within the namespace of its domain. On the instance's own domain it is the
 * slug itself, so the links that most visitors open need nothing put together.
 */
export type LinkKey = string & { readonly [brand]: true };

/** The instance's own short domain, as the number of a domain. */
export const OWN_DOMAIN = 0;

/** Can't be part of a slug. */
const SEPARATOR = "/";

/** No link has it. What is stored under it are the hosts of all verified domains. */
export const HOSTS_KEY = SEPARATOR as LinkKey;

/** Expects the slug in lower case. */
export const linkKey = (domainNo: number, slug: string): LinkKey =>
  (domainNo === OWN_DOMAIN ? slug : domainNo + SEPARATOR + slug) as LinkKey;

export const slugOf = (key: LinkKey): string => key.slice(key.indexOf(SEPARATOR) + 1);
