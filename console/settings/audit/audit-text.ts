import type { AuditEntry } from "#contract/console/account.ts";
import { roles } from "#contract/roles.ts";
import { type AuditFacts, auditTexts as texts } from "#texts/audit.ts";
import { roleTexts } from "#texts/roles.ts";
import { scopeTexts } from "#texts/scopes.ts";

const text = (value: unknown): string => (typeof value === "string" || typeof value === "number" ? String(value) : "");

const roleText = (value: unknown): string => {
  const role = roles.find((one) => one === value);
  return role ? roleTexts[role].name : text(value);
};

/** Those that follow from others: they change along, and nobody set them. */
const derivedFields = new Set(["expired", "exhausted", "scheduled", "password_protected"]);

const factsOf = (subject: string, { name, plan, role, from, to, ...details }: AuditEntry["details"]): AuditFacts => ({
  subject,
  name: text(name),
  plan: text(plan),
  role: roleText(role),
  from: roleText(from),
  to: roleText(to),
  scopes: Object.entries(scopeTexts)
    .filter(([scope]) => Array.isArray(details.scopes) && details.scopes.includes(scope))
    .map(([, { label }]) => label),
  fields: Array.isArray(details.fields) ? details.fields.map(text).filter((field) => !derivedFields.has(field)) : [],
});

/** As in "invited eve@example.com as viewer". What nobody wrote a sentence for is shown as it is. */
export function auditSentence({ action, subject, subject_name, details }: AuditEntry): string {
  const tell = texts.sentences[action];
  const name = subject_name ?? subject;
  return tell ? tell(factsOf(topicOf(action) === "link" ? `/${name}` : name, details)) : `${action} ${subject}`;
}

/** `link` of `link.paused`. */
export const topicOf = (action: string): string => action.split(".")[0] ?? action;

export function auditActor({ actor, actor_name }: Pick<AuditEntry, "actor" | "actor_name">): string {
  if (actor_name !== null) return actor.startsWith("token:") ? texts.token(actor_name) : actor_name;
  if (actor === "operator") return texts.operator;
  if (actor === "blocklist") return texts.blockList;
  if (actor === "system") return texts.server;
  return actor.startsWith("token:") ? texts.tokenById(actor.slice("token:".length)) : texts.gone;
}
