import type { AnsweringHost } from "#domains/answering-host.ts";
import type { RedirectRow } from "#engines/records/redirect-reader.ts";
import type { LinkFields } from "./link-fields.ts";
import type { LinkRow } from "./link-record.ts";

/** A link as redirects read it, maybe with fields that aren't saved. */
export interface LinkDraft {
  readonly slug: string;
  readonly row: RedirectRow;
  /** How many of its `max_clicks` are used up. */
  readonly usedClicks: number;
  readonly host: AnsweringHost;
}

export const draftRowOf = (row: LinkRow, { destination_url, utm, settings }: LinkFields): RedirectRow => ({
  no: row.no,
  account_no: row.account_no,
  destination_url,
  utm: utm as Readonly<Record<string, string>>,
  title: row.title,
  state: row.state,
  expires_at: row.expires_at,
  blocked_reason: row.blocked_reason,
  // Otherwise its owner couldn't ask.
  suspended: false,
  guarded: row.password_hash !== null,
  settings: Object.keys(settings).length === 0 ? null : settings,
});
