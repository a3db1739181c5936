import type { BlockReason } from "#contract/errors.ts";

/** Why the operator blocks an address. */
export const blockReasons: Readonly<Record<BlockReason, string>> = {
  malware: "Schadsoftware",
  phishing: "Phishing",
  spam: "Spam",
  legal: "rechtliche Gründe",
  manual: "manuell",
};
