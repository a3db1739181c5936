import type { ImportedLink } from "#imports/import-source.ts";
import { TOTAL_LOSS, totalOf } from "./click-total.ts";

interface Row {
  readonly url: string;
  readonly title?: string | null | undefined;
  readonly clicks: number;
}

interface Facts {
  readonly keyword: string;
  readonly host: string;
  readonly createdAt: number | null;
  /** Of how many clicks the time is known; the API knows none. */
  readonly logged: number;
}

export function toLink({ url, title, clicks }: Row, { keyword, host, createdAt, logged }: Facts): ImportedLink {
  const rest = clicks - logged;
  const fields = {
    destination_url: url,
    title: title ?? null,
    redirect_status: 301,
    forward_query: false,
    metadata: rest > 0 ? totalOf(rest) : null,
  } as const;
  return {
    sourceId: sourceIdOf(host, keyword),
    slug: keyword,
    host,
    fields,
    state: "active",
    createdAt,
    hadPassword: false,
    usedClicks: 0,
    losses: rest > 0 ? [TOTAL_LOSS] : [],
  };
}

export const sourceIdOf = (host: string, keyword: string): string => `${host}/${keyword}`;
