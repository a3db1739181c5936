import { makeStore } from "#console/ui/store.ts";
import { applyTheme, readTheme, storeTheme, type Theme } from "./theme.ts";

const chosen = makeStore(readTheme());

export const useTheme = chosen.use;

/** From now on, and when the page is opened again. */
export function chooseTheme(theme: Theme): void {
  storeTheme(theme);
  applyTheme(theme);
  chosen.set(theme);
}
