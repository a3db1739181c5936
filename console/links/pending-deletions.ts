import { useSyncExternalStore } from "react";
import { call } from "#console/api/call.ts";
import { dismissToast, toast } from "#console/ui/toast.tsx";
import type { Link } from "#contract/link-record.ts";
import { deleteLink } from "#contract/links.ts";
import { runAll } from "./run-all.ts";

const UNDO_MS = 8000;

interface Batch {
  readonly links: readonly Link[];
  readonly send: (atATime?: number) => Promise<void>;
}

/** Links that are deleted on screen, though the server does not know it yet. */
let hidden: ReadonlySet<string> = new Set();
const listeners = new Set<() => void>();
const waiting = new Set<Batch>();

function hide(change: (ids: ReadonlySet<string>) => ReadonlySet<string>): void {
  hidden = change(hidden);
  for (const listener of listeners) listener();
}

export const useHiddenLinks = (): ReadonlySet<string> =>
  useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => hidden,
  );

const nameOf = (links: readonly Link[]): string =>
  links.length === 1 ? `/${links[0]?.slug}` : `${links.length} links`;

/** Takes links off the screen at once and deletes them when the time to undo it is over, or the page is left. */
export function deleteLater(accountId: string, links: readonly Link[], onDeleted: (id: string) => void): void {
  const ids = links.map(({ id }) => id);
  const show = () => hide((all) => all.difference(new Set(ids)));
  const batch: Batch = {
    links,
    async send(atATime) {
      end();
      const { failures } = await runAll(
        links,
        ({ id }) => call(deleteLink, { params: { id }, keepalive: true }, accountId).then(() => onDeleted(id)),
        atATime === undefined ? {} : { atATime },
      );
      show();
      const [first] = failures;
      if (!first) return;
      const kept = failures.map(({ item }) => item);
      toast(`${nameOf(kept)} could not be deleted. ${first.error.message}`, { tone: "bad" });
    },
  };
  const timer = setTimeout(() => void batch.send(), UNDO_MS);
  const end = () => {
    clearTimeout(timer);
    waiting.delete(batch);
    dismissToast(note);
  };
  const undo = () => {
    end();
    show();
  };
  waiting.add(batch);
  hide((all) => all.union(new Set(ids)));
  const note = toast(`Deleted ${nameOf(links)}.`, { action: { label: "Undo", run: undo }, forMs: UNDO_MS });
}

/** Nothing that was deleted on screen may survive because the page was closed, or the person signed out. */
export const sendDeletions = (): Promise<unknown> => Promise.all([...waiting].map((batch) => batch.send()));

// A page that is left has no second turn: whatever is not under way by the end of this one is lost.
addEventListener("pagehide", () => {
  for (const batch of waiting) void batch.send(batch.links.length);
});
