import { useCallback, useMemo, useRef, useState } from "react";
import type { Link } from "#contract/link-record.ts";

interface Selected {
  readonly ids: ReadonlySet<string>;
  /** Everything that the filter matches, loaded or not. */
  readonly isAll: boolean;
}

const nothing: Selected = { ids: new Set(), isAll: false };
const idsOf = (links: readonly Link[]): ReadonlySet<string> => new Set(links.map(({ id }) => id));

/** Which links are selected; a range begins at the one that was touched last. */
export function useSelection(links: readonly Link[]) {
  const [{ ids, isAll }, setSelected] = useState(nothing);
  const last = useRef<string | undefined>(undefined);
  const current = useRef(links);
  current.current = links;

  const toggle = useCallback((index: number, withRange: boolean) => {
    const loaded = current.current;
    const id = loaded[index]?.id;
    const known = withRange ? loaded.findIndex((link) => link.id === last.current) : -1;
    const from = known === -1 ? index : known;
    last.current = id;
    setSelected((before) => {
      // Without one of them it is no longer everything, but what can be seen of it.
      const next = new Set(before.isAll ? idsOf(loaded) : before.ids);
      const selects = withRange || (id !== undefined && !next.has(id));
      for (const link of loaded.slice(Math.min(from, index), Math.max(from, index) + 1)) {
        if (selects) next.add(link.id);
        else next.delete(link.id);
      }
      return { ids: next, isAll: false };
    });
  }, []);

  const clear = useCallback(() => {
    last.current = undefined;
    setSelected((before) => (before.ids.size === 0 && !before.isAll ? before : nothing));
  }, []);
  const select = useCallback((wanted: readonly Link[]) => setSelected({ ids: idsOf(wanted), isAll: false }), []);
  const selectLoaded = useCallback(() => setSelected({ ids: idsOf(current.current), isAll: false }), []);
  const selectAll = useCallback(() => setSelected({ ids: new Set(), isAll: true }), []);
  // What has left the list is no longer selected.
  const selected = useMemo(() => (isAll ? links : links.filter(({ id }) => ids.has(id))), [links, ids, isAll]);
  const has = useCallback((id: string): boolean => isAll || ids.has(id), [ids, isAll]);
  return { isAll, selected, has, toggle, clear, select, selectLoaded, selectAll };
}
export type Selection = ReturnType<typeof useSelection>;
