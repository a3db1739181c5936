/** What of importing is on screen: the choice of a source, its form, or one import. */
export interface ImportSearch {
  readonly source?: string;
  readonly import?: string;
}

export function readImportSearch(search: Record<string, unknown>): ImportSearch {
  const { source, import: id } = search;
  if (typeof id === "string" && id !== "") return { import: id };
  return typeof source === "string" && source !== "" ? { source } : {};
}
