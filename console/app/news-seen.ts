import { makeStore } from "#console/ui/store.ts";

const KEY = "kurz.news";

/** Names the first entry of what's new, whose texts are loaded when someone reads them. */
export const NEWEST_NEWS = "2026-11-moving";

const isSeen = makeStore(localStorage.getItem(KEY) === NEWEST_NEWS);

/** Whether this browser has shown the newest entry. */
export const useNewsSeen = isSeen.use;

export function markNewsSeen(): void {
  localStorage.setItem(KEY, NEWEST_NEWS);
  isSeen.set(true);
}
