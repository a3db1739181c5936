import type { Link } from "#contract/link-record.ts";

interface LinkView {
  /** Links as this page has changed them. */
  readonly newest: ReadonlyMap<string, Link>;
  readonly isShown: (link: Link) => boolean;
}

/** What stands in a list: each link once and as it is now; one that no longer belongs is out until it does again. */
export function arrangeLinks(pages: readonly (readonly Link[])[], { newest, isShown }: LinkView): Link[] {
  // By a key that moves, a link may stand on two pages.
  const byId = new Map<string, Link>();
  for (const link of pages.flat()) {
    const changed = newest.get(link.id);
    byId.set(link.id, changed && changed.version > link.version ? changed : link);
  }
  return [...byId.values()].filter(isShown);
}
