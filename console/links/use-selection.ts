import { useCallback, useMemo, useRef, useState } from "react";
import type { Link } from "#contract/link-record.ts";

/** Which links are chosen; a range goes from the one that was touched last. */
export function useSelection(links: readonly Link[]) {
  const [ids, setIds] = useState<ReadonlySet<string>>(new Set());
  const last = useRef<string | undefined>(undefined);
  const current = useRef(links);
  current.current = links;

  const toggle = useCallback((index: number, withRange: boolean) => {
    const links = current.current;
    const id = links[index]?.id;
    const known = withRange ? links.findIndex((link) => link.id === last.current) : -1;
    const from = known === -1 ? index : known;
    last.current = id;
    setIds((before) => {
      const touched = links.slice(Math.min(from, index), Math.max(from, index) + 1);
      const chooses = withRange || (id !== undefined && !before.has(id));
      const next = new Set(before);
      for (const link of touched) {
        if (chooses) next.add(link.id);
        else next.delete(link.id);
      }
      return next;
    });
  }, []);

  const clear = useCallback(() => {
    last.current = undefined;
    setIds((before) => (before.size === 0 ? before : new Set()));
  }, []);
  const choose = useCallback((chosen: readonly Link[]) => setIds(new Set(chosen.map(({ id }) => id))), []);
  // What has left the list is no longer chosen.
  const chosen = useMemo(() => links.filter(({ id }) => ids.has(id)), [links, ids]);
  return { ids, chosen, toggle, clear, choose };
}
export type Selection = ReturnType<typeof useSelection>;
