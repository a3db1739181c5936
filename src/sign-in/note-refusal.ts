import { appendAudit } from "#audit/audit.service.ts";
import type { SignInDeps } from "./sign-in-deps.ts";

interface Refusal {
  /** `null`: unknown. */
  readonly userId: string | null;
  readonly method: "password" | "code" | "passkey" | "sso";
  /** Why, if there is more to say than that it was wrong. */
  readonly reason?: string;
}

/** Doesn't wait for the write, so that response times don't reveal whether a user exists. */
export function noteRefusal({ records, clock }: Pick<SignInDeps, "records" | "clock">, refusal: Refusal): void {
  const { userId, ...details } = refusal;
  const entry = { at: clock(), accountNo: null, actor: "visitor", action: "session.refused" };
  records.write((tx) => appendAudit(tx, { ...entry, subject: userId ?? "unknown", details })).catch(() => {});
}
