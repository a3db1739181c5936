import { type LinkKey, linkKey, OWN_DOMAIN } from "#kernel/link-key.ts";

/** The key of a link on the instance's own domain. */
export const ownKey = (slug: string): LinkKey => linkKey(OWN_DOMAIN, slug);
