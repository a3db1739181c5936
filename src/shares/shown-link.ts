import type { Link } from "#contract/link-record.ts";

/**
 * The destination, if everyone who opens the link is redirected there now: a report shows nothing that the link itself
 * keeps to itself.
 */
export function shownDestination(link: Link): string | null {
  const isOpen = link.state === "active" && !link.blocked && !link.expired && !link.scheduled;
  const isGuarded = link.password_protected || link.max_clicks !== null;
  return isOpen && !isGuarded && link.rules.length === 0 ? link.destination_url : null;
}
