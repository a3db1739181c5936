import type { Plan } from "./plan.ts";

/** On whose behalf a use case runs. Every look-up is confined to this account. */
export interface Caller {
  readonly accountNo: number;
  readonly accountId: string;
  readonly plan: Plan;
  /** For the audit log: `token:<id>`, `user:<id>` or `operator`. */
  readonly actor: string;
  readonly via: "api" | "dashboard" | "import" | "demo";
}
