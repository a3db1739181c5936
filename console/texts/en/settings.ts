export const settingsTexts = {
  appearance: "Appearance",
  keptHere: "Saved in this browser only.",
  theme: "Theme",
  themes: {
    system: { label: "System", note: "Light or dark, like your device." },
    light: { label: "Light" },
    dark: { label: "Dark" },
  },
  language: "Language",
  keyboard: "Keyboard",
  keyboardNote: "Press ? on any page to see all shortcuts.",
  shortcuts: "Single-key shortcuts",
  shortcutsNote: "Turn them off if you dictate, or press keys by accident.",
};
