import type { gateTexts as en } from "#texts/gate.ts";

export const gateTexts: typeof en = {
  language: "Sprache",
  wrongAddress: "Falsche Adresse",
  opened:
    "Sie haben {opened} geöffnet, aber dieser Server ist für {expected} eingerichtet. Nur dort können Sie sich anmelden.",
  goThere: "Zur richtigen Adresse",
  operator:
    "Betreiben Sie diesen Server? Um die geöffnete Adresse zu benutzen, setzen Sie {setting} und starten Sie ihn neu.",
};
