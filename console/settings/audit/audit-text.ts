import { scopeTexts } from "#console/developer/scope-texts.ts";
import { roleTexts } from "#console/settings/members/role-texts.ts";
import type { AuditEntry } from "#contract/console/account.ts";
import { roles } from "#contract/roles.ts";

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
  "link.blocked": (subject) => `blocked the link ${subject}`,
  "link.unblocked": (subject) => `unblocked the link ${subject}`,
};

/** As in "invited eve@example.com as viewer". What nobody wrote a sentence for is told as it is. */
export function auditSentence({ action, subject, subject_name, details }: AuditEntry): string {
  const tell = sentences[action];
  return tell ? tell(subject_name ?? subject, details) : `${action} ${subject}`;
}

export function auditActor({ actor, actor_name }: AuditEntry): string {
  if (actor_name !== null) return actor_name;
  if (actor === "operator") return "The operator";
  if (actor === "blocklist") return "The operator’s block list";
  if (actor === "system") return "The server";
  return actor.startsWith("token:") ? `The token ${actor.slice("token:".length)}` : "Someone who has left";
}
