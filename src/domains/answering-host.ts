import type { Sql } from "#engines/records/schema.ts";
import { OWN_DOMAIN } from "#kernel/link-key.ts";
import { blockedUrlsOf } from "./blocked-urls.ts";
import { findHolderOf } from "./link-domains.store.ts";

/** Where visitors who find nothing are led. */
export interface DomainRedirects {
  readonly not_found_redirect_url: string | null;
  readonly expired_redirect_url: string | null;
}

/** Who answers now where a link should. */
export interface AnsweringHost {
  /** Null on the instance's own domain, and if nobody holds the link's. */
  readonly name: string | null;
  /** False once the domain is lost: whoever else answers there doesn't know the link. */
  readonly knowsLink: boolean;
  /** Null if it is the instance, as on every host that nobody holds. */
  readonly redirects: DomainRedirects | null;
}

const nowhere: DomainRedirects = { not_found_redirect_url: null, expired_redirect_url: null };

export async function findAnsweringHost(sql: Sql, domainNo: number): Promise<AnsweringHost> {
  if (domainNo === OWN_DOMAIN) return { name: null, knowsLink: true, redirects: null };
  const holder = await findHolderOf(sql, domainNo);
  if (holder === undefined) return { name: null, knowsLink: false, redirects: null };
  const { no, name, suspended_at, not_found_redirect_url, expired_redirect_url } = holder;
  const blocked = Object.fromEntries(blockedUrlsOf(holder).map(({ field }) => [field, null]));
  const redirects = suspended_at === null ? { not_found_redirect_url, expired_redirect_url, ...blocked } : nowhere;
  return { name, knowsLink: no === domainNo, redirects };
}
