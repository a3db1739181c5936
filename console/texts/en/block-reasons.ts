import type { BlockReason } from "#contract/errors.ts";

/** Why the operator blocks an address. */
export const blockReasons: Readonly<Record<BlockReason, string>> = {
  malware: "malware",
  phishing: "phishing",
  spam: "spam",
  legal: "legal",
  manual: "manual",
};
