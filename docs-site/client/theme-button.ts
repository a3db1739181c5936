import { applyTheme, readTheme, storeTheme } from "#console/app/theme.ts";

const darkSystem = matchMedia("(prefers-color-scheme: dark)");

const isDark = (): boolean => {
  const theme = readTheme();
  return theme === "dark" || (theme === "system" && darkSystem.matches);
};

/** Lets readers switch between light and dark, in the console, too. */
export function startThemeButton(): void {
  const button = document.querySelector<HTMLButtonElement>(".theme-button");
  const show = (): void => {
    const dark = isDark();
    // The renderer of the API reference has a class of its own for it.
    document.documentElement.classList.toggle("dark-mode", dark);
    for (const source of document.querySelectorAll<HTMLSourceElement>("picture source")) {
      source.media = dark ? "all" : "not all";
    }
    button?.setAttribute("aria-label", dark ? "Switch to the light theme" : "Switch to the dark theme");
  };
  show();
  darkSystem.addEventListener("change", show);
  button?.addEventListener("click", () => {
    storeTheme(isDark() ? "light" : "dark");
    applyTheme(readTheme());
    show();
  });
  if (button) button.hidden = false;
}
