import { appendAudit } from "#audit/audit.service.ts";
import type { SignInDeps } from "./sign-in-deps.ts";

interface Refusal {
  /** `null`: nobody knows whose. */
  readonly userId: string | null;
  readonly method: "password" | "code" | "passkey";
}

/** After the answer: what is written about someone who exists must not be seen in the time it takes. */
export function noteRefusal({ records, clock }: Pick<SignInDeps, "records" | "clock">, refusal: Refusal): void {
  const { userId, method } = refusal;
  const entry = { at: clock(), accountNo: null, actor: "visitor", action: "session.refused" };
  records
    .write((tx) => appendAudit(tx, { ...entry, subject: userId ?? "unknown", details: { method } }))
    .catch(() => {});
}
