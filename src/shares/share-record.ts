import type { Share } from "#contract/shares.ts";
import { toTimestamp, toTimestampOrNull } from "#kernel/clock.ts";
import type { ShareRow } from "./shares.store.ts";

interface Frame {
  readonly linkId: string;
  readonly baseUrl: string;
  readonly now: number;
}

export function toShare(row: ShareRow, { linkId, baseUrl, now }: Frame): Share {
  const url = `${baseUrl}/share/${row.token}`;
  return {
    id: row.id,
    link_id: linkId,
    url,
    badge_url: row.password_hash === null ? `${url}/badge.svg` : null,
    password_protected: row.password_hash !== null,
    min_visitors: row.min_visitors,
    timezone: row.timezone,
    expires_at: toTimestampOrNull(row.expires_at),
    expired: isExpired(row, now),
    created_at: toTimestamp(row.created_at),
  };
}

export const isExpired = ({ expires_at }: Pick<ShareRow, "expires_at">, now: number): boolean =>
  expires_at !== null && expires_at <= now;
