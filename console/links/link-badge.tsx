import { Badge, type Tone } from "#console/ui/panel.tsx";
import type { Link } from "#contract/link-record.ts";

/** What keeps a link from redirecting, the gravest first; nothing for one that works. */
export function statusOf({ blocked, state, expired }: Link): { readonly label: string; readonly tone: Tone } | null {
  if (blocked) return { label: "Blocked", tone: "bad" };
  if (state === "archived") return { label: "Archived", tone: "plain" };
  if (expired) return { label: "Expired", tone: "plain" };
  if (state === "paused") return { label: "Paused", tone: "warn" };
  return null;
}

export function LinkBadge({ link }: { readonly link: Link }) {
  const status = statusOf(link);
  return status && <Badge tone={status.tone}>{status.label}</Badge>;
}
