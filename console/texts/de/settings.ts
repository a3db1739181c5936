import type { settingsTexts as en } from "#texts/settings.ts";

export const settingsTexts: typeof en = {
  appearance: "Darstellung",
  keptHere: "Nur in diesem Browser gespeichert.",
  theme: "Farben",
  themes: {
    system: { label: "System", note: "Hell oder dunkel, wie Ihr Gerät." },
    light: { label: "Hell" },
    dark: { label: "Dunkel" },
  },
  language: "Sprache",
  keyboard: "Tastatur",
  keyboardNote: "? zeigt auf jeder Seite alle Tastenkürzel.",
  shortcuts: "Tastenkürzel aus einer Taste",
  shortcutsNote: "Ausschalten, wenn Sie diktieren oder Tasten versehentlich drücken.",
};
