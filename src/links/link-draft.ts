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

/** What a link has apart from the fields that its owner sets. */
type Standing = Pick<
  LinkRow,
  "no" | "account_no" | "title" | "state" | "expires_at" | "blocked_reason" | "password_hash"
>;

/** One that nobody has created yet has no number, which no visit asks for. */
export const standingOfNew = (accountNo: number): Standing => ({
  no: 0,
  account_no: accountNo,
  title: null,
  state: "active",
  expires_at: null,
  blocked_reason: null,
  password_hash: null,
});

export const draftRowOf = (row: Standing, { destination_url, utm, settings }: LinkFields): RedirectRow => ({
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
