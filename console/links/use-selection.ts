import { useCallback, useMemo, useRef, useState } from "react";
import type { Link } from "#contract/link-record.ts";

/** Which links are chosen; a range goes from the one that was touched last. */
export function useSelection(links: readonly Link[]) {
  const [ids, setIds] = useState<ReadonlySet<string>>(new Set());
  const last = useRef<number | null>(null);
  const current = useRef(links);
  current.current = links;

  const toggle = useCallback((index: number, withRange: boolean) => {
    const from = withRange && last.current !== null ? last.current : index;
    last.current = index;
    setIds((before) => {
      const touched = current.current.slice(Math.min(from, index), Math.max(from, index) + 1);
      const id = current.current[index]?.id;
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
    last.current = null;
    setIds((before) => (before.size === 0 ? before : new Set()));
  }, []);
  const choose = useCallback((chosen: readonly Link[]) => setIds(new Set(chosen.map(({ id }) => id))), []);
  // What has left the list is no longer chosen.
  const chosen = useMemo(() => links.filter(({ id }) => ids.has(id)), [links, ids]);
  return { ids, chosen, toggle, clear, choose };
}
export type Selection = ReturnType<typeof useSelection>;
