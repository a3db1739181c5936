import { useQueryClient } from "@tanstack/react-query";
import { useMemo, useState } from "react";
import { useWorkspace } from "#console/api/session.tsx";
import { toast } from "#console/ui/toast.tsx";
import type { Link } from "#contract/link-record.ts";
import { bulkTexts as texts } from "#texts/link-bulk.ts";
import {
  type BulkChange,
  type BulkResult,
  changeAll,
  type Failure,
  findAllLinks,
  type Reversal,
  reverse,
} from "./bulk-change.ts";
import { dropLinks, putLinks, refreshLists } from "./link-cache.ts";
import type { LinkFilter } from "./link-list-search.ts";

export interface Progress {
  readonly text: string;
  readonly done: number;
  /** `null` while it isn't known. */
  readonly of: number | null;
}

interface BulkWords {
  /** As in "Pausing". */
  readonly doing: string;
  /** As in "Paused 3 links." */
  readonly done: (links: string) => string;
}

/** Changes of many links, one at a time, with what is to be shown meanwhile and afterwards. */
export function useBulkChanges() {
  const { account, call } = useWorkspace();
  const client = useQueryClient();
  const [progress, setProgress] = useState<Progress | null>(null);
  const [failures, setFailures] = useState<readonly Failure<Link>[]>([]);

  const actions = useMemo(() => {
    async function change(links: readonly Link[], what: BulkChange, doing: string): Promise<BulkResult> {
      setProgress({ text: doing, done: 0, of: links.length });
      const result = await changeAll(call, links, what, (done, changed) => {
        putLinks(client, account.id, changed);
        setProgress({ text: doing, done, of: links.length });
      });
      const ids = links.map(({ id }) => id);
      refreshLists(client, account.id, ids, "tags" in what ? "edited" : "moved");
      if (result.erased.length > 0) {
        dropLinks(
          client,
          account.id,
          result.erased.map(({ id }) => id),
        );
      }
      if ("tags" in what) void client.invalidateQueries({ queryKey: ["tags", account.id] });
      return result;
    }

    async function undo(reversals: readonly Reversal[]): Promise<void> {
      const failed: Failure<Link>[] = [];
      for (const { links, change: what } of reversals)
        failed.push(...(await change(links, what, texts.undoing)).failures);
      setProgress(null);
      setFailures(failed);
      // Links that are no longer selected, or not in this list, have no other place to say so.
      const [first] = failed;
      if (first) toast(texts.undoFailed(failed.length, first.error.message), { tone: "bad" });
    }

    return {
      find: async (filter: LinkFilter): Promise<readonly Link[]> => {
        const show = (done: number) => setProgress({ text: texts.finding, done, of: null });
        show(0);
        return findAllLinks(call, filter, show).finally(() => setProgress(null));
      },

      /** Returns those that couldn't be changed. */
      async run(links: readonly Link[], what: BulkChange, { doing, done }: BulkWords): Promise<readonly Link[]> {
        const result = await change(links, what, doing).finally(() => setProgress(null));
        setFailures(result.failures);
        const reversals = reverse(what, result);
        const different = result.changed.filter(({ before, after }) => before.version !== after.version);
        const count = different.length + result.erased.length;
        const undoing = reversals.length > 0 && { undo: () => void undo(reversals) };
        if (count === 0 && result.failures.length === 0) toast(texts.unchanged);
        if (count > 0) toast(done(texts.links(count)), { ...undoing });
        return result.failures.map(({ item }) => item);
      },
    };
  }, [account.id, call, client]);

  return { progress, failures, ...actions };
}
