import { useQueryClient } from "@tanstack/react-query";
import { useMemo } from "react";
import { useWorkspace } from "#console/api/session.tsx";
import { toast, toastError } from "#console/ui/toast.tsx";
import type { Link, LinkState } from "#contract/link-record.ts";
import { archiveLink, type LinkAction, pauseLink, resumeLink, unarchiveLink } from "#contract/links.ts";
import { linkKey, putLink, refreshCounts, refreshListsWithout } from "./link-cache.ts";
import { deleteLater } from "./pending-deletions.ts";

const endpoints = { pause: pauseLink, resume: resumeLink, archive: archiveLink, unarchive: unarchiveLink } as const;

interface ActionWords {
  readonly label: string;
  readonly doing: string;
  readonly done: string;
  readonly opposite: LinkAction;
}

export const actionWords: Readonly<Record<LinkAction, ActionWords>> = {
  pause: { label: "Pause", doing: "Pausing", done: "Paused", opposite: "resume" },
  resume: { label: "Resume", doing: "Resuming", done: "Resumed", opposite: "pause" },
  archive: { label: "Archive", doing: "Archiving", done: "Archived", opposite: "unarchive" },
  unarchive: { label: "Unarchive", doing: "Unarchiving", done: "Unarchived", opposite: "archive" },
};

const allowed: Readonly<Record<LinkState, readonly LinkAction[]>> = {
  active: ["pause", "archive"],
  paused: ["resume", "archive"],
  archived: ["unarchive"],
  deleted: [],
};

export const actionsOf = ({ state }: Link): readonly LinkAction[] => allowed[state];

/** What the server will make of it; it answers with the truth soon. */
const guess = (link: Link, action: LinkAction): Link => ({
  ...link,
  state: stateAfter(link, action),
  version: link.version + 1,
});

function stateAfter({ paused_at }: Link, action: LinkAction): LinkState {
  if (action === "pause") return "paused";
  if (action === "archive") return "archived";
  return action === "unarchive" && paused_at !== null ? "paused" : "active";
}

/** Everything that can be done to links without a form. */
export function useLinkChanges() {
  const { account, call } = useWorkspace();
  const client = useQueryClient();
  return useMemo(() => {
    /** Shows the change at once and takes it back if the server refuses it. */
    async function change(link: Link, action: LinkAction): Promise<Link> {
      putLink(client, account.id, guess(link, action));
      try {
        const changed = await call(endpoints[action], { params: { id: link.id } });
        putLink(client, account.id, changed);
        refreshListsWithout(client, account.id, link.id);
        return changed;
      } catch (error) {
        putLink(client, account.id, link);
        throw error;
      }
    }

    function act(link: Link, action: LinkAction): void {
      const { done, opposite } = actionWords[action];
      change(link, action).then((changed) => {
        toast(`${done} /${link.slug}.`, { undo: () => act(changed, opposite) });
      }, toastError);
    }

    const remove = (links: readonly Link[]): void =>
      deleteLater(account.id, links, (id) => {
        client.removeQueries({ queryKey: linkKey(account.id, id) });
        refreshCounts(client, account.id);
      });

    return { change, act, remove };
  }, [account.id, call, client]);
}
export type LinkChanges = ReturnType<typeof useLinkChanges>;
