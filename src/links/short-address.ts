import { findDomainNo } from "#domains/link-domains.ts";
import type { Sql } from "#engines/records/schema.ts";
import { type LinkKey, linkKey } from "#kernel/link-key.ts";

// What may follow the slug (a path, a query, the + of the preview) is how someone came across the link.
const ADDRESS = /^(?:https?:\/\/)?([^/?#@\s]+)\/([^/?#+\s]+)(?=[/?#+]|$)/i;

interface ShortAddress {
  /** Maybe with a port. */
  readonly host: string;
  /** In lower case. */
  readonly slug: string;
}

/** A short URL as people copy it, with or without its scheme; `undefined` for any other text. */
export function readShortAddress(text: string): ShortAddress | undefined {
  const [, host, slug] = ADDRESS.exec(text.trim()) ?? [];
  return host === undefined || slug === undefined ? undefined : { host, slug: slug.toLowerCase() };
}

/** The key of a short URL on the instance's own domain or on one of the account's; whether a link has it is another matter. */
export async function findAddressedKey(
  sql: Sql,
  accountNo: number,
  text: string,
  ownName: string,
): Promise<LinkKey | null> {
  const address = readShortAddress(text);
  if (!address) return null;
  const domainNo = await findDomainNo(sql, accountNo, address.host, ownName);
  return domainNo === undefined ? null : linkKey(domainNo, address.slug);
}
