import type { Scope } from "#contract/scopes.ts";
import type { Plan } from "./plan.ts";

/** On whose behalf a use case runs. Every look-up is confined to this account. */
export interface Caller {
  readonly accountNo: number;
  readonly accountId: string;
  readonly plan: Plan;
  /** Whether the account is known to have no domain, so that a new link needs no look-up of its default one. */
  readonly hasNoDomains?: boolean;
  /** For the audit log: `token:<id>`, `user:<id>` or `operator`. */
  readonly actor: string;
  /** Of the API token; absent for people and the operator. For what depends on more than the operation. */
  readonly scopes?: readonly Scope[];
  readonly via: "api" | "dashboard" | "import" | "demo";
}
