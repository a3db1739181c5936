import { makeStore } from "#console/ui/store.ts";

/** How a list of links looks, on screens with room for it. */
export interface ListDisplay {
  readonly isCompact: boolean;
  readonly tags: boolean;
  /** The clicks of the last 30 days. */
  readonly chart: boolean;
  readonly created: boolean;
}

const KEY = "kurz.display";
const usual: ListDisplay = { isCompact: false, tags: true, chart: true, created: true };

/** What was stored, as far as it is known; the browser may have it from another version. */
export function readDisplay(stored: string | null): ListDisplay {
  try {
    const known = Object.entries(JSON.parse(stored ?? "{}") as object).filter(
      ([name, value]) => name in usual && typeof value === "boolean",
    );
    return { ...usual, ...Object.fromEntries(known) };
  } catch {
    return usual;
  }
}

const display = makeStore(readDisplay(globalThis.localStorage?.getItem(KEY) ?? null));

export const useListDisplay = display.use;

/** From now on, in this browser. */
export function changeDisplay(change: Partial<ListDisplay>): void {
  const next = { ...display.get(), ...change };
  localStorage.setItem(KEY, JSON.stringify(next));
  display.set(next);
}
