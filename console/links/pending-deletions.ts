import { CallError, call } from "#console/api/call.ts";
import { makeStore } from "#console/ui/store.ts";
import { dismissToast, toast } from "#console/ui/toast.tsx";
import type { Link } from "#contract/link-record.ts";
import { deleteLink } from "#contract/links.ts";
import { runAll } from "./run-all.ts";

const UNDO_MS = 8000;

/** Links that are deleted on screen, though the server may not know it yet; a list that was asked for before holds them. */
const hidden = makeStore<ReadonlySet<string>>(new Set());
const waiting = new Set<() => Promise<void>>();

export const useHiddenLinks = hidden.use;

const idsOf = (links: readonly Link[]): ReadonlySet<string> => new Set(links.map(({ id }) => id));
const nameOf = (links: readonly Link[]): string =>
  links.length === 1 ? `/${links[0]?.slug}` : `${links.length} links`;

/** Takes links off the screen at once and deletes them when the time to undo it is over, or the page is left. */
export function deleteLater(accountId: string, links: readonly Link[], onDeleted: (id: string) => void): void {
  const show = (shown: readonly Link[]) => hidden.set(hidden.get().difference(idsOf(shown)));
  const send = async (): Promise<void> => {
    end();
    const remove = async ({ id }: Link): Promise<void> => {
      await call(deleteLink, { params: { id }, keepalive: true }, accountId).catch(passOverMissing);
      onDeleted(id);
    };
    // All go out at once: were the page left in between, no answer would let the next ones follow.
    const { failures } = await runAll(links, remove, { atATime: links.length });
    const [first] = failures;
    if (!first) return;
    const kept = failures.map(({ item }) => item);
    show(kept);
    toast(`${nameOf(kept)} could not be deleted. ${first.error.message}`, { tone: "bad" });
  };
  const timer = setTimeout(() => void send(), UNDO_MS);
  const end = () => {
    clearTimeout(timer);
    waiting.delete(send);
    dismissToast(note);
  };
  const undo = () => {
    end();
    show(links);
  };
  waiting.add(send);
  hidden.set(hidden.get().union(idsOf(links)));
  const note = toast(`Deleted ${nameOf(links)}.`, { undo, forMs: UNDO_MS });
}

/** Someone else was faster. */
function passOverMissing(error: unknown): void {
  if (!(error instanceof CallError && error.status === 404)) throw error;
}

/** Nothing that was deleted on screen may survive because the page was closed, or the person signed out. */
export const sendDeletions = (): Promise<unknown> => Promise.all([...waiting].map((send) => send()));

addEventListener("pagehide", () => void sendDeletions());
