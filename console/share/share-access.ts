import { makeStore } from "#console/ui/store.ts";

const KEY = "kurz.share";

/**
 * Says that the password was entered. Kept while the tab is open, so that loading the page again doesn't ask again; of
 * one report at a time.
 */
export const shareAccess = makeStore<string | null>(sessionStorage.getItem(KEY));

export function keepAccess(access: string): void {
  sessionStorage.setItem(KEY, access);
  shareAccess.set(access);
}
