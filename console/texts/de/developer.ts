import { enumerate } from "#console/ui/format.ts";
import type { developerTexts as en } from "#texts/developer.ts";

export const developerTexts: typeof en = {
  title: "Entwickler",
  note: "Tokens, Webhooks und API-Dokumentation für Ihre Integrationen.",
  tabs: { tokens: "Tokens", webhooks: "Webhooks", api: "API" },
  reference: "Referenz",
  referenceNote: "Alle Operationen, mit Formularen zum Ausprobieren im Browser. Auch als OpenAPI-Dokument.",
  openReference: "Referenz öffnen",
  baseUrl: "Basis-URL",
  copyBaseUrl: "Basis-URL kopieren",
  quickStart: "Schnellstart",
  quickStartNote: (permissions) =>
    `Die Beispiele brauchen ein Token mit den Berechtigungen ${enumerate(permissions.map((name) => `„${name}“`))} in der Umgebungsvariablen TOKEN.`,
  quickStartAdmins: "Admins können eines erstellen.",
  curlExample: "Beispiel mit curl",
  installCommand: "Installationsbefehl",
  clientExample: "Beispiel in TypeScript",
  assistants: "Assistenten verbinden",
  assistantsNote: "Assistenten mit MCP können Ihre Links verwalten, soweit die Berechtigungen des Tokens reichen.",
  assistantAddress: "Adresse",
  copyAssistantAddress: "Adresse kopieren",
  assistantExample: "Beispiel für Einstellungen",
  limits: "Tarif und Grenzen",
  limitsNote: "Wie viele Anfragen noch frei sind, steht in der Antwort im Header RateLimit.",
};
