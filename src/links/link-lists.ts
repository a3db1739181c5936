import type { LinkPage } from "#contract/link-record.ts";
import { LINKS_COUNTED_MAX, type LinkCount, type LinkFilters, type LinkQuery } from "#contract/links.ts";
import { findDomainNo, namespacesOf } from "#domains/link-domains.ts";
import type { Sql } from "#engines/records/schema.ts";
import type { Caller } from "#kernel/caller.ts";
import type { DestinationRules } from "#shared/destination-rules.ts";
import { checkDestination } from "./destination.ts";
import type { LinkDeps } from "./link-deps.ts";
import { countMatching, findLinkPage, type ListRequest } from "./link-list.store.ts";
import { emptyPage, placeOf, toPage } from "./link-page.ts";
import { findAddressedKey } from "./short-address.ts";

/** Links that match filters. */
export function linkLists({
  records,
  clock,
  cursors,
  origin,
  destinations,
}: Pick<LinkDeps, "records" | "clock" | "cursors" | "origin" | "destinations">) {
  /** What the store is asked for the first page; `null` if no link can match. */
  const listRequest = async ({ accountNo }: Caller, query: LinkQuery): Promise<ListRequest | null> => {
    const namespaces = await findNamespaces(records.read, accountNo, query, origin.domain);
    if (namespaces?.length === 0 || hasControls(query)) return null;
    const { q } = query;
    const addressed = q === undefined ? null : await findAddressedKey(records.read, accountNo, q, origin.domain);
    return {
      accountNo,
      namespaces,
      query: withStoredDestination(query, destinations),
      addressed,
      from: null,
      isBackwards: false,
      now: clock(),
    };
  };

  return {
    async list(caller: Caller, query: LinkQuery): Promise<LinkPage> {
      const place = placeOf(query, cursors);
      const first = await listRequest(caller, query);
      if (!first) return emptyPage;
      const request = { ...first, ...place };
      return toPage(await findLinkPage(records, request), { request, cursors, origin });
    },

    async count(caller: Caller, filters: LinkFilters): Promise<LinkCount> {
      const request = await listRequest(caller, { ...filters, sort: "created_at", limit: 1 });
      const found = request ? await countMatching(records, request, LINKS_COUNTED_MAX + 1) : 0;
      return { count: Math.min(found, LINKS_COUNTED_MAX), at_least: found > LINKS_COUNTED_MAX };
    },
  };
}

/** No searchable text contains one. */
const hasControls = ({ q }: LinkQuery): boolean => q !== undefined && /\p{Cc}/u.test(q);

/** Links are found by what is stored of a destination; one that no link can have finds none. */
function withStoredDestination(query: LinkQuery, rules: DestinationRules): LinkQuery {
  if (query.destination_url === undefined) return query;
  const checked = checkDestination(query.destination_url, rules);
  return checked.ok ? { ...query, destination_url: checked.url } : query;
}

/** The namespaces a list is confined to; `null` if it isn't. A slug is looked for in each of them. */
async function findNamespaces(
  sql: Sql,
  accountNo: number,
  { domain, slug }: LinkQuery,
  ownName: string,
): Promise<readonly number[] | null> {
  if (domain === undefined) return slug === undefined ? null : namespacesOf(sql, accountNo);
  const no = await findDomainNo(sql, accountNo, domain, ownName);
  return no === undefined ? [] : [no];
}
