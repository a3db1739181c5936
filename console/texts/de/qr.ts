import type { qrTexts as en } from "#texts/qr.ts";

export const qrTexts: typeof en = {
  title: "QR-Code",
  alt: (url) => `QR-Code von ${url}`,
  altUnknown: "QR-Code des Links",
  remembered: "Neue Codes beginnen mit dem Design, das Sie zuletzt heruntergeladen haben.",
  presets: "Vorlagen",
  presetNames: {
    classic: "Klassik",
    ink: "Tinte",
    ocean: "Ozean",
    forest: "Wald",
    berry: "Beere",
    coffee: "Kaffee",
  },
  style: "Stil",
  styles: { square: "Eckig", rounded: "Rund", dots: "Punkte" },
  color: "Farbe",
  background: "Hintergrund",
  pick: (color) => `${color}: Farbwähler`,
  wrongColor: "Geben Sie sechs Hex-Ziffern ein, etwa #0f766e.",
  logo: "Logo",
  logos: {
    none: "Keines",
    account: "Ihr Logo",
    heart: "Herz",
    link: "Link",
    mail: "E-Mail",
    pin: "Pin",
    play: "Play",
    star: "Stern",
  },
  logoHint: "Admins können Ihr Logo in den Einstellungen hinzufügen.",
  addLogo: "Fügen Sie Ihr Logo in den Einstellungen hinzu.",
  size: "PNG-Größe",
  pixels: (size) => `${size} Pixel`,
  mark: "QR-Scans getrennt zählen",
  markNote: "Hängt ?qr=1 an, damit Berichte Scans und Klicks unterscheiden.",

  verdict: {
    label: "Lesbarkeit",
    good: "Gut lesbar",
    warn: "Vor dem Drucken testen",
    faint: (contrast, needed) =>
      `Der Kontrast ist gering (${contrast}): Manche Scanner brauchen ${needed}. Wählen Sie eine dunklere Farbe oder einen helleren Hintergrund.`,
    strong: (contrast) => `Starker Kontrast (${contrast}).`,
    small: (size, module) =>
      `Bei ${size} Pixeln ist jedes Quadrat nur ${module} Pixel breit. Wählen Sie ein größeres PNG oder das SVG.`,
    print: (millimeters) => `Drucken Sie ihn mindestens ${millimeters} mm breit.`,
    logo: (share) => `Das Logo verdeckt ${share} des Codes; er bleibt lesbar.`,
  },
};
