import { plural } from "#console/ui/format.ts";

/** The dialog that shares a link's report. */
export const sharingTexts = {
  title: (slug: string) => `Share the report of /${slug}`,
  note: "Anyone with the address can see this link’s report, without an account. They can’t change anything.",
  list: "Shared reports",
  address: "Address",
  copyAddress: "Copy address",
  created: (ago: string) => `Created ${ago}`,
  until: (instant: string) => `until ${instant}`,
  expired: "Expired",
  password: "Password",
  minVisitors: (least: number) => `${least}+ visitors`,
  previewOf: "Open the shared report",
  badge: "Badge",
  badgeNote: "An image with the current number of clicks, for a README or a web page.",
  noBadge: "No badge: it would show the clicks without the password.",
  badgeAlt: "Preview of the badge",
  markdown: "Markdown",
  html: "HTML",
  copyMarkdown: "Copy Markdown",
  copyHtml: "Copy HTML",
  /** What screen readers say of it on other pages. */
  badgeWords: "Clicks",
  revoke: "Revoke",
  revokeLabel: (address: string) => `Revoke ${address}`,
  revokeQuestion: "Revoke this shared report?",
  revokeNote:
    "Its address stops working at once, for everyone who has it. You can share the report again at a new address.",
  revoked: "Revoked. The address no longer works.",
  /** An address that has expired. */
  remove: "Remove",
  removeLabel: (address: string) => `Remove ${address}`,
  removed: "Removed.",
  another: "New address",
  optional: "optional",
  form: {
    title: "New address",
    password: "Password",
    passwordHint: "Visitors enter it to see the report.",
    expires: "Ends",
    expiresHint: "Never ends by default.",
    minVisitors: "Minimum visitors",
    minVisitorsHint: (least: number) =>
      least > 1
        ? `Countries, referrers and other values with fewer than ${plural(least, "visitor")} are left out, and nobody can filter.`
        : "Lists every value, even one with a single visitor.",
    timezoneHint: "Days in the report begin at midnight there.",
    create: "Create address",
  },
};
