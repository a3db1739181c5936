import type { Sql } from "#engines/records/schema.ts";
import { ApiError } from "#kernel/api-error.ts";
import { asciiName } from "#kernel/ascii-name.ts";
import type { Caller } from "#kernel/caller.ts";
import { OWN_DOMAIN } from "#kernel/link-key.ts";
import { hostNameOf } from "#shared/host-name.ts";
import { notVerified } from "./domains.service.ts";
import { findDefault, findOwn, hasDomain, listNumbers } from "./link-domains.store.ts";
import { findVerifiedNo } from "./verified-names.store.ts";

/** The domain of a link; the instance's own has no name, since the configuration may change it. */
export interface LinkDomain {
  readonly no: number;
  readonly name: string | null;
}

const ownDomain: LinkDomain = { no: OWN_DOMAIN, name: null };

const isInstance = (name: string, ownName: string): boolean => asciiName(name) === hostNameOf(ownName);

/** Where a new link goes: the domain that was asked for, the account's default, or the instance's own. */
export async function domainForNewLink(
  tx: Sql,
  { accountNo, hasNoDomains }: Pick<Caller, "accountNo" | "hasNoDomains">,
  wanted: string | null | undefined,
  ownName: string,
): Promise<LinkDomain> {
  if (wanted === null || wanted === undefined) {
    return hasNoDomains === true ? ownDomain : ((await findDefault(tx, accountNo)) ?? ownDomain);
  }
  if (isInstance(wanted, ownName)) return ownDomain;
  const found = await findOwn(tx, accountNo, asciiName(wanted));
  if (found?.status !== "verified") throw notVerified(wanted, found);
  return found;
}

/** For a link that comes back from the trash: its domain may be gone, and one of the same name is another namespace. */
export async function assertDomainKept(tx: Sql, { no, name }: LinkDomain): Promise<void> {
  if (no === OWN_DOMAIN || (await hasDomain(tx, no))) return;
  throw new ApiError("domain_not_verified", `The link's domain ${name} was removed, so it can't be restored.`, {
    domain: name ?? "",
  });
}

/** The number that a list is filtered by, whatever the state of the domain; `undefined` if no link can have it. */
export async function findDomainNo(
  sql: Sql,
  accountNo: number,
  name: string,
  ownName: string,
): Promise<number | undefined> {
  if (isInstance(name, ownName)) return OWN_DOMAIN;
  return (await findOwn(sql, accountNo, asciiName(name)))?.no;
}

/** The number of the domain that serves links on a host, maybe with a port, whoever holds it; `undefined` if nobody does. */
export async function findServingDomainNo(
  sql: Sql,
  host: string,
  ownHosts: readonly string[],
): Promise<number | undefined> {
  const name = hostNameOf(host);
  if (ownHosts.some((own) => isInstance(name, own))) return OWN_DOMAIN;
  return findVerifiedNo(sql, asciiName(name));
}

/** Every namespace in which the account may have links. */
export const namespacesOf = async (sql: Sql, accountNo: number): Promise<readonly number[]> => [
  OWN_DOMAIN,
  ...(await listNumbers(sql, accountNo)),
];
