import type { LiveState } from "#contract/link-record.ts";
import type { LinkAction } from "#contract/links.ts";
import { ApiError } from "#kernel/api-error.ts";

export interface StateFields {
  readonly state: LiveState;
  readonly state_before_archive: LiveState | null;
  readonly paused_at: number | null;
  readonly archived_at: number | null;
}

const goals: Readonly<Record<LinkAction, (link: StateFields) => boolean>> = {
  pause: ({ state }) => state === "paused",
  resume: ({ state }) => state === "active",
  archive: ({ state }) => state === "archived",
  unarchive: ({ state }) => state !== "archived",
};

/** The link's state after an action, or `null` if it is already there, so retries change nothing. */
export function applyAction(link: StateFields, action: LinkAction, now: number): StateFields | null {
  if (goals[action](link)) return null;
  if (link.state === "archived" && action !== "unarchive") {
    throw new ApiError("invalid_state", `An archived link can't be ${action}d; unarchive it first.`, {
      state: link.state,
      action,
      allowed_actions: ["unarchive"],
    });
  }
  switch (action) {
    case "pause":
      return { ...link, state: "paused", paused_at: now };
    case "resume":
      return { ...link, state: "active", paused_at: null };
    case "archive":
      return { ...link, state: "archived", state_before_archive: link.state, archived_at: now };
    case "unarchive":
      // Restores the previous state: unarchiving must never activate a paused link.
      return {
        ...link,
        state: link.state_before_archive ?? "active",
        state_before_archive: null,
        archived_at: null,
      };
  }
}
