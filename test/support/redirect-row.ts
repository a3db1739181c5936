import type { RedirectRow } from "#engines/records/redirect-reader.ts";

/** An active link as redirect processes read it, with some fields replaced. */
export const redirectRow = (change: Partial<RedirectRow> = {}): RedirectRow => ({
  no: 1,
  account_no: 1,
  destination_url: "https://example.com/",
  utm: {},
  title: null,
  state: "active",
  expires_at: null,
  blocked_reason: null,
  suspended: false,
  guarded: false,
  settings: null,
  ...change,
});
