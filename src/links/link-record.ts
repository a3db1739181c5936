import type { Selectable } from "kysely";
import { TRASH_DAYS } from "#contract/limits.ts";
import type { Link, Utm } from "#contract/link-record.ts";
import type { LinkCountsTable, LinksTable } from "#engines/records/schema.ts";
import { toTimestamp, toTimestampOrNull } from "#kernel/clock.ts";
import { slugOf } from "#kernel/link-key.ts";
import { siteOf } from "#shared/host-name.ts";
import type { LinkSettings } from "#visits/link-settings.ts";
import { describeSettings } from "./link-settings.ts";

export type LinkRow = Omit<Selectable<LinksTable>, "search_text"> &
  Pick<Selectable<LinkCountsTable>, "click_count" | "last_clicked_at" | "used_clicks">;

/** A link in the trash; its other fields are as they were, `state` included. */
export type DeletedRow = LinkRow & { readonly deleted_at: number };

export const TRASH_MS = TRASH_DAYS * 86_400_000;

export const isDeleted = (row: LinkRow): row is DeletedRow => "deleted_at" in row;

/** The origin of short links, such as `https://s.example`. */
export interface ShortOrigin {
  readonly scheme: string;
  readonly domain: string;
}

export function addressOf(
  { key, domain_name }: Pick<LinkRow, "key" | "domain_name">,
  { scheme, domain: own }: ShortOrigin,
): Pick<Link, "short_url" | "domain" | "slug"> {
  const slug = slugOf(key);
  return { short_url: `${scheme}//${siteOf(domain_name, own)}/${slug}`, domain: domain_name ?? own, slug };
}

export function toLink(row: LinkRow, origin: ShortOrigin, now: number): Link {
  const settings = JSON.parse(row.settings ?? "{}") as LinkSettings;
  return {
    id: row.id,
    ...addressOf(row, origin),
    destination_url: row.destination_url,
    title: row.title,
    tags: JSON.parse(row.tags) as string[],
    utm: JSON.parse(row.utm) as Utm,
    state: isDeleted(row) ? "deleted" : row.state,
    expires_at: toTimestampOrNull(row.expires_at),
    expired: row.expires_at !== null && row.expires_at <= now,
    blocked: row.blocked_reason === null ? null : { reason: row.blocked_reason, at: toTimestamp(row.blocked_at ?? 0) },
    password_protected: row.password_hash !== null,
    ...describeSettings(settings, row.used_clicks, now),
    notes: row.notes,
    external_id: row.external_id,
    metadata: JSON.parse(row.metadata ?? "{}") as Link["metadata"],
    click_count: row.click_count,
    last_clicked_at: toTimestampOrNull(row.last_clicked_at),
    created_via: row.created_via,
    version: row.version,
    created_at: toTimestamp(row.created_at),
    updated_at: toTimestamp(row.updated_at),
    paused_at: toTimestampOrNull(row.paused_at),
    archived_at: toTimestampOrNull(row.archived_at),
    deleted_at: isDeleted(row) ? toTimestamp(row.deleted_at) : null,
    erases_at: isDeleted(row) ? toTimestamp(row.deleted_at + TRASH_MS) : null,
  };
}
