import type { Domain, DomainSummary } from "#contract/domain-record.ts";
import { toTimestamp, toTimestampOrNull } from "#kernel/clock.ts";
import { showHost } from "#shared/shown-host.ts";
import { blockedUrlsOf } from "./blocked-urls.ts";
import { recordNameOf, recordValueOf } from "./domain-name.ts";
import type { DomainRow } from "./domains.store.ts";

export function toDomain(row: DomainRow): Domain {
  const { created_at, updated_at, ...rest } = toSummary(row);
  return {
    ...rest,
    app_links: {
      apple_app_site_association: parsed(row.apple_app_site_association),
      assetlinks: parsed(row.assetlinks),
    },
    created_at,
    updated_at,
  };
}

/** A domain as events show it. */
export const toSummary = (row: DomainRow): DomainSummary => ({
  id: row.id,
  name: row.name,
  display_name: showHost(row.name).text,
  status: row.status,
  is_default: row.is_default === 1,
  verification: { type: "TXT", name: recordNameOf(row.name), value: recordValueOf(row.token) },
  last_checked_at: toTimestampOrNull(row.last_checked_at),
  last_problem: row.last_problem,
  verified_at: toTimestampOrNull(row.verified_at),
  verified_by: row.verified_by,
  root_redirect_url: row.root_redirect_url,
  not_found_redirect_url: row.not_found_redirect_url,
  expired_redirect_url: row.expired_redirect_url,
  blocked_urls: blockedUrlsOf(row),
  link_count: row.link_count,
  version: row.version,
  created_at: toTimestamp(row.created_at),
  updated_at: toTimestamp(row.updated_at),
});

/** Checked before it was stored. */
const parsed = <T>(json: string | null): T | null => (json === null ? null : (JSON.parse(json) as T));
