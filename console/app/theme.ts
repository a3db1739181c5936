export const themes = ["system", "light", "dark"] as const;
export type Theme = (typeof themes)[number];

const KEY = "kurz.theme";

export function readTheme(): Theme {
  const stored = localStorage.getItem(KEY);
  return themes.find((theme) => theme === stored) ?? "system";
}

export const storeTheme = (theme: Theme): void => localStorage.setItem(KEY, theme);

/** Without the attribute the style sheet follows the system. */
export function applyTheme(theme: Theme): void {
  if (theme === "system") delete document.documentElement.dataset.theme;
  else document.documentElement.dataset.theme = theme;
}
