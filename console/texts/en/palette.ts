/** A command, and other words that people look for it by: in lower case, English ones too. */
interface Named {
  readonly label: string;
  readonly keywords: string;
}

const named = <const N extends string>(all: Readonly<Record<N, Named>>): Readonly<Record<N, Named>> => all;

export const paletteTexts = {
  title: "Commands",
  search: "Search links and commands",
  placeholder: "Search links, or type a command",
  whichLink: "Which link?",
  /** A command that asks for a link next. */
  askingFor: (verb: string) => `${verb}…`,
  whichLinkFor: (verb: string) => `${verb}: which link?`,
  results: "Results",
  searching: "Searching…",
  nothing: "Nothing found.",
  groups: {
    actions: "Actions",
    pages: "Go to",
    accounts: "Switch account",
    appearance: "Appearance",
    help: "Help",
    links: "Links found",
  },
  pages: named({
    links: { label: "Links", keywords: "short urls list home" },
    reports: { label: "Reports", keywords: "analytics statistics clicks visitors charts qr scans" },
    domains: { label: "Domains", keywords: "host name dns brand" },
    tokens: { label: "API tokens", keywords: "developer key secret access" },
    webhooks: { label: "Webhooks", keywords: "developer endpoints deliveries events" },
    api: { label: "API quick start", keywords: "developer docs curl sdk client base url limits" },
    settings: { label: "Account settings", keywords: "general rename logo plan usage limits delete account" },
    members: { label: "Members", keywords: "settings people team users roles invitations" },
    tags: { label: "Tags", keywords: "settings labels rename merge color colour groups" },
    import: { label: "Import", keywords: "settings move migrate dub bitly shlink kutt yourls csv upload" },
    export: { label: "Export", keywords: "settings download csv json backup all links" },
    audit: { label: "Audit log", keywords: "settings history activity who changed paused" },
    security: {
      label: "Sign-in and security",
      keywords: "personal settings profile password email address name passkeys two-factor 2fa authenticator sessions",
    },
    appearance: {
      label: "Appearance",
      keywords: "personal settings theme dark light language sprache german deutsch english keyboard shortcuts",
    },
  }),
  /** Links that the list leaves out. */
  elsewhere: named({
    archived: { label: "Archived links", keywords: "archive old" },
    deleted: { label: "Trash", keywords: "deleted links bin recycle restore" },
  }),
  additions: named({
    link: { label: "Create link", keywords: "new shorten add url" },
    token: { label: "Create API token", keywords: "new key secret developer" },
    webhook: { label: "Add webhook endpoint", keywords: "new developer events" },
    member: { label: "Invite someone", keywords: "new member people team user add" },
    domain: { label: "Add domain", keywords: "new host name dns" },
  }),
  /** What to do with a link, which is asked for next. */
  verbs: named({
    qr: { label: "QR code of a link", keywords: "scan print download png svg" },
    report: { label: "Report of a link", keywords: "analytics statistics clicks" },
    copy: { label: "Copy a short link", keywords: "clipboard url address share" },
  }),
  copied: (link: string) => `Copied ${link}.`,
  password: { label: "Change password", keywords: "personal security" },
  themeKeywords: "color mode",
  language: (name: string) => `Language: ${name}`,
  languageKeywords: "sprache german deutsch english englisch translation",
  docsKeywords: "docs guides manual help",
  referenceKeywords: "docs openapi swagger",
  shortcutsKeywords: "keys",
  newsKeywords: "changes changelog release notes version",
  signOutKeywords: "log out logout",
};
