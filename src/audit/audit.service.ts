import type { Sql } from "#engines/records/schema.ts";
import { insertAudit } from "./audit.store.ts";

export interface AuditEntry {
  readonly at: number;
  readonly accountNo: number | null;
  /** `operator`, `token:<id>`, `user:<id>`, `system` or `blocklist`. */
  readonly actor: string;
  /** What was done, as `token.created`. */
  readonly action: string;
  /** The id of what it was done to. Never a secret. */
  readonly subject: string;
  readonly details?: Readonly<Record<string, unknown>>;
}

/** Written in the same transaction as the change, so neither exists without the other. */
export async function appendAudit(
  tx: Sql,
  { at, accountNo, actor, action, subject, details }: AuditEntry,
): Promise<void> {
  await insertAudit(tx, { at, account_no: accountNo, actor, action, subject, details: JSON.stringify(details ?? {}) });
}
