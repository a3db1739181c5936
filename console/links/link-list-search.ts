/** What the address of the list says; everything that is not understood is left out. */
export interface LinkListSearch {
  readonly q?: string;
}

export const readLinkListSearch = (search: Record<string, unknown>): LinkListSearch =>
  typeof search.q === "string" && search.q !== "" ? { q: search.q } : {};
