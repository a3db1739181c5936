import { filterOf, type LinkFilter, readLinkListSearch } from "./link-list-search.ts";

/** A list with a name, to come back to. */
export interface SavedView {
  readonly name: string;
  readonly filter: LinkFilter;
}

export const VIEWS_MAX = 30;
export const VIEW_NAME_MAX = 60;

const isRecord = (value: unknown): value is Record<string, unknown> => typeof value === "object" && value !== null;

/** Whatever was stored, by this version or another: what can't be understood is left out. */
export function readViews(text: string | null): readonly SavedView[] {
  const stored = parse(text ?? "[]");
  if (!Array.isArray(stored)) return [];
  return stored.filter(isRecord).flatMap(({ name, filter }) => {
    if (typeof name !== "string" || name === "" || !isRecord(filter)) return [];
    return [{ name: name.slice(0, VIEW_NAME_MAX), filter: filterOf(readLinkListSearch(filter)) }];
  });
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

const isNamed = (name: string) => (view: SavedView) => view.name.toLowerCase() === name.toLowerCase();

/** With a view under its name, in place of one that had it before; the oldest makes room. */
export const withView = (views: readonly SavedView[], view: SavedView): readonly SavedView[] =>
  [...views.filter((other) => !isNamed(view.name)(other)), view].slice(-VIEWS_MAX);

export const withoutView = (views: readonly SavedView[], name: string): readonly SavedView[] =>
  views.filter((view) => !isNamed(name)(view));

/** Whether both show the same list. */
export const isSameFilter = (a: LinkFilter, b: LinkFilter): boolean => keyOf(a) === keyOf(b);

const keyOf = (filter: LinkFilter): string => JSON.stringify(Object.entries(filter).toSorted());
