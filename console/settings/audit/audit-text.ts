import type { AuditEntry } from "#contract/console/account.ts";
import { roles } from "#contract/roles.ts";
import { roleTexts } from "#texts/roles.ts";
import { scopeTexts } from "#texts/scopes.ts";

type Details = AuditEntry["details"];
type Tell = (subject: string, details: Details) => string;

const text = (value: unknown): string => (typeof value === "string" || typeof value === "number" ? String(value) : "");

const roleText = (value: unknown): string => {
  const role = roles.find((one) => one === value);
  return role ? roleTexts[role].label.toLowerCase() : text(value);
};

const scopeText = (value: unknown): string =>
  Object.entries(scopeTexts)
    .filter(([scope]) => Array.isArray(value) && value.includes(scope))
    .map(([, { label }]) => label.charAt(0).toLowerCase() + label.slice(1))
    .join(", ");

const fieldNames: Readonly<Record<string, string>> = {
  destination_url: "the destination",
  expires_at: "the expiry",
  starts_at: "the start",
  expired_url: "the address after its end",
  max_clicks: "the click limit",
  external_id: "the external ID",
  redirect_status: "the redirect status",
  forward_query: "query forwarding",
  forward_path: "path forwarding",
  preview: "the preview card",
  utm: "the UTM parameters",
};

/** As in "the destination and the tags". */
function fieldText(value: unknown): string {
  const names = Array.isArray(value) ? value.map((field) => fieldNames[text(field)] ?? `the ${text(field)}`) : [];
  return names.length === 0 ? "the settings" : new Intl.ListFormat("en").format(names);
}

/** What was done, to follow the name of who did it. */
export const sentences: Readonly<Record<string, Tell>> = {
  "access.refused": (subject, { role }) => `was refused ${subject} as ${roleText(role)}`,
  "account.created": () => "created the account",
  "account.renamed": (_, { name }) => `renamed the account to “${text(name)}”`,
  "account.suspended": () => "suspended the account",
  "account.resumed": () => "lifted the suspension",
  "account.active_links_repaired": () => "counted the active links anew",
  "account.logo_set": () => "changed the logo in QR codes",
  "account.logo_removed": () => "removed the logo from QR codes",
  "account.qr_design_set": () => "changed the design of QR codes",
  "plan.set": (_, { plan }) => `set the plan to ${text(plan)}`,
  "member.invited": (subject, { role }) => `invited ${subject} as ${roleText(role)}`,
  "member.invitation_cancelled": (subject) => `took back the invitation of ${subject}`,
  "member.joined": (_, { role }) => (role === undefined ? "joined the account" : `joined as ${roleText(role)}`),
  "member.added": (subject, { role }) => `added ${subject} as ${roleText(role)}`,
  "member.left": () => "left the account",
  "member.removed": (subject) => `removed ${subject}`,
  "member.role_changed": (subject, { from, to }) =>
    `changed the role of ${subject} from ${roleText(from)} to ${roleText(to)}`,
  "token.created": (subject, { name, scopes }) => {
    const may = scopeText(scopes);
    return `created the token “${text(name) || subject}”${may && ` to ${may}`}`;
  },
  "token.expired": (subject) => `let the token “${subject}” expire`,
  "token.revoked": (subject) => `revoked the token “${subject}”`,
  "domain.created": (_, { name }) => `added the domain ${text(name)}`,
  "domain.updated": (subject) => `changed the domain ${subject}`,
  "domain.verified": (_, { name }) => `verified the domain ${text(name)}`,
  "domain.lost": (subject) => `ended the verification of ${subject}, which another account proved to own`,
  "domain.blocked": (subject) => `blocked an address of the domain ${subject}`,
  "domain.unblocked": (subject) => `unblocked the addresses of the domain ${subject}`,
  "domain.deleted": (_, { name }) => `removed the domain ${text(name)}`,
  "webhook.created": (subject) => `added the webhook endpoint ${subject}`,
  "webhook.updated": (subject) => `changed the webhook endpoint ${subject}`,
  "webhook.enabled": (subject) => `switched the webhook endpoint ${subject} on`,
  "webhook.disabled": (subject) => `switched the webhook endpoint ${subject} off`,
  "webhook.secret_rotated": (subject) => `rotated the secret of ${subject}`,
  "webhook.deleted": (subject) => `deleted the webhook endpoint ${subject}`,
  "link.created": (subject) => `created the link ${subject}`,
  "link.updated": (subject, { fields }) => `changed ${fieldText(fields)} of ${subject}`,
  "link.paused": (subject) => `paused ${subject}`,
  "link.resumed": (subject) => `resumed ${subject}`,
  "link.archived": (subject) => `archived ${subject}`,
  "link.unarchived": (subject) => `unarchived ${subject}`,
  "link.deleted": (subject) => `deleted the link ${subject}`,
  "link.restored": (subject) => `restored the link ${subject}`,
  "link.erased": (subject) => `erased the link ${subject} for good`,
  "link.blocked": (subject) => `blocked the link ${subject}`,
  "link.unblocked": (subject) => `unblocked the link ${subject}`,
};

/** As in "invited eve@example.com as viewer". What nobody wrote a sentence for is shown as it is. */
export function auditSentence({ action, subject, subject_name, details }: AuditEntry): string {
  const tell = sentences[action];
  const name = subject_name ?? subject;
  return tell ? tell(topicOf(action) === "link" ? `/${name}` : name, details) : `${action} ${subject}`;
}

/** `link` of `link.paused`. */
export const topicOf = (action: string): string => action.split(".")[0] ?? action;

export function auditActor({ actor, actor_name }: Pick<AuditEntry, "actor" | "actor_name">): string {
  if (actor_name !== null) return actor.startsWith("token:") ? `The token “${actor_name}”` : actor_name;
  if (actor === "operator") return "The operator";
  if (actor === "blocklist") return "The operator’s block list";
  if (actor === "system") return "The server";
  return actor.startsWith("token:") ? `The token ${actor.slice("token:".length)}` : "Someone who has left";
}
