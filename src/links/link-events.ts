import type { Link } from "#contract/link-record.ts";
import type { LinkAction } from "#contract/links.ts";
import type { ChosenEvent } from "#contract/webhooks.ts";

export const eventOfAction = {
  pause: "link.paused",
  resume: "link.resumed",
  archive: "link.archived",
  unarchive: "link.unarchived",
} as const satisfies Record<LinkAction, ChosenEvent>;

/** The previous values of the changed fields. */
export function previousOf(before: Link, after: Link): Partial<Link> {
  // These two change every time, so they are no news.
  const { version: _, updated_at: __, ...fields } = before;
  const changed = Object.entries(fields).filter(
    ([name, value]) => JSON.stringify(value) !== JSON.stringify(after[name as keyof Link]),
  );
  return Object.fromEntries(changed);
}
