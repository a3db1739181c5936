import type { CommandContext } from "../command.ts";

export type Level = "ok" | "warning" | "problem";

export interface Finding {
  readonly level: Level;
  readonly message: string;
}

export interface Check {
  readonly name: string;
  /** Needs the services, and records on the newest schema. */
  readonly needsRecords?: true;
  /** Returns no findings if the check doesn't apply. */
  run(context: CommandContext, options: { readonly repair: boolean }): Finding[] | Promise<Finding[]>;
}

export const ok = (message: string): Finding => ({ level: "ok", message });
export const warning = (message: string): Finding => ({ level: "warning", message });
export const problem = (message: string): Finding => ({ level: "problem", message });
