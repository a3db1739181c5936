import { useQueryClient } from "@tanstack/react-query";
import { useMemo } from "react";
import { useWorkspace } from "#console/api/session.tsx";
import { toast, toastError } from "#console/ui/toast.tsx";
import { TRASH_DAYS } from "#contract/limits.ts";
import type { Link, LinkState } from "#contract/link-record.ts";
import {
  archiveLink,
  deleteLink,
  linkActions,
  pauseLink,
  restoreLink,
  resumeLink,
  unarchiveLink,
} from "#contract/links.ts";
import { linkTexts as texts } from "#texts/links.ts";
import { dropLinks, putLink, refreshLists } from "./link-cache.ts";

/** What can be taken back: the actions of the API, and the way into the trash and out of it. */
export const linkMoves = [...linkActions, "restore", "delete"] as const;
export type LinkMove = (typeof linkMoves)[number];

const endpoints = {
  pause: pauseLink,
  resume: resumeLink,
  archive: archiveLink,
  unarchive: unarchiveLink,
  restore: restoreLink,
} as const;

export const oppositeMoves: Readonly<Record<LinkMove, LinkMove>> = {
  pause: "resume",
  resume: "pause",
  archive: "unarchive",
  unarchive: "archive",
  restore: "delete",
  delete: "restore",
};

const allowed: Readonly<Record<LinkState, readonly LinkMove[]>> = {
  active: ["pause", "archive", "delete"],
  paused: ["resume", "archive", "delete"],
  archived: ["unarchive", "delete"],
  deleted: ["restore"],
};

export const movesOf = ({ state }: Link): readonly LinkMove[] => allowed[state];

const DAY_MS = 86_400_000;

/** What the server will make of it; it answers with the truth soon. */
function guess(link: Link, move: LinkMove): Link {
  const now = Date.now();
  const trash =
    move === "delete"
      ? { deleted_at: new Date(now).toISOString(), erases_at: new Date(now + TRASH_DAYS * DAY_MS).toISOString() }
      : { deleted_at: null, erases_at: null };
  return { ...link, ...trash, state: stateAfter(link, move), version: link.version + 1 };
}

function stateAfter({ paused_at, archived_at }: Link, move: LinkMove): LinkState {
  if (move === "delete") return "deleted";
  if (move === "pause") return "paused";
  if (move === "archive" || (move === "restore" && archived_at !== null)) return "archived";
  return move !== "resume" && paused_at !== null ? "paused" : "active";
}

/** Everything that can be done to links without a form. */
export function useLinkChanges() {
  const { account, call } = useWorkspace();
  const client = useQueryClient();
  return useMemo(() => {
    async function send(link: Link, move: LinkMove): Promise<Link> {
      const params = { id: link.id };
      if (move !== "delete") return call(endpoints[move], { params });
      // It has no answer. Sent even if the page is left at once.
      await call(deleteLink, { params, keepalive: true });
      return guess(link, move);
    }

    /** Shows the change at once and takes it back if the server refuses it. */
    async function change(link: Link, move: LinkMove): Promise<Link> {
      putLink(client, account.id, guess(link, move));
      try {
        const changed = await send(link, move);
        putLink(client, account.id, changed);
        refreshLists(client, account.id, [link.id], "moved");
        return changed;
      } catch (error) {
        putLink(client, account.id, link);
        throw error;
      }
    }

    function act(link: Link, move: LinkMove): void {
      change(link, move).then((changed) => {
        toast(texts.moves[move].done(link.slug), { undo: () => act(changed, oppositeMoves[move]) });
      }, toastError);
    }

    /** For good: nothing brings it back. */
    async function erase({ id, slug }: Link): Promise<void> {
      await call(deleteLink, { params: { id }, query: { permanent: true } });
      dropLinks(client, account.id, [id]);
      toast(texts.erased(slug));
    }

    return { act, erase };
  }, [account.id, call, client]);
}
export type LinkChanges = ReturnType<typeof useLinkChanges>;
