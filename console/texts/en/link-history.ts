import { auditTexts } from "#texts/audit.ts";
import { blockReasons } from "./block-reasons.ts";

export const historyTexts = {
  title: (slug: string) => `History of /${slug}`,
  list: "Versions, newest first",
  none: "Nothing has changed yet",
  version: (version: number) => `Version ${version}`,
  current: "Current",
  /** What was done, to follow the name of who did it. */
  actions: {
    created: "created the link",
    updated: (fields: readonly string[]) => `changed ${auditTexts.changedFields(fields)}`,
    reverted: (version: number) => `reverted to version ${version}`,
    paused: "paused the link",
    resumed: "resumed the link",
    archived: "archived the link",
    unarchived: "unarchived the link",
    deleted: "moved the link to the trash",
    restored: "restored the link from the trash",
    blocked: "blocked the link",
    unblocked: "unblocked the link",
  },
  /** In place of who and what, for links older than histories. */
  unknown: "What came before isn’t known",
  someone: "Someone",
  via: { api: "API", command: "Command line", import: "Import" } as Readonly<Record<string, string>>,
  revert: "Revert to this version",
  revertNote: "Reverting keeps the link’s password and status.",
  /** What follows is the fields. */
  wouldChange: (fields: readonly string[]) => `Changes ${auditTexts.changedFields(fields)}`,
  reverted: (version: number) => `Reverted to version ${version}.`,
  removed: "Removed",
  added: "Added",
  on: "On",
  off: "Off",
  reordered: "Another order",
  password: { set: "Set", replaced: "Replaced" },
  blockReasons,
  fields: { blocked: "Blocked", password_protected: "Password", metadata: "Metadata" },
};
