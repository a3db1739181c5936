import { auditTexts } from "#texts/audit.ts";
import type { historyTexts as en } from "#texts/link-history.ts";
import { blockReasons } from "./block-reasons.ts";

export const historyTexts: typeof en = {
  title: (slug) => `Verlauf von /${slug}`,
  list: "Versionen, neueste zuerst",
  none: "Noch hat sich nichts geändert",
  version: (version) => `Version ${version}`,
  current: "Aktuell",
  actions: {
    created: "hat den Link erstellt",
    updated: (fields) => `hat ${auditTexts.changedFields(fields)} geändert`,
    reverted: (version) => `hat Version ${version} wiederhergestellt`,
    paused: "hat den Link pausiert",
    resumed: "hat den Link fortgesetzt",
    archived: "hat den Link archiviert",
    unarchived: "hat den Link aus dem Archiv geholt",
    deleted: "hat den Link in den Papierkorb gelegt",
    restored: "hat den Link aus dem Papierkorb geholt",
    blocked: "hat den Link gesperrt",
    unblocked: "hat den Link entsperrt",
  },
  unknown: "Was vorher war, ist nicht bekannt",
  someone: "Jemand",
  via: { api: "API", command: "Kommandozeile", import: "Import" },
  revert: "Diese Version wiederherstellen",
  revertNote: "Passwort und Status des Links bleiben beim Wiederherstellen, wie sie sind.",
  wouldChange: (fields) => `Ändert ${auditTexts.changedFields(fields)}`,
  reverted: (version) => `Version ${version} wiederhergestellt.`,
  removed: "Entfernt",
  added: "Hinzugefügt",
  on: "An",
  off: "Aus",
  reordered: "Andere Reihenfolge",
  password: { set: "Gesetzt", replaced: "Ersetzt" },
  blockReasons,
  fields: { blocked: "Gesperrt", password_protected: "Passwort", metadata: "Metadaten" },
};
