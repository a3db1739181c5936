import type { dimensionTexts as en, valueTexts as enValues } from "#texts/dimensions.ts";

export const dimensionTexts: typeof en = {
  link: { label: "Links", one: "Link", list: "Klicks nach Link", none: "Unbekannt" },
  domain: { label: "Domains", one: "Domain", list: "Klicks nach Domain", none: "Unbekannt" },
  tag: { label: "Tags", one: "Tag", list: "Klicks nach Tag", none: "Ohne Tag" },
  referrer: { label: "Referrer", one: "Referrer", list: "Klicks nach Referrer", none: "Direkt / keiner" },
  source: { label: "Über", one: "Über", list: "Klicks nach Weg", none: "Unbekannt" },
  country: { label: "Länder", one: "Land", list: "Klicks nach Land", none: "Unbekannt" },
  region: { label: "Regionen", one: "Region", list: "Klicks nach Region", none: "Unbekannt" },
  city: { label: "Städte", one: "Stadt", list: "Klicks nach Stadt", none: "Unbekannt" },
  language: { label: "Sprachen", one: "Sprache", list: "Klicks nach Sprache", none: "Unbekannt" },
  device: { label: "Geräte", one: "Gerät", list: "Klicks nach Gerät", none: "Unbekannt" },
  browser: { label: "Browser", one: "Browser", list: "Klicks nach Browser", none: "Unbekannt" },
  os: { label: "Systeme", one: "System", list: "Klicks nach System", none: "Unbekannt" },
  utm_source: { label: "Quelle", one: "UTM-Quelle", list: "Klicks nach UTM-Quelle", none: "Keine" },
  utm_medium: { label: "Medium", one: "UTM-Medium", list: "Klicks nach UTM-Medium", none: "Keines" },
  utm_campaign: { label: "Kampagne", one: "UTM-Kampagne", list: "Klicks nach UTM-Kampagne", none: "Keine" },
  utm_term: { label: "Suchbegriff", one: "UTM-Suchbegriff", list: "Klicks nach UTM-Suchbegriff", none: "Keiner" },
  utm_content: { label: "Inhalt", one: "UTM-Inhalt", list: "Klicks nach UTM-Inhalt", none: "Keiner" },
  rule: {
    label: "Regeln",
    one: "Regel",
    list: "Klicks nach Regel",
    none: "Keine Regel",
    noneHint:
      "„Keine Regel“ enthält auch Besucher, die nicht verfolgt werden möchten. Welche Regel für sie galt, zeichnet Kurz nicht auf.",
  },
};

export const valueTexts: typeof enValues = {
  device: { desktop: "Desktop", mobile: "Smartphone", tablet: "Tablet", other: "Andere" },
  source: { link: "Link", qr: "QR-Code" },
  language: { tl: "Tagalog" },
};
