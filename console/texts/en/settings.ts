import { formatExact } from "#console/ui/format.ts";

export const settingsTexts = {
  title: "Settings",
  note: "For everyone in this account.",
  tabs: {
    general: "General",
    members: "Members",
    tags: "Tags",
    import: "Import",
    export: "Export",
    audit: "Audit log",
  },
  personalTitle: "Personal settings",
  personalNote: "For you, in every account.",
  personalTabs: { security: "Sign-in and security", appearance: "Appearance" },
  save: "Save",
  saved: "Saved.",

  account: "Account",
  accountNote: "Links, members, tokens and webhooks belong to it.",
  accountName: "Account name",
  onlyOwnersRename: "only owners change the name.",
  copyAccountId: "Copy account ID",

  plan: "Plan and usage",
  planNote: "The operator of this server decides on plans.",
  planName: "Plan",
  apiAccess: "API access",
  included: "Included",
  notIncluded: "Not included",
  rateLimit: "Rate limit",
  noRateLimit: "None",
  requests: (limit: number, seconds: number) =>
    `${formatExact(limit)} requests per token every ${formatExact(seconds)} s`,
  activeLinks: "Active links",
  domains: "Domains",
  tokens: "API tokens",
  endpoints: "Webhook endpoints",

  logo: "Logo",
  logoNote: (kibibytes: number, side: number) =>
    `Shown in the center of your QR codes. A PNG file of up to ${kibibytes} KiB and ${side} × ${side} pixels.`,
  logoAlt: "The account’s logo",
  chooseLogo: "Choose a PNG file",
  replaceLogo: "Replace the logo",
  removeLogo: "Remove the logo",
  logoTooLarge: (kibibytes: number) => `A logo can have up to ${kibibytes} KiB.`,
  fileUnreadable: "The file can’t be read.",

  deleteAccount: "Delete account",
  deleteAccountNote:
    "Its links stop redirecting, and everything in it is deleted for good: links, reports, tokens, webhooks and members.",
  askDelete: (account: string) => `Delete ${account}?`,
  askDeleteNote:
    "Every short link of this account stops working at once. Nobody can restore it, not even the operator.",
  deleteForGood: "Delete for good",

  exportTitle: "Links",
  exportNote:
    "Every link of the account with its destination, tags, state and clicks. CSV opens in a spreadsheet; JSON has every field, as in the API.",
  downloadCsv: "Download CSV",
  downloadJson: "Download JSON",
  archiveTitle: "Everything",
  archiveNote:
    "Links with their history, domains, tags, webhooks without secrets, and clicks as counts by quarter hour. Import it into another Kurz to get the same links and the same reports.",
  downloadArchive: "Download archive",
  exportReports: "To export a report as CSV, open it and choose your filters.",

  appearance: "Appearance",
  keptHere: "Saved in this browser only.",
  theme: "Theme",
  themes: {
    system: { label: "System", note: "Light or dark, like your device." },
    light: { label: "Light" },
    dark: { label: "Dark" },
  },
  language: "Language",
  keyboard: "Keyboard",
  keyboardNote: "Press ? on any page to see all shortcuts.",
  shortcuts: "Single-key shortcuts",
  shortcutsNote: "Turn them off if you dictate, or press keys by accident.",
};
