import { enumerate } from "#console/ui/format.ts";

/** What is known about an entry, in words; empty if it doesn't say. */
export interface AuditFacts {
  readonly subject: string;
  readonly name: string;
  readonly plan: string;
  /** Within a sentence, as are the next two. */
  readonly role: string;
  readonly from: string;
  readonly to: string;
  readonly scopes: readonly string[];
  /** The names of a link's fields in the API. */
  readonly fields: readonly string[];
}

const fieldNames: Readonly<Record<string, string>> = {
  destination_url: "the destination",
  title: "the title",
  tags: "the tags",
  utm: "the UTM parameters",
  expires_at: "the expiry",
  starts_at: "the start",
  expired_url: "the address after its end",
  max_clicks: "the click limit",
  password: "the password",
  rules: "the rules",
  redirect_status: "the redirect status",
  forward_query: "query forwarding",
  forward_path: "path forwarding",
  preview: "the preview card",
  notes: "the notes",
  external_id: "the external ID",
  metadata: "the metadata",
};

/** As in "the destination and the tags". */
const fieldText = (fields: readonly string[]): string =>
  fields.length === 0 ? "the settings" : enumerate(fields.map((field) => fieldNames[field] ?? `“${field}”`));

const uncapitalize = (label: string): string => label.charAt(0).toLowerCase() + label.slice(1);

/** What was done, to follow the name of who did it. */
const sentences: Readonly<Record<string, (facts: AuditFacts) => string>> = {
  "access.refused": ({ subject, role }) => `was refused ${subject} as ${role}`,
  "account.created": () => "created the account",
  "account.exported": () => "exported the account",
  "account.renamed": ({ name }) => `renamed the account to “${name}”`,
  "account.suspended": () => "suspended the account",
  "account.resumed": () => "lifted the suspension",
  "account.sso_required": () => "required single sign-on",
  "account.sso_optional": () => "allowed other ways to sign in than single sign-on",
  "account.active_links_repaired": () => "recounted the active links",
  "account.logo_set": () => "changed the logo in QR codes",
  "account.logo_removed": () => "removed the logo from QR codes",
  "account.qr_design_set": () => "changed the design of QR codes",
  "account.utm_template_saved": ({ name }) => `saved the UTM template “${name}”`,
  "account.utm_template_deleted": ({ name }) => `deleted the UTM template “${name}”`,
  "import.started": () => "started an import",
  "import.undone": () => "undid an import",
  "plan.set": ({ plan }) => `set the plan to ${plan}`,
  "member.invited": ({ subject, role }) => `invited ${subject} as ${role}`,
  "member.invitation_cancelled": ({ subject }) => `canceled the invitation for ${subject}`,
  "member.joined": ({ role }) => (role === "" ? "joined the account" : `joined as ${role}`),
  "member.added": ({ subject, role }) => `added ${subject} as ${role}`,
  "member.left": () => "left the account",
  "member.removed": ({ subject }) => `removed ${subject}`,
  "member.role_changed": ({ subject, from, to }) => `changed the role of ${subject} from ${from} to ${to}`,
  "token.created": ({ subject, name, scopes }) =>
    `created the token “${name || subject}”${scopes.length > 0 ? ` to ${scopes.map(uncapitalize).join(", ")}` : ""}`,
  "token.expired": ({ subject }) => `let the token “${subject}” expire`,
  "token.revoked": ({ subject }) => `revoked the token “${subject}”`,
  "domain.created": ({ name }) => `added the domain ${name}`,
  "domain.updated": ({ subject }) => `changed the domain ${subject}`,
  "domain.verified": ({ name }) => `verified the domain ${name}`,
  "domain.lost": ({ subject }) => `ended the verification of ${subject}, which another account proved to own`,
  "domain.blocked": ({ subject }) => `blocked an address of the domain ${subject}`,
  "domain.unblocked": ({ subject }) => `unblocked the addresses of the domain ${subject}`,
  "domain.deleted": ({ name }) => `removed the domain ${name}`,
  "webhook.created": ({ subject }) => `added the webhook endpoint ${subject}`,
  "webhook.updated": ({ subject }) => `changed the webhook endpoint ${subject}`,
  "webhook.enabled": ({ subject }) => `switched the webhook endpoint ${subject} on`,
  "webhook.disabled": ({ subject }) => `switched the webhook endpoint ${subject} off`,
  "webhook.secret_rotated": ({ subject }) => `rotated the secret of ${subject}`,
  "webhook.deleted": ({ subject }) => `deleted the webhook endpoint ${subject}`,
  "tag.renamed": ({ subject, name }) => `renamed the tag “${subject}” to “${name}”`,
  "tag.deleted": ({ subject }) => `deleted the tag “${subject}”`,
  "tag.colored": ({ subject }) => `changed the color of the tag “${subject}”`,
  "link.created": ({ subject }) => `created the link ${subject}`,
  "link.updated": ({ subject, fields }) => `changed ${fieldText(fields)} of ${subject}`,
  "link.paused": ({ subject }) => `paused ${subject}`,
  "link.resumed": ({ subject }) => `resumed ${subject}`,
  "link.archived": ({ subject }) => `archived ${subject}`,
  "link.unarchived": ({ subject }) => `unarchived ${subject}`,
  "link.deleted": ({ subject }) => `deleted the link ${subject}`,
  "link.restored": ({ subject }) => `restored the link ${subject}`,
  "link.erased": ({ subject }) => `erased the link ${subject} for good`,
  "link.shared": ({ subject }) => `shared the report of ${subject}`,
  "link.unshared": ({ subject }) => `revoked a shared report of ${subject}`,
  "link.blocked": ({ subject }) => `blocked the link ${subject}`,
  "link.unblocked": ({ subject }) => `unblocked the link ${subject}`,
};

/** Whom a topic's filter shows, and which actions have one of their own. */
const topics: readonly (readonly [topic: string, label: string, actions?: Readonly<Record<string, string>>])[] = [
  [
    "link",
    "Links",
    {
      "link.created": "Links: created",
      "link.updated": "Links: changed",
      "link.paused": "Links: paused",
      "link.resumed": "Links: resumed",
      "link.archived": "Links: archived",
      "link.unarchived": "Links: unarchived",
      "link.deleted": "Links: deleted",
      "link.erased": "Links: erased for good",
      "link.restored": "Links: restored",
      "link.shared": "Links: shared",
      "link.unshared": "Links: no longer shared",
    },
  ],
  ["tag", "Tags"],
  ["domain", "Domains"],
  ["member", "Members"],
  ["token", "API tokens"],
  ["webhook", "Webhooks"],
  ["account", "Account"],
  ["access", "Refused attempts"],
];

export const auditTexts = {
  title: "Audit log",
  /** As in “the destination and the tags”. */
  changedFields: fieldText,
  /** Of a page for admins only. */
  what: "Audit logs",
  note: "Who changed what: links, domains, members, tokens, webhooks and the account. Link changes are kept for 400 days.",
  nothing: "Nothing has happened yet",
  noMatch: "No matching entries",
  clear: "Clear filters",
  who: "Who",
  anyone: "Who: anyone",
  whatFilter: "What",
  everything: "What: everything",
  oneLink: "One link",
  showAllLinks: (link: string) => `${link}: show all`,
  openLink: "Open link",
  onlyThisLink: "Show only this link",
  places: { api: "API", command: "Command line" } as Readonly<Record<string, string>>,
  topics,
  sentences,
  operator: "The operator",
  blockList: "The operator’s block list",
  server: "The server",
  token: (name: string) => `The token “${name}”`,
  tokenById: (id: string) => `The token ${id}`,
  tokenChoice: (name: string) => `Token “${name}”`,
  gone: "Someone who has left",
};
