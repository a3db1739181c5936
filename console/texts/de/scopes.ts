import type { scopeTexts as en } from "#texts/scopes.ts";

export const scopeTexts: typeof en = {
  "links:read": { label: "Links lesen", note: "Links auflisten, suchen und ansehen." },
  "links:write": { label: "Links ändern", note: "Links erstellen, bearbeiten, pausieren, archivieren und löschen." },
  "analytics:read": { label: "Berichte lesen", note: "Klicks nach Zeit, Land, Referrer, Gerät und mehr." },
  "domains:read": { label: "Domains lesen", note: "Ihre Domains auflisten und ansehen." },
  "domains:write": { label: "Domains ändern", note: "Domains hinzufügen, bestätigen, bearbeiten und entfernen." },
  "webhooks:read": { label: "Webhook-Endpunkte lesen", note: "Wohin Ereignisse gesendet werden, ohne Geheimnisse." },
  "webhooks:write": {
    label: "Webhook-Endpunkte ändern",
    note: "Ereignisse zu dem, was es lesen darf, woandershin senden und Geheimnisse ersetzen.",
  },
  "tokens:write": {
    label: "API-Tokens verwalten",
    note: "Tokens auflisten, erstellen und widerrufen. Neue können nicht mehr als dieses.",
  },
  "qr:read": { label: "QR-Codes erzeugen", note: "Bilder von kurzen Links." },
};
