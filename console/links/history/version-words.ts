import type { LinkVersion } from "#contract/link-history.ts";
import { auditTexts } from "#texts/audit.ts";
import { historyTexts as texts } from "#texts/link-history.ts";

/** Who changed a link, as a sentence begins with them. */
export function nameOf(by: LinkVersion["by"]): string {
  if (by === null) return texts.someone;
  if (by.type === "operator") return auditTexts.operator;
  if (by.type === "blocklist") return auditTexts.blockList;
  if (by.type === "system") return auditTexts.server;
  if (by.type === "user") return by.name ?? auditTexts.gone;
  return by.name === null ? auditTexts.tokenById(by.id ?? "") : auditTexts.token(by.name);
}

/** What they did, to follow their name. */
export function actionOf({ action, reverted_to, after }: LinkVersion): string {
  if (action === "unknown") return texts.unknown;
  if (action === "reverted") return texts.actions.reverted(reverted_to ?? 0);
  if (action !== "updated") return texts.actions[action];
  const fields = Object.keys(after).map((field) => (field === "password_protected" ? "password" : field));
  return texts.actions.updated(fields);
}
