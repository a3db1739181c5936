import type { CommandContext } from "../command.ts";

export type Level = "ok" | "warning" | "problem";

export interface Finding {
  readonly level: Level;
  readonly message: string;
}

export interface Check {
  readonly name: string;
  /** Asks the records engine, which must be there and on the newest schema. */
  readonly needsRecords?: true;
  /** Findings of one matter; none where it does not apply. */
  run(context: CommandContext, options: { readonly repair: boolean }): Finding[] | Promise<Finding[]>;
}

export const ok = (message: string): Finding => ({ level: "ok", message });
export const warning = (message: string): Finding => ({ level: "warning", message });
export const problem = (message: string): Finding => ({ level: "problem", message });
