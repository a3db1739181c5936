/** The dialog of a QR code. */
export const qrTexts = {
  title: "QR code",
  alt: (url: string) => `QR code of ${url}`,
  altUnknown: "QR code of the link",
  remembered: "New codes start with the design you downloaded last.",
  presets: "Presets",
  presetNames: {
    classic: "Classic",
    ink: "Ink",
    ocean: "Ocean",
    forest: "Forest",
    berry: "Berry",
    coffee: "Coffee",
  },
  style: "Style",
  styles: { square: "Square", rounded: "Rounded", dots: "Dots" },
  color: "Color",
  background: "Background",
  pick: (color: string) => `${color} picker`,
  wrongColor: "Use six hex digits, such as #0f766e.",
  logo: "Logo",
  logos: {
    none: "None",
    account: "Your logo",
    heart: "Heart",
    link: "Link",
    mail: "Mail",
    pin: "Pin",
    play: "Play",
    star: "Star",
  },
  logoHint: "Admins can add your logo in Settings.",
  addLogo: "Add your logo in Settings.",
  size: "PNG size",
  pixels: (size: number) => `${size} pixels`,
  mark: "Track QR scans separately",
  markNote: "Adds ?qr=1 so reports can tell scans from clicks.",

  /** How well it scans; a contrast is as in "4.5:1". */
  verdict: {
    label: "Readability",
    good: "Scans easily",
    warn: "Test it before you print",
    faint: (contrast: string, needed: string) =>
      `The contrast is low (${contrast}): some scanners need ${needed}. Pick a darker color or a lighter background.`,
    strong: (contrast: string) => `Strong contrast (${contrast}).`,
    small: (size: number, module: number) =>
      `At ${size} pixels each square is only ${module === 1 ? "1 pixel" : `${module} pixels`} wide. Pick a larger PNG, or use the SVG.`,
    print: (millimeters: number) => `Print it at least ${millimeters} mm wide.`,
    logo: (share: string) => `The logo covers ${share} of the code, which still scans.`,
  },
};
