import { findServingDomainNo } from "#domains/link-domains.ts";
import type { Sql } from "#engines/records/schema.ts";
import { linkKey, OWN_DOMAIN } from "#kernel/link-key.ts";
import { findDeletedById, findDeletedByKey } from "./deleted-links.store.ts";
import type { LinkRow } from "./link-record.ts";
import { findLinkById, findLinkByKey } from "./links.store.ts";
import { readShortAddress } from "./short-address.ts";

/**
 * The link that an operator means, of whatever account: by its id, by its slug on the instance's own domain, as
 * DOMAIN/SLUG, or by its short URL. A host that nobody holds is refused rather than taken for the instance's own, as
 * visitors' requests are: a mistyped domain must not lead to someone else's link. Links in the trash count, too.
 */
export async function getNamedLink(tx: Sql, text: string, ownHosts: readonly string[]): Promise<LinkRow> {
  const { host, slug = text.toLowerCase() } = readShortAddress(text) ?? {};
  // The id first: a slug may be chosen to look like another link's id.
  const byId = host === undefined ? ((await findLinkById(tx, text)) ?? (await findDeletedById(tx, text))) : undefined;
  if (byId) return byId;
  const domainNo = host === undefined ? OWN_DOMAIN : await findServingDomainNo(tx, host, ownHosts);
  if (domainNo === undefined) throw new Error(`no account holds the domain of "${text}"; use the link's id`);
  const key = linkKey(domainNo, slug);
  const found = (await findLinkByKey(tx, key)) ?? (await findDeletedByKey(tx, key));
  if (found) return found;
  throw new Error(
    host === undefined
      ? `no link has the id "${text}", or this slug on the instance's own domain; on others, use DOMAIN/SLUG`
      : `no link has the address "${text}"`,
  );
}
