import type { createdTexts as en } from "#texts/link-created.ts";

export const createdTexts: typeof en = {
  label: "Link erstellt",
  ready: "Ihr Link ist fertig",
  customize: "QR-Code anpassen",
  copy: "Link kopieren",
  copiedUrl: (url) => `${url} kopiert`,
  qr: "QR-Code",
  share: "Teilen",
};
