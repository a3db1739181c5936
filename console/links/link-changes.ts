import { useQueryClient } from "@tanstack/react-query";
import { useMemo } from "react";
import { useWorkspace } from "#console/api/session.tsx";
import { toast, toastError } from "#console/ui/toast.tsx";
import type { Link, LinkState } from "#contract/link-record.ts";
import { archiveLink, type LinkAction, pauseLink, resumeLink, unarchiveLink } from "#contract/links.ts";
import { dropLink, putLink } from "./link-cache.ts";
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
};

export const actionsOf = ({ state }: Link): readonly LinkAction[] => allowed[state];

/** What the server will make of it; it answers with the truth soon. */
function guess(link: Link, action: LinkAction): Link {
  if (action === "pause") return { ...link, state: "paused" };
  if (action === "archive") return { ...link, state: "archived" };
  return { ...link, state: action === "unarchive" && link.paused_at !== null ? "paused" : "active" };
}

/** Everything that can be done to links without a form. */
export function useLinkChanges() {
  const { account, call } = useWorkspace();
  const client = useQueryClient();
  return useMemo(() => {
    /** Shows the change at once and takes it back if the server refuses it. */
    async function change(link: Link, action: LinkAction): Promise<Link> {
      putLink(client, account.id, guess(link, action), { stays: true });
      try {
        const changed = await call(endpoints[action], { params: { id: link.id } });
        putLink(client, account.id, changed);
        return changed;
      } catch (error) {
        putLink(client, account.id, link, { stays: true });
        throw error;
      }
    }

    function act(link: Link, action: LinkAction): void {
      const { done, opposite } = actionWords[action];
      change(link, action).then((changed) => {
        toast(`${done} /${link.slug}.`, { action: { label: "Undo", run: () => act(changed, opposite) } });
      }, toastError);
    }

    const remove = (links: readonly Link[]): void =>
      deleteLater(account.id, links, (id) => dropLink(client, account.id, id));

    return { change, act, remove };
  }, [account.id, call, client]);
}
export type LinkChanges = ReturnType<typeof useLinkChanges>;
